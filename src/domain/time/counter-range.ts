/** What one counter counts: an hour, a day or a month, in UTC. */
type CounterGrain = 'hour' | 'day' | 'month';

/** Instants from `from`, before `to`. */
export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

/** A range that whole counters of one grain make up; `raw` is shorter than an hour, and what is in it is counted itself. */
export interface CounterRange extends TimeRange {
  readonly grain: CounterGrain | 'raw';
}

const HOUR_MS = 3_600_000;

/** The last start of a counter that is not after `at`, and the one that follows it. */
const STEPS: ReadonlyArray<{
  readonly grain: CounterGrain;
  readonly floor: (at: Date) => Date;
  readonly next: (start: Date) => Date;
}> = [
  {
    grain: 'month',
    floor: (at) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth())),
    next: (start) => new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)),
  },
  {
    grain: 'day',
    floor: (at) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate())),
    next: (start) => new Date(start.getTime() + 24 * HOUR_MS),
  },
  {
    grain: 'hour',
    floor: (at) => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS),
    next: (start) => new Date(start.getTime() + HOUR_MS),
  },
];

/**
 * The fewest counters that make up a range: whole months, then whole days at its ends, then whole hours, and what is
 * left. In order of time, without gaps or overlaps.
 */
export function coverRange({ from, to }: TimeRange, finest = STEPS): CounterRange[] {
  if (from >= to) return [];
  const [step, ...finer] = finest;
  if (step === undefined) return [{ grain: 'raw', from, to }];
  const start = step.floor(from);
  const first = start < from ? step.next(start) : start;
  const last = step.floor(to);
  if (first >= last) return coverRange({ from, to }, finer);
  return [
    ...coverRange({ from, to: first }, finer),
    { grain: step.grain, from: first, to: last },
    ...coverRange({ from: last, to }, finer),
  ];
}

/** The whole hours of a range, and what is left at its ends. */
export function coverInHours(range: TimeRange): CounterRange[] {
  return coverRange(
    range,
    STEPS.filter(({ grain }) => grain === 'hour'),
  );
}
