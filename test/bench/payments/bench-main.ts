import { parseArgs } from 'node:util';
import { countCommits, countHistoryEvents } from './effort';
import { PAYMENT_KINDS } from '../support/load-process';
import { Meter, type Subject } from './measure';
import { kindsFigures } from './kinds';
import { renderReport } from './report';
import { writeResults } from '../support/results';
import { closedRounds, FULL, openRounds, QUICK, warmUp } from './rounds';
import { withBenchStack, type BenchStack } from '../support/stack';
import type { BenchResults } from './summary';
import { describeSurroundings } from '../support/surroundings';
import { targets } from './targets';
import { verify } from '../support/verify';

/**
 * `npm run bench`: what a payment of each kind costs, beside the references T and F in the same run. `--quick` shows in
 * a minute or two that it works; its figures are rough.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  const startedAt = Date.now();
  await withBenchStack(async (stack) => {
    const results = await bench(stack, values.quick, startedAt);
    console.log(`\n${renderReport(results)}\n`);
    const figures = { ...results, kinds: kindsFigures(results), targets: targets(results) };
    console.log(`Figures of every round: ${writeResults('bench', figures)}`);
    if (results.violations.length > 0) process.exitCode = 1;
  });
}

async function bench(stack: BenchStack, quick: boolean, startedAt: number): Promise<BenchResults> {
  const plan = quick ? QUICK : FULL;
  const meter = new Meter(stack);
  const subjects = await startSubjects(stack);
  await warmUp(meter, subjects, plan);
  const commits = await countCommits(stack, meter, subjects, plan.counted);
  await closedRounds(meter, subjects, plan);
  await openRounds(meter, subjects, plan);
  return {
    ...(await describeSurroundings(stack)),
    quick,
    measurements: meter.measurements,
    historyEvents: await countHistoryEvents(stack, meter),
    commits,
    payments: meter.ids.card.length + meter.ids.pix.length + meter.ids.capture.length,
    violations: await verify(stack, meter),
    elapsedSeconds: (Date.now() - startedAt) / 1000,
  };
}

/** The card payment and its references next to each other, so that their rounds compare best. */
async function startSubjects(stack: BenchStack): Promise<Subject[]> {
  const [card, pix, capture] = await Promise.all(
    PAYMENT_KINDS.map(async (kind): Promise<Subject> => {
      const load = await stack.paymentLoad(kind);
      return { name: kind, load, parts: ['api', 'worker', 'temporal', 'simulator'] };
    }),
  );
  const T: Subject = { name: 'T', load: await stack.bareLoad(), parts: ['bare worker', 'temporal'] };
  const F: Subject = { name: 'F', load: await stack.floorLoad(), parts: ['floor', 'simulator'] };
  return [card, T, F, pix, capture].filter((subject) => subject !== undefined);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
