import { DateTime } from 'luxon';
import type { TimeRange } from './counter-range';
import { daysIn } from './day-range';
import { validationError } from '../shared/errors';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
/** No payment is older, and luxon writes years before 0 in a form that is no date of ours. */
const FIRST_YEAR = 1970;

export interface DashboardDay extends TimeRange {
  /** `YYYY-MM-DD` */
  readonly date: string;
}

/**
 * The days of a dashboard in the company's time zone: the requested days (`YYYY-MM-DD`, inclusive) or the last 30.
 * Throws 422 if they are in the wrong order, more than 366, or before 1970.
 */
export function dashboardDays(
  requested: { readonly from?: string | undefined; readonly to?: string | undefined },
  timezone: string,
  now: Date,
): DashboardDay[] {
  const today = DateTime.fromJSDate(now, { zone: timezone }).toISODate() ?? '';
  const last = date(requested.to ?? today);
  const first = requested.from === undefined ? last.minus({ days: DEFAULT_DAYS - 1 }) : date(requested.from);
  if (first.year < FIRST_YEAR) {
    const field = requested.from === undefined ? 'to' : 'from';
    throw validationError({ [field]: [`must be in ${FIRST_YEAR} or later`] });
  }
  const count = last.diff(first, 'days').days + 1;
  if (count < 1) throw validationError({ from: ['must not be after to'] });
  if (count > MAX_DAYS) throw validationError({ from: [`must be at most ${MAX_DAYS} days up to to`] });
  return Array.from({ length: count }, (_, index) => {
    const day = first.plus({ days: index }).toISODate() ?? '';
    return { date: day, ...daysIn(timezone, day, day) };
  });
}

/** The period of the same length that ends the day before the first of `days`. @throws if there is no day */
export function previousPeriod(
  days: readonly DashboardDay[],
  timezone: string,
): TimeRange & { readonly firstDate: string; readonly lastDate: string } {
  const [first] = days;
  if (first === undefined) throw new Error('a period has at least one day');
  const dayBefore = (count: number): string => date(first.date).minus({ days: count }).toISODate() ?? '';
  const [firstDate, lastDate] = [dayBefore(days.length), dayBefore(1)];
  return { firstDate, lastDate, ...daysIn(timezone, firstDate, lastDate) };
}

/** Calendar arithmetic uses UTC, where every day has 24 hours. */
function date(day: string): DateTime {
  return DateTime.fromISO(day, { zone: 'utc' });
}
