import type { CpuUse } from '../support/cpu';
import type { PaymentKind } from '../support/load-process';
import type { Measurement, SubjectName } from './measure';
import { usableRounds } from '../support/neighbours';
import { spreadOf, type Spread } from '../support/statistics';
import type { Load } from '../support/load';
import type { Writes } from '../support/write-counter';
import type { RunEnvironment } from '../support/run-environment';

/** The results of one run. */
export interface BenchResults extends RunEnvironment {
  readonly quick: boolean;
  readonly elapsedSeconds: number;
  /** In rounds: each round applies the same loads to all subjects in turn. */
  readonly measurements: readonly Measurement[];
  readonly historyEvents: Readonly<Record<PaymentKind | 'T', number>>;
  readonly writes: Readonly<Record<PaymentKind, Writes>>;
  /** The number of payments of all kinds. */
  readonly payments: number;
  /** Differences between ledger and database. */
  readonly violations: readonly string[];
}

const ENGINE = ['api', 'worker', 'temporal', 'postgres'];

/** The processes whose CPU counts. The simulator and the load generator are not part of the service. */
export const COUNTED: Readonly<Record<SubjectName, readonly string[]>> = {
  card: ENGINE,
  pix: ENGINE,
  capture: ENGINE,
  // The load generator counts for T, since it starts the workflow and waits for it, as the API does for a payment.
  T: ['load', 'bare worker', 'temporal', 'postgres'],
  F: ['baseline service', 'postgres'],
};

export const totalCpuMs = ({ subject, cpuMs }: Measurement): number =>
  COUNTED[subject].reduce((total, name) => total + (cpuMs[name] ?? 0), 0);

export class Summary {
  constructor(private readonly results: Pick<BenchResults, 'measurements'>) {}

  closed(subject: SubjectName, concurrency: number): Measurement[] {
    return this.usable(subject, ({ load }) => isClosed(load, concurrency));
  }

  open(subject: SubjectName, which: 'steady' | 'loaded'): Measurement[] {
    const rounds = this.usable(subject, ({ load }) => load.kind === 'open');
    return rounds.filter(
      ({ load: l }) => l.kind === 'open' && (l.perSecond === STEADY_PER_SECOND) === (which === 'steady'),
    );
  }

  /** The share of other processes in each round: the largest while one of the subjects was measured. */
  neighbours(ofRounds: (measurement: Measurement) => boolean): number[] {
    const shares: number[] = [];
    for (const measurement of this.results.measurements.filter(ofRounds)) {
      const { round, neighbours } = measurement;
      shares[round] = Math.max(shares[round] ?? 0, neighbours);
    }
    return shares;
  }

  /** The subject's measurements, without those of the rounds that are left out for all subjects. */
  private usable(subject: SubjectName, ofRounds: (measurement: Measurement) => boolean): Measurement[] {
    const rounds = new Set(usableRounds(this.neighbours(ofRounds)));
    return this.results.measurements.filter(
      (measurement) =>
        measurement.subject === subject && ofRounds(measurement) && rounds.has(measurement.round),
    );
  }

  /** The median throughput at the concurrency where it is highest. */
  peakPerSecond(subject: SubjectName): number {
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

  /** The CPU per payment, of all processes or of one, relative to the total of T in the same round. */
  cpuRatio(kind: PaymentKind, concurrency: number, process?: string): Spread {
    const used = (m: Measurement): number =>
      process === undefined ? totalCpuMs(m) : (m.cpuMs[process] ?? 0);
    return ratios(this.closed(kind, concurrency).map(used), this.closed('T', concurrency).map(totalCpuMs));
  }

  /** The median latency at the steady rate, relative to that of T in the same round. */
  steadyP50ToT(): Spread {
    const p50 = (subject: SubjectName): number[] => this.open(subject, 'steady').map(({ p50Ms }) => p50Ms);
    return ratios(p50('card'), p50('T'));
  }

  rateRatio(to: 'T' | 'F', concurrency: number): Spread {
    return ratios(perSecond(this.closed('card', concurrency)), perSecond(this.closed(to, concurrency)));
  }
}

export const CONCURRENCIES = [1, 16, 64];
export const STEADY_PER_SECOND = 10;
/** The concurrency of the headline figures: the service is busy, without queueing. */
export const HEADLINE_CONCURRENCY = 16;

export const isClosed = (load: Load, concurrency: number): boolean =>
  load.kind === 'closed' && load.concurrency === concurrency;

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
