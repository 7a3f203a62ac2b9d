import { percentile } from '../support/statistics';
import { table } from '../support/table';

/** Resident memory in MiB after a number of payments, by process. */
export interface MemorySample {
  readonly payments: number;
  readonly mib: Readonly<Record<string, number>>;
}

export interface MemoryLimit {
  readonly process: string;
  readonly belowMib: number;
}

export interface MemoryEvaluation extends MemoryLimit {
  /** The highest sample. */
  readonly peakMib: number;
  readonly halfwayMib: number;
  readonly endMib: number;
  readonly ok: boolean;
}

/**
 * The allowed growth, as a share, between half of the payments and all of them. Compared are the medians of the last
 * fifth before each of the two points. Garbage collection alone varies memory by this much; a leak of 1 KiB per payment
 * adds 5 MiB over the second half of every run.
 */
export const GROWTH_TOLERANCE = 0.05;

export function evaluateMemory(limit: MemoryLimit, samples: readonly MemorySample[]): MemoryEvaluation {
  const total = samples.at(-1)?.payments ?? 0;
  const peakMib = Math.max(...samples.map(({ mib }) => mib[limit.process] ?? 0));
  const halfwayMib = before(total / 2, limit.process, samples);
  const endMib = before(total, limit.process, samples);
  const ok = peakMib < limit.belowMib && endMib <= halfwayMib * (1 + GROWTH_TOLERANCE);
  return { ...limit, peakMib, halfwayMib, endMib, ok };
}

function before(payments: number, process: string, samples: readonly MemorySample[]): number {
  const total = samples.at(-1)?.payments ?? 0;
  const near = samples.filter(
    (sample) => sample.payments <= payments && sample.payments > payments - total / 10,
  );
  return percentile(
    near.map(({ mib }) => mib[process] ?? 0),
    50,
  );
}

export function renderMemory(
  samples: readonly MemorySample[],
  evaluations: readonly MemoryEvaluation[],
): string {
  const shown = samples.filter(({ payments }) => payments % 1_000 === 0);
  const mib = (value: number): string => value.toFixed(0);
  const total = samples.at(-1)?.payments ?? 0;
  return [
    ...table([
      ['resident MiB after payments', ...evaluations.map(({ process }) => process)],
      ...shown.map((sample) => [
        String(sample.payments),
        ...evaluations.map(({ process }) => mib(sample.mib[process] ?? 0)),
      ]),
    ]),
    '',
    ...table([
      ['process', 'peak', 'limit', `around ${total / 2}`, `around ${total}`, 'growth', 'result'],
      ...evaluations.map(({ process, peakMib, belowMib, halfwayMib, endMib, ok }) => [
        process,
        mib(peakMib),
        mib(belowMib),
        mib(halfwayMib),
        mib(endMib),
        `${((endMib / halfwayMib - 1) * 100).toFixed(1)}% of ${GROWTH_TOLERANCE * 100}%`,
        ok ? 'ok' : 'EXCEEDED',
      ]),
    ]),
  ].join('\n');
}
