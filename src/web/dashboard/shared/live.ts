import type { QueryStatus } from '@tanstack/react-query';

/** How often a page refreshes what it shows. Durations in ms. */
interface Pace {
  /** After a change. */
  readonly fromMs: number;
  /** When nothing has changed for long, or the API does not answer. */
  readonly toMs: number;
}

/** Something is under way: its result is expected within seconds. */
export const IN_PROGRESS: Pace = { fromMs: 2_000, toMs: 20_000 };
/** It waits for somebody, such as a customer who has a pix to pay. */
export const WAITING: Pace = { fromMs: 3_000, toMs: 30_000 };
/** Lists and figures, which change whenever customers pay. */
export const BROWSING: Pace = { fromMs: 10_000, toMs: 60_000 };
/** Nothing is expected, but a customer may still ask for a refund. */
export const SETTLED = false;

/** The interval grows to this part of the time since the last change. */
const SHARE_OF_QUIET_TIME = 0.1;

/** The part of TanStack Query's `Query` that is read here. */
interface LiveQuery<Data> {
  readonly state: { readonly data: Data | undefined; readonly status: QueryStatus };
}

interface LastChange {
  readonly data: unknown;
  readonly at: number;
}

/** TanStack Query keeps the same object while an answer repeats the one before. */
const lastChanges = new WeakMap<object, LastChange>();

/**
 * The `refetchInterval` of a query that refreshes while it is looked at: fast after a change, slower the longer nothing
 * changes, not at all once `paceOf` returns `SETTLED`. TanStack Query pauses it while the tab is hidden and refreshes when
 * the tab is shown again.
 */
export function liveInterval<Data>(paceOf: (data: Data) => Pace | false) {
  return (query: LiveQuery<Data>): number | false => {
    const { data, status } = query.state;
    if (data === undefined) return false;
    const pace = paceOf(data);
    if (pace === false) return false;
    if (status === 'error') return pace.toMs;
    return intervalAfter(pace, quietTimeOf(query, data));
  };
}

/** Between the pace's bounds: a tenth of the time since the last change. */
export function intervalAfter({ fromMs, toMs }: Pace, quietMs: number): number {
  return Math.min(toMs, Math.max(fromMs, Math.round(quietMs * SHARE_OF_QUIET_TIME)));
}

/** For how long the query has shown the same data, in ms. */
function quietTimeOf(query: object, data: unknown): number {
  const now = Date.now();
  const last = lastChanges.get(query);
  if (last !== undefined && last.data === data) return now - last.at;
  lastChanges.set(query, { data, at: now });
  return 0;
}
