import { DateTime } from 'luxon';
import type { TimeRange } from './counter-range';

/** No payment is older, and none will be younger: where a range is open, it ends here. */
const BEGINNING = new Date('1970-01-01T00:00:00Z');
const END = new Date('9999-01-01T00:00:00Z');

/** The instants of the days from `first` to `last` (Y-m-d, inclusive) in a zone; without one it is open on that side. */
export function daysIn(timezone: string, first: string | undefined, last: string | undefined): TimeRange {
  const startOf = (day: string, later: number): Date =>
    DateTime.fromISO(day, { zone: timezone }).plus({ days: later }).startOf('day').toJSDate();
  return {
    from: first === undefined ? BEGINNING : within(startOf(first, 0)),
    to: last === undefined ? END : within(startOf(last, 1)),
  };
}

function within(instant: Date): Date {
  if (instant < BEGINNING) return BEGINNING;
  return instant > END ? END : instant;
}
