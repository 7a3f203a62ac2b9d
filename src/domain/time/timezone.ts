import { DateTime, IANAZone } from 'luxon';

/** The calendar day of an instant in a zone, Y-m-d. */
export function dateIn(timezone: string, instant: Date): string {
  return DateTime.fromJSDate(instant, { zone: timezone }).toFormat('yyyy-MM-dd');
}

/** Brazil's official time, which banks go by. */
export const BRASILIA = 'America/Sao_Paulo';

/** Begins with a letter: an offset such as `+03:00` is no zone, and means opposite things to different programs. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

/** Whether a text is the IANA name of a time zone. */
export function isTimezone(text: string): boolean {
  return ZONE_NAME.test(text) && IANAZone.isValidZone(text);
}
