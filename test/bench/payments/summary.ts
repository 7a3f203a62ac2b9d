import type { CpuUse } from '../support/cpu';
import type { PaymentKind } from '../support/load-process';
import type { Measurement, SubjectName } from './measure';
import { spreadOf, type Spread } from '../support/statistics';
import type { Surroundings } from '../support/surroundings';

/** What one run of the benchmark found. */
export interface BenchResults extends Surroundings {
  readonly quick: boolean;
  readonly elapsedSeconds: number;
  /** In rounds: the same loads on each subject, one after the other, again and again. */
  readonly measurements: readonly Measurement[];
  readonly historyEvents: Readonly<Record<PaymentKind | 'T', number>>;
  readonly commits: Readonly<Record<PaymentKind, number>>;
  /** Of all kinds. */
  readonly payments: number;
  /** Where ledger and database disagree; empty when all is well. */
  readonly violations: readonly string[];
}

const ENGINE = ['api', 'worker', 'temporal', 'postgres'];

/** The processes whose work a payment is. The simulator and the load generator stand for the world outside. */
export const COUNTED: Readonly<Record<SubjectName, readonly string[]>> = {
  card: ENGINE,
  pix: ENGINE,
  capture: ENGINE,
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

  /** Of a payment, or of one process for it, to all of T. Of each round: what slows the machine for a while slows both. */
  cpuRatio(kind: PaymentKind, concurrency: number, process?: string): Spread {
    const used = (m: Measurement): number =>
      process === undefined ? totalCpuMs(m) : (m.cpuMs[process] ?? 0);
    return ratios(this.closed(kind, concurrency).map(used), this.closed('T', concurrency).map(totalCpuMs));
  }

  rateRatio(to: 'T' | 'F', concurrency: number): Spread {
    return ratios(perSecond(this.closed('card', concurrency)), perSecond(this.closed(to, concurrency)));
  }
}

export const CONCURRENCIES = [1, 16, 64];
export const STEADY_PER_SECOND = 10;
/** Where the headline figures are taken: busy, and not queueing. */
export const HEADLINE_CONCURRENCY = 16;

export const perSecond = (measurements: readonly Measurement[]): number[] =>
  measurements.map((measurement) => measurement.perSecond);

function ratios(ours: readonly number[], theirs: readonly number[]): Spread {
  return spreadOf(
    ours.flatMap((figure, round) => {
      const other = theirs[round];
      return other === undefined ? [] : [figure / other];
    }),
  );
}
