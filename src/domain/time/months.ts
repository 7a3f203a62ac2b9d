import type { TimeRange } from './counter-range';
import { startOfMonth } from './local-time';
import { dateIn } from './timezone';

export interface CalendarMonth extends TimeRange {
  /** `YYYY-MM` */
  readonly month: string;
}

/** The month of an instant and the `count - 1` months before it in a time zone, oldest first. */
export function monthsUntil(timezone: string, at: Date, count: number): CalendarMonth[] {
  const today = dateIn(timezone, at);
  return Array.from({ length: count }, (_, index) => {
    const months = index + 1 - count;
    const from = startOfMonth(timezone, today, months);
    return {
      month: dateIn(timezone, from).slice(0, 'YYYY-MM'.length),
      from,
      to: startOfMonth(timezone, today, months + 1),
    };
  });
}
