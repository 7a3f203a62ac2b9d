import { digitsOf } from './card-number';

const MAX_CARD_YEARS = 20;

/** Formats as `MM/YY`; also accepts `1/30`, `5` and the browser's autofill format `12/2030`. */
export function formatExpiry(typed: string): string {
  const digits = digitsOf(isMonthAlone(typed) ? `0${typed}` : typed);
  const month = digits.slice(0, 2);
  const year = digits.length === 6 && digits.startsWith('20', 2) ? digits.slice(4) : digits.slice(2, 4);
  return year === '' ? month : `${month}/${year}`;
}

/** True when the digit can only be a one-digit month, or a slash follows it. */
function isMonthAlone(typed: string): boolean {
  return /^(?:[2-9]$|[1-9]\/)/.test(typed);
}

export interface Expiry {
  readonly month: number;
  readonly year: number;
}

export function readExpiry(text: string): Expiry | null {
  const [, month, year] = /^(\d\d)\/(\d\d)$/.exec(text) ?? [];
  if (month === undefined || Number(month) < 1 || Number(month) > 12) return null;
  return { month: Number(month), year: 2000 + Number(year) };
}

/** A card is valid through the last day of its expiry month. */
export function isExpired({ month, year }: Expiry, now: Date): boolean {
  return new Date(year, month, 1) <= now;
}

/** True for a year beyond the validity of any card. */
export function isTooFarAhead({ year }: Expiry, now: Date): boolean {
  return year > now.getFullYear() + MAX_CARD_YEARS;
}
