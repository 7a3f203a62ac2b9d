import { dateOf, present, wholeNumberOf, type RawSearch } from '../shared/search-params';

export const DAY_COUNTS = [7, 30, 90] as const;
export type DayCount = (typeof DAY_COUNTS)[number];

/** So many days until today, or from one day to another. */
export interface Period {
  readonly days?: DayCount;
  readonly from?: string;
  readonly to?: string;
}

const USUAL: DayCount = 30;

export function periodOf(search: RawSearch): Period {
  const [from, to] = [dateOf(search, 'from'), dateOf(search, 'to')];
  if (from !== undefined && to !== undefined) return { from, to };
  const days = DAY_COUNTS.find((count) => count === wholeNumberOf(search, 'days'));
  return present({ days: days === USUAL ? undefined : days });
}

export interface Days {
  readonly from: string;
  readonly to: string;
}

/** As the company counts days. */
export function daysOf({ days = USUAL, from, to }: Period, timeZone: string, now: Date): Days {
  if (from !== undefined && to !== undefined) return { from, to };
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(now);
  const first = new Date(`${today}T00:00:00Z`);
  first.setUTCDate(first.getUTCDate() - days + 1);
  return { from: first.toISOString().slice(0, 10), to: today };
}
