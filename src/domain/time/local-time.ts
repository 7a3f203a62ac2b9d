import { DateTime } from 'luxon';

/** A calendar day, and optionally a time of day, without a time zone. Luxon fills missing parts with their first value. */
export interface LocalTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day?: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
  readonly millisecond?: number;
}

/**
 * The instant of a local time in a time zone: the next time that exists if daylight saving skips it, the first if it is
 * repeated. Luxon alone resolves a repeated time by the offset that the zone had when the process started.
 */
export function instantOf(timezone: string, local: LocalTime): Date {
  return firstOccurrence(DateTime.fromObject(local, { zone: timezone }));
}

/** The first instant of a calendar day (`YYYY-MM-DD`) that is `days` later, in a time zone. */
export function startOfDay(timezone: string, day: string, days = 0): Date {
  const { year, month, day: ofMonth } = DateTime.fromISO(day, { zone: 'utc' }).plus({ days });
  return instantOf(timezone, { year, month, day: ofMonth });
}

/** The first instant of the month of a day (`YYYY-MM-DD`), or of the month `months` later, in a time zone. */
export function startOfMonth(timezone: string, day: string, months = 0): Date {
  const { year, month } = DateTime.fromISO(day, { zone: 'utc' }).plus({ months });
  return instantOf(timezone, { year, month });
}

function firstOccurrence(local: DateTime): Date {
  return new Date(Math.min(...local.getPossibleOffsets().map((possible) => possible.toMillis())));
}
