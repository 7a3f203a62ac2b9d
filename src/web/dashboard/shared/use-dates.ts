import { useMemo } from 'react';
import { locale } from '../../ui/language';
import { useTimeZone } from '../session';

export interface Dates {
  /** `2 de mar. de 2026, 11:05` */
  readonly minute: (instant: string) => string;
  /** `2 de mar. de 2026` */
  readonly day: (instant: string) => string;
  /** In digits: `02/03/2026` */
  readonly digits: (instant: string) => string;
  /** Short form: `2 de mar., 11:05` */
  readonly short: (instant: string) => string;
  /** With seconds. */
  readonly second: (instant: string) => string;
  readonly timeZone: string;
}

const SHORT = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const;

/** Formats instants in the company's time zone, which the date filters also use. */
export function useDates(): Dates {
  const timeZone = useTimeZone();
  return useMemo(() => {
    const minutes = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
    const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
    const digits = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeZone });
    const shorts = new Intl.DateTimeFormat(locale, { ...SHORT, timeZone });
    const seconds = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium', timeZone });
    return {
      minute: (instant) => minutes.format(new Date(instant)),
      day: (instant) => days.format(new Date(instant)),
      digits: (instant) => digits.format(new Date(instant)),
      short: (instant) => shorts.format(new Date(instant)),
      second: (instant) => seconds.format(new Date(instant)),
      timeZone,
    };
  }, [timeZone]);
}
