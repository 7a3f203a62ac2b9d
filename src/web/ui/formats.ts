import { currencyDecimals, majorUnits } from '../../domain/shared/currency';
import { locale } from './language';

const moneyFormats = new Map<string, Intl.NumberFormat>();

function moneyFormat(currency: string, notation: 'standard' | 'compact'): Intl.NumberFormat {
  const name = `${currency} ${notation}`;
  const cached = moneyFormats.get(name);
  if (cached !== undefined) return cached;
  // Intl has the customary decimals, which for some currencies are not those of ISO 4217.
  const decimals = currencyDecimals(currency);
  const digits =
    notation === 'compact' ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, notation, ...digits });
  moneyFormats.set(name, format);
  return format;
}

const bareAmounts = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Formats an amount in minor units: `R$ 129,90`. A null currency formats the number alone. */
export function money(cents: number, currency: string | null): string {
  if (currency === null) return bareAmounts.format(cents / 100);
  return moneyFormat(currency, 'standard').format(majorUnits(cents, currency));
}

/** Compact form for chart axes: `R$ 13 mil`. */
export function shortMoney(cents: number, currency: string): string {
  return moneyFormat(currency, 'compact').format(majorUnits(cents, currency));
}

const wholeNumbers = new Intl.NumberFormat(locale);
export const count = (value: number): string => wholeNumbers.format(value);

const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
/** Formats a share from 0 to 1. */
export const percent = (share: number): string => percents.format(share);

/** Formats a date of the API (`2026-03-31`), independent of time zones. */
export function day(date: string, style: 'short' | 'long' = 'short'): string {
  const options =
    style === 'short' ? ({ day: 'numeric', month: 'short' } as const) : ({ dateStyle: 'long' } as const);
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  );
}

const months = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
/** Formats a month of the API (`2026-03`). */
export const monthOf = (month: string): string => months.format(new Date(`${month}-01T00:00:00Z`));

/** The locale's separators, for number fields. */
export const numberMarks = Object.fromEntries(
  new Intl.NumberFormat(locale).formatToParts(12_345.6).map(({ type, value }) => [type, value]),
) as { readonly group?: string; readonly decimal?: string };

export function currencySymbol(currency: string): string {
  const parts = moneyFormat(currency, 'standard').formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}
