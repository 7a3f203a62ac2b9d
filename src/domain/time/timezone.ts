import { DateTime, IANAZone } from 'luxon';

/** The calendar day of an instant in a time zone, YYYY-MM-DD. */
export function dateIn(timezone: string, instant: Date): string {
  return DateTime.fromJSDate(instant, { zone: timezone }).toFormat('yyyy-MM-dd');
}

/** Brazil's official time, which banks use. */
export const BRASILIA = 'America/Sao_Paulo';

/** Excludes offsets such as `+03:00`, whose sign different programs interpret differently. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

/** Whether the text is an IANA time zone name. */
export function isTimezone(text: string): boolean {
  return ZONE_NAME.test(text) && IANAZone.isValidZone(text);
}
