import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../../src/dev/wait-until';
import type { BenchPart } from '../figures/figures';
import { CONCURRENCIES } from '../payments/summary';
import { withBenchStack, type BenchStack } from '../support/bench-stack';
import { showNumber, showSpread } from '../support/format';
import type { LoadProcess } from '../support/load-process';
import { describeNeighbours, markOf, usable, watchNeighbours } from '../support/neighbours';
import { writeResults } from '../support/results';
import { spreadOf } from '../support/statistics';
import { moveTrialEnd, unpaid, verifyBilling, waitUntilIdle } from './subscription-billing';

interface RenewalsPlan {
  readonly rounds: number;
  /** Subscriptions that are due at once. */
  readonly due: number;
  readonly bareMs: number;
}

const FULL: RenewalsPlan = { rounds: 5, due: 300, bareMs: 4_500 };
const QUICK: RenewalsPlan = { rounds: 1, due: 40, bareMs: 1_500 };
/** Renewals are spread over time; here they shall all be due at once. */
const SETTINGS = { SUBSCRIPTION_JITTER: '0.001' };
const CREATE_AT_ONCE = 16;
const PAID_WITHIN_MS = 600_000;
const POLL_EVERY_MS = 100;

interface RenewalsRound {
  readonly renewalsPerSecond: number;
  /** The highest rate of baseline T. */
  readonly barePerSecond: number;
  readonly neighbours: number;
}

/** How many subscriptions a second are charged when many are due, beside baseline T. */
export async function benchRenewals(quick: boolean): Promise<BenchPart> {
  const plan = quick ? QUICK : FULL;
  const { rounds, violations } = await withBenchStack((stack) => measureRenewals(stack, plan), {
    quick,
    settings: SETTINGS,
  });
  const used = usable(rounds);
  const ratio = spreadOf(used.map((round) => round.renewalsPerSecond / round.barePerSecond));
  console.log(
    [
      '',
      `renewals/s: ${showSpread(spreadOf(used.map((round) => round.renewalsPerSecond)))}`,
      `T, workflows/s: ${showSpread(spreadOf(used.map((round) => round.barePerSecond)))}`,
      `renewals/s / T: ${showSpread(ratio)}`,
      describeNeighbours(rounds.map(({ neighbours }) => neighbours)),
      `All rounds: ${writeResults('renewals', { quick, rounds, violations })}`,
    ].join('\n'),
  );
  return { figures: { renewalsToT: ratio.median }, violations };
}

async function measureRenewals(
  stack: BenchStack,
  plan: RenewalsPlan,
): Promise<{ rounds: RenewalsRound[]; violations: string[] }> {
  const subscribe = await stack.subscriptionLoad();
  const bare = await stack.bareWorkflowLoad();
  await barePerSecond(bare, plan);
  const rounds: RenewalsRound[] = [];
  for (let number = 1; number <= plan.rounds; number += 1) {
    await subscribe.run({ kind: 'counted', concurrency: CREATE_AT_ONCE, count: plan.due });
    await waitUntilIdle(stack);
    const neighbours = watchNeighbours();
    const renewalsPerSecond = await renew(stack, plan.due);
    const round = {
      renewalsPerSecond,
      barePerSecond: await barePerSecond(bare, plan),
      neighbours: neighbours(),
    };
    rounds.push(round);
    const rates = `${showNumber(renewalsPerSecond)} renewals/s, T ${showNumber(round.barePerSecond)}/s`;
    console.log(`Round ${number} of ${plan.rounds}: ${rates}${markOf(round.neighbours)}`);
  }
  return { rounds, violations: await verifyBilling(stack, plan.due * plan.rounds) };
}

/** From the time they are due until the last one is paid. */
async function renew(stack: BenchStack, due: number): Promise<number> {
  await delay(await moveTrialEnd(stack, due));
  const startedAt = performance.now();
  const allPaid = async (): Promise<boolean> => (await unpaid(stack)) === 0;
  await waitUntil('every due subscription to be paid', PAID_WITHIN_MS, allPaid, POLL_EVERY_MS);
  return (due * 1_000) / (performance.now() - startedAt);
}

async function barePerSecond(bare: LoadProcess, { bareMs }: RenewalsPlan): Promise<number> {
  const rates: number[] = [];
  for (const concurrency of CONCURRENCIES.filter((callers) => callers > 1)) {
    const { ids, elapsedMs } = await bare.run({ kind: 'closed', concurrency, forMs: bareMs });
    rates.push((ids.length * 1_000) / elapsedMs);
  }
  return Math.max(...rates);
}
