/** The period of one counter, in UTC. */
type CounterGrain = 'hour' | 'day' | 'month';

/** From `from` (inclusive) to `to` (exclusive). */
export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

/** A range covered by whole counters of one grain. A `raw` range is shorter than an hour: its rows are counted directly. */
export interface CounterRange extends TimeRange {
  readonly grain: CounterGrain | 'raw';
}

const HOUR_MS = 3_600_000;

/** `floor`: the latest counter start that is not after `at`. `next`: the start of the following counter. */
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
 * Covers a range with the fewest counters: whole months, whole days at both ends, then whole hours, then raw rests. The
 * result is in chronological order without gaps or overlaps.
 */
export function coverRange({ from, to }: TimeRange, steps = STEPS): CounterRange[] {
  if (from >= to) return [];
  const [step, ...finer] = steps;
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

/** The hour of an instant and the `count - 1` hours before it. */
export function lastHours(count: number, at: Date): TimeRange {
  const to = new Date((Math.floor(at.getTime() / HOUR_MS) + 1) * HOUR_MS);
  return { from: new Date(to.getTime() - count * HOUR_MS), to };
}

/** Covers a range with whole hours and raw rests at both ends. */
export function coverInHours(range: TimeRange): CounterRange[] {
  return coverRange(
    range,
    STEPS.filter(({ grain }) => grain === 'hour'),
  );
}
