import { parseArgs } from 'node:util';
import { showNumber, showSpread } from '../support/format';
import { Meter, type Measurement, type BenchSubject } from '../payments/measure';
import { writeResults } from '../support/results';
import { withBenchStack, type BenchStack } from '../support/bench-stack';
import { markOf, usable } from '../support/neighbours';
import { spreadOf, type Spread } from '../support/statistics';
import { billConcurrently, waitUntilIdle, type Billing } from './subscription-billing';
import { totalCpuMs } from '../payments/summary';
import { table } from '../support/table';

/**
 * `npm run bench:subscriptions`: the effect of open subscriptions, and of many that are due at the same time, on one-off
 * payments. `--quick` checks in a few minutes that the benchmark works; its figures are rough.
 */

interface SubscriptionsPlan {
  readonly few: number;
  readonly many: number;
  readonly rounds: number;
  readonly roundMs: number;
  readonly due: number;
}

const FULL: SubscriptionsPlan = { few: 1_000, many: 10_000, rounds: 5, roundMs: 6_000, due: 2_000 };
const QUICK: SubscriptionsPlan = { few: 40, many: 120, rounds: 2, roundMs: 2_000, due: 60 };
const CONCURRENCY = 16;

/** The throughput and CPU of one-off payments while a number of subscriptions is open, relative to baseline T. */
interface OneOffFigures {
  readonly open: number;
  readonly perSecond: Spread;
  readonly rateToT: Spread;
  readonly cpuToT: Spread;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  const plan = values.quick ? QUICK : FULL;
  const settings = values.quick ? { SUBSCRIPTION_JITTER: '20' } : {};
  await withBenchStack(
    async (stack) => {
      const load = await stack.subscriptionLoad();
      const meter = new Meter(stack);
      const subjects = await startSubjects(stack);
      const open = async (count: number): Promise<void> => {
        console.log(`Creating ${count} subscriptions ...`);
        await load.run({ kind: 'counted', concurrency: CONCURRENCY, count });
        await waitUntilIdle(stack);
      };
      await open(plan.few);
      const few = await measureOneOff(meter, subjects, plan, plan.few);
      await open(plan.many - plan.few);
      const many = await measureOneOff(meter, subjects, plan, plan.many);
      const billing = await billConcurrently(stack, subjects.card.load, plan.due);
      console.log(`\n${render(few, many, billing)}\n`);
      console.log(`Figures: ${writeResults('subscriptions', { plan, few, many, billing })}`);
      if (billing.violations.length > 0) process.exitCode = 1;
    },
    { quick: values.quick, settings },
  );
}

interface Subjects {
  readonly card: BenchSubject;
  readonly T: BenchSubject;
}

async function startSubjects(stack: BenchStack): Promise<Subjects> {
  return {
    card: {
      name: 'card',
      load: await stack.paymentLoad('card'),
      processes: ['api', 'worker', 'temporal', 'simulator'],
    },
    T: { name: 'T', load: await stack.bareWorkflowLoad(), processes: ['bare worker', 'temporal'] },
  };
}

interface OneOffRound {
  readonly card: Measurement;
  readonly T: Measurement;
  readonly neighbours: number;
}

/** Alternates between payments and baseline T; the first round warms up. */
async function measureOneOff(
  meter: Meter,
  { card, T }: Subjects,
  plan: SubscriptionsPlan,
  open: number,
): Promise<OneOffFigures> {
  const measurements: OneOffRound[] = [];
  for (let round = 0; round <= plan.rounds; round += 1) {
    const load = { kind: 'closed', concurrency: CONCURRENCY, forMs: plan.roundMs } as const;
    const [ofCard, ofT] = [await meter.measure(card, load, round), await meter.measure(T, load, round)];
    const neighbours = Math.max(ofCard.neighbours, ofT.neighbours);
    if (round > 0) measurements.push({ card: ofCard, T: ofT, neighbours });
    const rates = `${ofCard.perSecond.toFixed(1)} payments/s, T ${ofT.perSecond.toFixed(1)}/s`;
    console.log(`${open} open, ${rates}${markOf(neighbours)}`);
  }
  const rounds = usable(measurements);
  return {
    open,
    perSecond: spreadOf(rounds.map((round) => round.card.perSecond)),
    rateToT: spreadOf(rounds.map((round) => round.card.perSecond / round.T.perSecond)),
    cpuToT: spreadOf(rounds.map((round) => totalCpuMs(round.card) / totalCpuMs(round.T))),
  };
}

function render(few: OneOffFigures, many: OneOffFigures, billing: Billing): string {
  const [alone, during] = [spreadOf(billing.alone), spreadOf(billing.during)];
  return [
    ...table([
      ['open subscriptions', 'payments/s', 'payments/s / T', 'CPU per payment / T'],
      ...[few, many].map(({ open, perSecond, rateToT, cpuToT }) => [
        String(open),
        showSpread(perSecond),
        showSpread(rateToT),
        showSpread(cpuToT),
      ]),
    ]),
    '',
    ...table([
      ['', 'this run', 'acceptable', 'goal'],
      [
        'payments/s / T, many / few open',
        showNumber(many.rateToT.median / few.rateToT.median),
        '0.9',
        '0.98',
      ],
      ['one-off p99, during billing / alone', showNumber(during.median / alone.median), '2', '2'],
    ]),
    '',
    `${billing.due} subscriptions due at the same time were paid within ${billing.drainSeconds.toFixed(0)} s.`,
    `One-off payments' p99: ${showSpread(alone)} ms alone, ${showSpread(during)} ms during the billing.`,
    '',
    ...(billing.violations.length === 0
      ? ['Each was charged once; ledger and database agree.']
      : ['VIOLATIONS', ...billing.violations]),
  ].join('\n');
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
