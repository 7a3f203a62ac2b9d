import type { CpuUse } from './cpu';
import type { Measurement, SubjectName } from './measure';
import { spreadOf, type Spread } from './statistics';

/** What one run of the benchmark found. */
export interface BenchResults {
  readonly commit: string;
  readonly machine: string;
  readonly temporal: string;
  readonly postgres: string;
  readonly quick: boolean;
  readonly elapsedSeconds: number;
  /** In rounds: the same loads on each subject, one after the other, again and again. */
  readonly measurements: readonly Measurement[];
  readonly historyEvents: Readonly<Record<'engine' | 'T', number>>;
  readonly commitsPerPayment: number;
  readonly payments: number;
  /** Where ledger and database disagree; empty when all is well. */
  readonly violations: readonly string[];
}

/** The processes whose work a payment is. The simulator and the load generator stand for the world outside. */
export const COUNTED: Readonly<Record<SubjectName, readonly string[]>> = {
  engine: ['api', 'worker', 'temporal', 'postgres'],
  // A bare workflow has no API before it: its client starts it and waits for it, as the engine's API does.
  T: ['load', 'bare worker', 'temporal', 'postgres'],
  F: ['floor', 'postgres'],
};

export const totalCpuMs = ({ subject, cpuMs }: Measurement): number =>
  COUNTED[subject].reduce((total, name) => total + (cpuMs[name] ?? 0), 0);

export class Summary {
  constructor(private readonly results: Pick<BenchResults, 'measurements'>) {}

  closed(subject: SubjectName, concurrency: number): Measurement[] {
    return this.results.measurements.filter(
      ({ subject: name, load }) =>
        name === subject && load.kind === 'closed' && load.concurrency === concurrency,
    );
  }

  open(subject: SubjectName, which: 'steady' | 'loaded'): Measurement[] {
    return this.results.measurements.filter(
      ({ subject: name, load }) =>
        name === subject &&
        load.kind === 'open' &&
        (load.perSecond === STEADY_PER_SECOND) === (which === 'steady'),
    );
  }

  /** The median rate at the concurrency where it is highest. */
  kneePerSecond(subject: SubjectName): number {
    return Math.max(...CONCURRENCIES.map((c) => spreadOf(perSecond(this.closed(subject, c))).median));
  }

  cpuMs(subject: SubjectName, concurrency: number, process: string): Spread {
    return spreadOf(
      this.closed(subject, concurrency).map(({ cpuMs }: { cpuMs: CpuUse }) => cpuMs[process] ?? 0),
    );
  }

  totalCpuMs(subject: SubjectName, concurrency: number): Spread {
    return spreadOf(this.closed(subject, concurrency).map(totalCpuMs));
  }

  /** Of each round, so that what slows the machine for a while slows both. */
  cpuRatio(concurrency: number): Spread {
    return ratios(this.closed('engine', concurrency), this.closed('T', concurrency), totalCpuMs);
  }

  rateRatio(to: 'T' | 'F', concurrency: number): Spread {
    return ratios(this.closed('engine', concurrency), this.closed(to, concurrency), (m) => m.perSecond);
  }
}

export const CONCURRENCIES = [1, 16, 64];
export const STEADY_PER_SECOND = 10;
/** Where the headline figures are taken: busy, and not queueing. */
export const HEADLINE_CONCURRENCY = 16;

export const perSecond = (measurements: readonly Measurement[]): number[] =>
  measurements.map((measurement) => measurement.perSecond);

function ratios(
  ours: readonly Measurement[],
  theirs: readonly Measurement[],
  figure: (measurement: Measurement) => number,
): Spread {
  return spreadOf(
    ours.flatMap((measurement, round) => {
      const other = theirs[round];
      return other === undefined ? [] : [figure(measurement) / figure(other)];
    }),
  );
}
