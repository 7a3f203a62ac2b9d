import { setTimeout as delay } from 'node:timers/promises';
import { PAYMENT_KINDS, type PaymentKind } from '../support/load-process';
import type { Meter, BenchSubject } from './measure';
import type { BenchStack } from '../support/bench-stack';
import { HEADLINE_CONCURRENCY } from './summary';

/** A Postgres session reports its commits after 10 s of idle time (`PGSTAT_IDLE_INTERVAL`), or every second while busy. */
const REPORTED_MS = 10_500;
const IDLE_MS = 4_000;
const HISTORIES = 20;

/**
 * The mean number of Postgres commits per payment of each kind. No other load runs meanwhile, and the commits that the
 * sweeper makes in the same time are subtracted.
 */
export async function countCommits(
  stack: BenchStack,
  meter: Meter,
  subjects: readonly BenchSubject[],
  payments: number,
): Promise<Record<PaymentKind, number>> {
  console.log('Counting commits ...');
  const counter = new CommitCounter(stack);
  await delay(REPORTED_MS);
  await counter.sinceLast();
  await delay(IDLE_MS);
  const idle = await counter.sinceLast();
  const counts: Record<PaymentKind, number> = { card: 0, pix: 0, capture: 0 };
  for (const kind of PAYMENT_KINDS) {
    const subject = subjects.find(({ name }) => name === kind);
    if (subject === undefined) continue;
    const load = { kind: 'counted', concurrency: HEADLINE_CONCURRENCY, count: payments } as const;
    const count = await meter.runUnmeasured(subject, load);
    await delay(REPORTED_MS);
    const { commits, elapsedMs } = await counter.sinceLast();
    counts[kind] = (commits - (idle.commits / idle.elapsedMs) * elapsedMs) / count;
  }
  return counts;
}

class CommitCounter {
  private last = { commits: 0, at: 0 };

  constructor(private readonly stack: BenchStack) {}

  async sinceLast(): Promise<{ commits: number; elapsedMs: number }> {
    const [row] = await this.stack.query<{ commits: number }>(
      'SELECT xact_commit::float8 AS commits FROM pg_stat_database WHERE datname = current_database()',
    );
    const now = { commits: row?.commits ?? 0, at: Date.now() };
    const { commits, at } = this.last;
    this.last = now;
    return { commits: now.commits - commits, elapsedMs: now.at - at };
  }
}

/** The mean number of history events of the last payments of each kind. */
export async function countHistoryEvents(
  stack: BenchStack,
  { ids }: Meter,
): Promise<Record<PaymentKind | 'T', number>> {
  const ofPayments = (kind: PaymentKind): Promise<number> =>
    meanEvents(
      stack,
      ids[kind].map((id) => `payment/${id}`),
    );
  const [card, pix, capture] = [
    await ofPayments('card'),
    await ofPayments('pix'),
    await ofPayments('capture'),
  ];
  return { card, pix, capture, T: await meanEvents(stack, ids.T) };
}

async function meanEvents(stack: BenchStack, workflowIds: readonly string[]): Promise<number> {
  const sample = workflowIds.slice(-HISTORIES);
  const lengths = await Promise.all(sample.map((id) => stack.temporal.historyEvents(id)));
  return lengths.reduce((sum, length) => sum + length, 0) / sample.length;
}
