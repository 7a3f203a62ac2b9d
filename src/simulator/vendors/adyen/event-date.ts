import { DateTime } from 'luxon';

/** `2021-01-01T01:00:00+01:00`. */
export function eventDate(at: string): string {
  return DateTime.fromISO(at, { zone: 'Europe/Amsterdam' }).toISO({ suppressMilliseconds: true }) ?? '';
}
