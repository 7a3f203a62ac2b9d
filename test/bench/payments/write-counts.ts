import { setTimeout as delay } from 'node:timers/promises';
import { PAYMENT_KINDS, type PaymentKind } from '../support/load-process';
import { NO_WRITES, WriteCounter, writesPerCall, type Writes } from '../support/write-counter';
import type { Meter, BenchSubject } from './measure';
import type { BenchStack } from '../support/bench-stack';
import { HEADLINE_CONCURRENCY } from './summary';

const IDLE_MS = 4_000;
const HISTORIES = 20;

/**
 * The mean numbers of Postgres commits and statements per payment of each kind. No other load runs meanwhile, and what the
 * sweeper makes in the same time is subtracted.
 */
export async function countWrites(
  stack: BenchStack,
  meter: Meter,
  subjects: readonly BenchSubject[],
  payments: number,
): Promise<Record<PaymentKind, Writes>> {
  console.log('Counting statements and commits ...');
  const counter = new WriteCounter(stack);
  await counter.sinceLast();
  await delay(IDLE_MS);
  const idle = await counter.sinceLast();
  const counts: Record<PaymentKind, Writes> = { card: NO_WRITES, pix: NO_WRITES, capture: NO_WRITES };
  for (const kind of PAYMENT_KINDS) {
    const subject = subjects.find(({ name }) => name === kind);
    if (subject === undefined) continue;
    const load = { kind: 'counted', concurrency: HEADLINE_CONCURRENCY, count: payments } as const;
    const count = await meter.runUnmeasured(subject, load);
    counts[kind] = writesPerCall(await counter.sinceLast(), idle, count);
  }
  return counts;
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
