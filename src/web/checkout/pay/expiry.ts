import { digitsOf } from './card-number';

const LONGEST_CARD_YEARS = 20;

/** `MM/YY`, also of `1/30`, of `5` and of what browsers fill in (`12/2030`). */
export function formatExpiry(typed: string): string {
  const digits = digitsOf(isMonthAlone(typed) ? `0${typed}` : typed);
  const month = digits.slice(0, 2);
  const year = digits.length === 6 && digits.startsWith('20', 2) ? digits.slice(4) : digits.slice(2, 4);
  return year === '' ? month : `${month}/${year}`;
}

/** No month begins with this digit, or a stroke ends it. */
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

/** Good through the last day of its month. */
export function isOver({ month, year }: Expiry, now: Date): boolean {
  return new Date(year, month, 1) <= now;
}

/** Later than any card is good. */
export function isTooLate({ year }: Expiry, now: Date): boolean {
  return year > now.getFullYear() + LONGEST_CARD_YEARS;
}
