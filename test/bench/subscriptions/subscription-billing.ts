import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../../src/dev/wait-until';
import type { LoadProcess } from '../support/load-process';
import type { BenchStack } from '../support/stack';
import { percentile } from '../support/statistics';
import { BOOKED_PAYMENTS, disagreements, readLedger, type BookedPayment } from '../support/reconciliation';

/** One-off payments beside the billing: far from what the service can do, so that what is added shows. */
const STEADY_PER_SECOND = 4;
const ROUND_MS = 15_000;
/** Before, and as many after: a round's p99 is one of its slowest payments, and few of them say little. */
const ROUNDS_ALONE = 5;
/** Enough for sweepers to wake every subscription whose trial was cut short, before it is due. */
const WAKES_PER_SECOND = 25;
const SETTLED_WITHIN_MS = 900_000;

export interface Billing {
  readonly due: number;
  /** From the minute in which they are due until the last one is paid. */
  readonly drainSeconds: number;
  /** One-off payments' p99, ms, of each round. */
  readonly alone: readonly number[];
  readonly beside: readonly number[];
  readonly violations: readonly string[];
}

/** Until the workflow of each has looked at it, and waits for the end of its trial. */
export async function untilAllWait(stack: BenchStack): Promise<void> {
  const busy = `SELECT count(*)::int AS busy FROM subscriptions WHERE recover_after < now() + interval '1 hour'`;
  const isQuiet = async (): Promise<boolean> => (await stack.query<{ busy: number }>(busy))[0]?.busy === 0;
  await waitUntil('every subscription to wait', SETTLED_WITHIN_MS, isQuiet, 500);
}

/** So many subscriptions due at one instant, beside a steady load of one-off payments. */
export async function billTogether(stack: BenchStack, card: LoadProcess, due: number): Promise<Billing> {
  const alone: number[] = [];
  const standAlone = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS_ALONE; round += 1) alone.push(await oneOffP99(card));
  };
  await standAlone();
  const leadMs = (due / WAKES_PER_SECOND) * 1_000 + 10_000;
  await bringForward(stack, due, leadMs);
  console.log(`${due} are due in ${Math.round(leadMs / 1_000)} s ...`);
  await delay(leadMs);
  const startedAt = performance.now();
  const beside: number[] = [];
  while ((await unpaid(stack)) > 0) beside.push(await oneOffP99(card));
  const drainSeconds = (performance.now() - startedAt) / 1_000;
  await standAlone();
  return { due, drainSeconds, alone, beside, violations: await verify(stack, due) };
}

async function oneOffP99(card: LoadProcess): Promise<number> {
  const load = { kind: 'open', perSecond: STEADY_PER_SECOND, forMs: ROUND_MS } as const;
  return percentile((await card.run(load)).latenciesMs, 99);
}

/** Ends their trials at one instant; a sweeper has each look at its row again. */
async function bringForward(stack: BenchStack, count: number, leadMs: number): Promise<void> {
  const at = `now() + interval '${Math.round(leadMs)} milliseconds'`;
  await stack.query(
    `UPDATE subscriptions SET trial_end = ${at}, period_end = ${at}, starts_at = ${at}, due_at = ${at},
            trial_ending_notified = true, card_expiring_notified = true, recover_after = now()
      WHERE id IN (SELECT id FROM subscriptions WHERE status = 'trialing' ORDER BY id LIMIT ${count})`,
  );
}

async function unpaid(stack: BenchStack): Promise<number> {
  const [row] = await stack.query<{ unpaid: number }>(
    `SELECT count(*)::int AS unpaid FROM subscriptions WHERE trial_ending_notified AND status <> 'active'`,
  );
  return row?.unpaid ?? 0;
}

/** Each was charged once, by the gateway's own book. */
async function verify(stack: BenchStack, due: number): Promise<string[]> {
  const [row] = await stack.query<{ charged: number; most: number }>(
    `SELECT count(*)::int AS charged, max(payments)::int AS most FROM (
       SELECT count(*) AS payments FROM payments WHERE billing_cycle_id IS NOT NULL GROUP BY billing_cycle_id) AS cycles`,
  );
  const { charged = 0, most = 0 } = row ?? {};
  const payments = await stack.query<BookedPayment>(BOOKED_PAYMENTS);
  return [
    ...(charged === due ? [] : [`${charged} cycles were charged of ${due} that were due`]),
    ...(most === 1 ? [] : [`a cycle was charged ${most} times`]),
    ...disagreements('database', payments, await readLedger(stack.simulatorUrl)),
  ];
}
