import { PAYMENT_KINDS, type PaymentKind } from '../support/load-process';
import { spreadOf, type Spread } from '../support/statistics';
import type { Writes } from '../support/write-counter';
import { HEADLINE_CONCURRENCY, Summary, type BenchResults } from './summary';

/** The costs and latencies of one kind of payment. */
export interface KindFigures {
  /** CPU at the headline concurrency relative to the total of T in the same round: of all processes, and of each. */
  readonly cpuOfT: Readonly<Record<CpuShare, Spread>>;
  readonly perSecond: Spread;
  /** At the steady rate, until the first response. */
  readonly response: StepLatency;
  /** At the steady rate, of the second step; null for a payment that has none. */
  readonly followUp: StepLatency | null;
  readonly historyEvents: number;
  readonly writes: Writes;
}

interface StepLatency {
  readonly p50Ms: Spread;
  readonly p95Ms: Spread;
}

export const CPU_SHARES = ['all', 'api', 'worker', 'temporal', 'postgres'] as const;
export type CpuShare = (typeof CPU_SHARES)[number];

export function kindsFigures(results: BenchResults): Record<PaymentKind, KindFigures> {
  const figures = PAYMENT_KINDS.map((kind) => [kind, figuresOf(kind, results)]);
  return Object.fromEntries(figures) as Record<PaymentKind, KindFigures>;
}

function figuresOf(kind: PaymentKind, results: BenchResults): KindFigures {
  const summary = new Summary(results);
  const steady = summary.open(kind, 'steady');
  const followUps = steady.flatMap(({ followUp }) => (followUp === null ? [] : [followUp]));
  const share = (name: CpuShare): [CpuShare, Spread] => [
    name,
    summary.cpuRatio(kind, HEADLINE_CONCURRENCY, name === 'all' ? undefined : name),
  ];
  return {
    cpuOfT: Object.fromEntries(CPU_SHARES.map(share)) as Record<CpuShare, Spread>,
    perSecond: spreadOf(summary.closed(kind, HEADLINE_CONCURRENCY).map(({ perSecond }) => perSecond)),
    response: latencyOf(steady),
    followUp: followUps.length === 0 ? null : latencyOf(followUps),
    historyEvents: results.historyEvents[kind],
    writes: results.writes[kind],
  };
}

function latencyOf(rounds: ReadonlyArray<{ readonly p50Ms: number; readonly p95Ms: number }>): StepLatency {
  return {
    p50Ms: spreadOf(rounds.map(({ p50Ms }) => p50Ms)),
    p95Ms: spreadOf(rounds.map(({ p95Ms }) => p95Ms)),
  };
}
