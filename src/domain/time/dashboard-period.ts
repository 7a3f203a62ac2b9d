import { DateTime } from 'luxon';
import type { TimeRange } from './counter-range';
import { daysIn } from './day-range';
import { validationError } from '../shared/errors';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

export interface DashboardDay extends TimeRange {
  /** `YYYY-MM-DD` */
  readonly date: string;
}

/**
 * The days a dashboard shows, in a company's zone, at least one: those asked for (`YYYY-MM-DD`, inclusive), or the last
 * 30. Throws 422 when they are in the wrong order or more than 366.
 */
export function dashboardDays(
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  timezone: string,
  now: Date,
): DashboardDay[] {
  const today = DateTime.fromJSDate(now, { zone: timezone }).toISODate() ?? '';
  const last = date(asked.to ?? today);
  const first = asked.from === undefined ? last.minus({ days: DEFAULT_DAYS - 1 }) : date(asked.from);
  const count = last.diff(first, 'days').days + 1;
  if (count < 1) throw validationError({ from: ['must not be after to'] });
  if (count > MAX_DAYS) throw validationError({ from: [`must be at most ${MAX_DAYS} days up to to`] });
  return Array.from({ length: count }, (_, index) => {
    const day = first.plus({ days: index }).toISODate() ?? '';
    return { date: day, ...daysIn(timezone, day, day) };
  });
}

/** Days have no zone of their own: in UTC each is as long as the next. */
function date(day: string): DateTime {
  return DateTime.fromISO(day, { zone: 'utc' });
}
