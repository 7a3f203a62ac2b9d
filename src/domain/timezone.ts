import { DateTime } from 'luxon';

/** The calendar day of an instant in a zone, Y-m-d. */
export function dateIn(timezone: string, instant: Date): string {
  return DateTime.fromJSDate(instant, { zone: timezone }).toFormat('yyyy-MM-dd');
}

/** Brazil's official time, which banks go by. */
export const BRASILIA = 'America/Sao_Paulo';
