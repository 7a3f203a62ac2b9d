import { DateTime } from 'luxon';
import type { CardSummary } from '../customers/card';

/** Whether a card, which is valid through the last day of its month in the company's time zone, lasts `months` from `from`. */
export function isValidForMonths(
  { expireMonth, expireYear }: Pick<CardSummary, 'expireMonth' | 'expireYear'>,
  months: number,
  from: Date,
  timezone: string,
): boolean {
  const end = DateTime.fromObject({ year: expireYear, month: expireMonth }, { zone: timezone }).plus({
    months: 1,
  });
  return end >= DateTime.fromJSDate(from, { zone: timezone }).plus({ months });
}
