import { DateTime } from 'luxon';
import { instantOf } from '../time/local-time';
import type { CardSummary } from '../customers/card';

/** Whether a card, which is valid through the last day of its month in the company's time zone, lasts `months` from `from`. */
export function isValidForMonths(
  card: Pick<CardSummary, 'expireMonth' | 'expireYear'>,
  months: number,
  from: Date,
  timezone: string,
): boolean {
  return +endOfExpiryMonth(card, timezone) >= +DateTime.fromJSDate(from, { zone: timezone }).plus({ months });
}

/** When the card's last valid month ends in a time zone. */
export function endOfExpiryMonth(
  { expireMonth, expireYear }: Pick<CardSummary, 'expireMonth' | 'expireYear'>,
  timezone: string,
): Date {
  const isDecember = expireMonth === 12;
  return instantOf(timezone, {
    year: isDecember ? expireYear + 1 : expireYear,
    month: isDecember ? 1 : expireMonth + 1,
  });
}
