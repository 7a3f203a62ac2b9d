import type { TimeRange } from './counter-range';
import { startOfDay } from './local-time';

/** The bounds of open ranges; every payment lies between them. */
const BEGINNING = new Date('1970-01-01T00:00:00Z');
const END = new Date('9999-01-01T00:00:00Z');

/** The time range of the days from `first` to `last` (YYYY-MM-DD, inclusive) in a time zone. An undefined day leaves that side open. */
export function daysIn(timezone: string, first: string | undefined, last: string | undefined): TimeRange {
  return {
    from: first === undefined ? BEGINNING : clampToRange(startOfDay(timezone, first)),
    to: last === undefined ? END : clampToRange(startOfDay(timezone, last, 1)),
  };
}

function clampToRange(instant: Date): Date {
  if (instant < BEGINNING) return BEGINNING;
  return instant > END ? END : instant;
}
