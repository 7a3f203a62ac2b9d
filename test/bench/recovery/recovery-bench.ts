import { setTimeout as delay } from 'node:timers/promises';
import {
  readLedger,
  SELECT_RECORDED_PAYMENTS,
  verifyApproved,
  type RecordedPayment,
} from '../../support/scenarios/reconciliation';
import { Merchant, transactionIdOf } from '../../support/merchant/merchant';
import type { BenchPart } from '../figures/figures';
import { withBenchStack, type BenchStack } from '../support/bench-stack';
import { showNumber } from '../support/format';
import { describeNeighbours, markOf, usable, watchNeighbours } from '../support/neighbours';
import { writeResults } from '../support/results';
import { spreadOf } from '../support/statistics';
import { table } from '../support/table';
import { recoveryMs, type ProbePayment } from './recovery';

/** The processes that are killed; their supervisor starts them again at once. */
const TARGETS = ['api', 'worker'] as const;
type RecoveryTarget = (typeof TARGETS)[number];

interface RecoveryPlan {
  readonly rounds: number;
  /** Payments before the kill, and after it. */
  readonly before: number;
  readonly after: number;
}

const FULL: RecoveryPlan = { rounds: 5, before: 20, after: 60 };
const QUICK: RecoveryPlan = { rounds: 1, before: 10, after: 20 };
const EVERY_MS = 200;
/** From the last request before a kill until the kill, by round: so that kills meet a payment in each of its steps. */
const KILL_AFTER_MS = [20, 45, 70, 95, 120];

interface RecoveryRound {
  readonly target: RecoveryTarget;
  readonly ms: number;
  readonly neighbours: number;
}

/** Kills the API and the worker in turn, at five payments a second; their client resends until it has the result. */
export async function benchRecovery(quick: boolean): Promise<BenchPart> {
  const { rounds, violations } = await withBenchStack(
    (stack) => measureRecoveries(stack, quick ? QUICK : FULL),
    { quick },
  );
  const spreads = TARGETS.map((target) =>
    spreadOf(usable(rounds.filter((round) => round.target === target)).map(({ ms }) => ms / 1_000)),
  );
  const [api, worker] = spreads.map(({ median }) => median);
  const rows = TARGETS.map((target, index) => {
    const { median = NaN, min = NaN, max = NaN } = spreads[index] ?? {};
    return [target, showNumber(median), showNumber(min), showNumber(max)];
  });
  console.log(`\n${table([['killed', 'recovered after s', 'minimum', 'maximum'], ...rows]).join('\n')}`);
  console.log(describeNeighbours(rounds.map(({ neighbours }) => neighbours)));
  console.log(`All rounds: ${writeResults('recovery', { quick, rounds, violations })}`);
  return { figures: { recoveryApi: api ?? NaN, recoveryWorker: worker ?? NaN }, violations };
}

function measureRecoveries(
  stack: BenchStack,
  plan: RecoveryPlan,
): Promise<{ rounds: RecoveryRound[]; violations: string[] }> {
  return stack.withAppContext(async ({ db }) => {
    const merchant = await Merchant.register({ apiUrl: stack.apiUrl, db }, ['gateway_1', 'gateway_2']);
    const bench = new RecoveryBench(stack, merchant, plan);
    await bench.warmUp();
    const rounds: RecoveryRound[] = [];
    for (let number = 0; number < plan.rounds; number += 1) {
      for (const target of TARGETS) rounds.push(await bench.killOnce(target, number));
    }
    return { rounds, violations: await bench.verify() };
  });
}

class RecoveryBench {
  private readonly ids: string[] = [];

  constructor(
    private readonly stack: BenchStack,
    private readonly merchant: Merchant,
    private readonly plan: RecoveryPlan,
  ) {}

  async warmUp(): Promise<void> {
    await Promise.all(await this.request(this.plan.before));
  }

  async killOnce(target: RecoveryTarget, round: number): Promise<RecoveryRound> {
    const neighbours = watchNeighbours();
    const before = await this.request(this.plan.before);
    const sinceRequestMs = KILL_AFTER_MS[round % KILL_AFTER_MS.length] ?? 0;
    await delay(sinceRequestMs);
    this.stack.kill(target);
    const killedAt = performance.now();
    await delay(EVERY_MS - sinceRequestMs);
    const after = await this.request(this.plan.after);
    const ms = recoveryMs(killedAt, await Promise.all([...before, ...after]));
    const measured = { target, ms, neighbours: neighbours() };
    console.log(`The ${target} was killed: ${showNumber(ms / 1_000)} s${markOf(measured.neighbours)}`);
    return measured;
  }

  /** Every request led to one approved payment. */
  async verify(): Promise<string[]> {
    const payments = await this.stack.query<RecordedPayment>(SELECT_RECORDED_PAYMENTS);
    return verifyApproved(this.ids, payments, await readLedger(this.stack.simulatorUrl));
  }

  /** Requests payments on schedule and returns when the last one is requested. */
  private async request(count: number): Promise<Promise<ProbePayment>[]> {
    const payments: Promise<ProbePayment>[] = [];
    const startedAt = performance.now();
    for (let index = 0; index < count; index += 1) {
      await delay(startedAt + index * EVERY_MS - performance.now());
      payments.push(this.pay());
    }
    return payments;
  }

  private async pay(): Promise<ProbePayment> {
    const requestedAt = performance.now();
    const order = this.merchant.order();
    await this.merchant.pay(order);
    this.ids.push(transactionIdOf(order));
    return { requestedAt, approvedAt: performance.now() };
  }
}
