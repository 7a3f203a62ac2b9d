import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../../src/dev/wait-until';
import type { LoadProcess } from '../support/load-process';
import type { BenchStack } from '../support/bench-stack';
import { percentile } from '../support/statistics';
import {
  SELECT_RECORDED_PAYMENTS,
  compareWithLedger,
  readLedger,
  type RecordedPayment,
} from '../../support/scenarios/reconciliation';

/** The rate of one-off payments: far below the service's capacity, so that the effect of the billing is visible. */
const STEADY_PER_SECOND = 4;
const ROUND_MS = 15_000;
/** Before the billing, and as many after it: a round's p99 depends on one of its slowest payments. */
const ROUNDS_ALONE = 5;
/** The assumed rate at which the sweeper signals the subscriptions whose trial was shortened; all must be signalled before they are due. */
const SWEEPS_PER_SECOND = 25;
const SETTLED_WITHIN_MS = 900_000;

export interface Billing {
  readonly due: number;
  /** From the time they are due until the last one is paid. */
  readonly drainSeconds: number;
  /** The p99 of one-off payments in ms, for each round. */
  readonly alone: readonly number[];
  readonly during: readonly number[];
  readonly violations: readonly string[];
}

/** Waits until the workflow of each subscription sleeps until the end of its trial. */
export async function waitUntilIdle(stack: BenchStack): Promise<void> {
  const busy = `SELECT count(*)::int AS busy FROM subscriptions WHERE recover_after < now() + interval '1 hour'`;
  const isQuiet = async (): Promise<boolean> => (await stack.query<{ busy: number }>(busy))[0]?.busy === 0;
  await waitUntil('every subscription to be idle', SETTLED_WITHIN_MS, isQuiet, 500);
}

/** Makes `due` subscriptions due at the same time, during a steady load of one-off payments. */
export async function billConcurrently(stack: BenchStack, card: LoadProcess, due: number): Promise<Billing> {
  const alone: number[] = [];
  const measureAlone = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS_ALONE; round += 1) alone.push(await oneOffP99(card));
  };
  await measureAlone();
  const leadMs = await moveTrialEnd(stack, due);
  console.log(`${due} subscriptions are due in ${Math.round(leadMs / 1_000)} s ...`);
  await delay(leadMs);
  const startedAt = performance.now();
  const during: number[] = [];
  while ((await unpaid(stack)) > 0) during.push(await oneOffP99(card));
  const drainSeconds = (performance.now() - startedAt) / 1_000;
  await measureAlone();
  return { due, drainSeconds, alone, during, violations: await verifyBilling(stack, due) };
}

async function oneOffP99(card: LoadProcess): Promise<number> {
  const load = { kind: 'open', perSecond: STEADY_PER_SECOND, forMs: ROUND_MS } as const;
  return percentile((await card.run(load)).latenciesMs, 99);
}

/** Ends their trials at the same time, in as many ms as it returns; until then the sweeper signals each workflow to read its row again. */
export async function moveTrialEnd(stack: BenchStack, count: number): Promise<number> {
  const leadMs = (count / SWEEPS_PER_SECOND) * 1_000 + 10_000;
  const at = `now() + interval '${Math.round(leadMs)} milliseconds'`;
  await stack.query(
    `UPDATE subscriptions SET trial_end = ${at}, period_end = ${at}, starts_at = ${at}, due_at = ${at},
            trial_ending_notified = true, card_expiring_notified = true, recover_after = now()
      WHERE id IN (SELECT id FROM subscriptions WHERE status = 'trialing' ORDER BY id LIMIT ${count})`,
  );
  return leadMs;
}

/** The number of due subscriptions that are not paid. */
export async function unpaid(stack: BenchStack): Promise<number> {
  const [row] = await stack.query<{ unpaid: number }>(
    `SELECT count(*)::int AS unpaid FROM subscriptions WHERE trial_ending_notified AND status <> 'active'`,
  );
  return row?.unpaid ?? 0;
}

/** Each was charged once, also in the gateway's ledger. */
export async function verifyBilling(stack: BenchStack, due: number): Promise<string[]> {
  const [row] = await stack.query<{ charged: number; most: number }>(
    `SELECT count(*)::int AS charged, max(payments)::int AS most FROM (
       SELECT count(*) AS payments FROM payments WHERE billing_cycle_id IS NOT NULL GROUP BY billing_cycle_id) AS cycles`,
  );
  const { charged = 0, most = 0 } = row ?? {};
  const payments = await stack.query<RecordedPayment>(SELECT_RECORDED_PAYMENTS);
  return [
    ...(charged === due ? [] : [`${charged} cycles were charged, ${due} were due`]),
    ...(most === 1 ? [] : [`a cycle was charged ${most} times`]),
    ...compareWithLedger('database', payments, await readLedger(stack.simulatorUrl)),
  ];
}
