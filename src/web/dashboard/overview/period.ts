import { dateOf, omitUndefined, wholeNumberOf, type RawSearch } from '../shared/search-params';

export const DAY_COUNTS = [7, 30, 90] as const;
export type DayCount = (typeof DAY_COUNTS)[number];

/** The last N days, or a custom range. */
export interface Period {
  readonly days?: DayCount;
  readonly from?: string;
  readonly to?: string;
}

const DEFAULT_DAYS: DayCount = 30;

export function periodOf(search: RawSearch): Period {
  const [from, to] = [dateOf(search, 'from'), dateOf(search, 'to')];
  if (from !== undefined && to !== undefined) return { from, to };
  const days = DAY_COUNTS.find((count) => count === wholeNumberOf(search, 'days'));
  return omitUndefined({ days: days === DEFAULT_DAYS ? undefined : days });
}

/** The API's own default, which `boot.ts` requests. */
export function isDefault({ days, from }: Period): boolean {
  return from === undefined && (days ?? DEFAULT_DAYS) === DEFAULT_DAYS;
}

export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Days in the company's time zone. */
export function daysOf({ days = DEFAULT_DAYS, from, to }: Period, timeZone: string, now: Date): Days {
  if (from !== undefined && to !== undefined) return { from, to };
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(now);
  const first = new Date(`${today}T00:00:00Z`);
  first.setUTCDate(first.getUTCDate() - days + 1);
  return { from: first.toISOString().slice(0, 10), to: today };
}
