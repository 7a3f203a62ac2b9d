import { parseArgs } from 'node:util';
import { countCommits, countHistoryEvents } from './write-counts';
import { PAYMENT_KINDS } from '../support/load-process';
import { Meter, type BenchSubject } from './measure';
import { kindsFigures } from './kinds';
import { renderReport } from './report';
import { writeResults } from '../support/results';
import { closedRounds, FULL, openRounds, QUICK, warmUp } from './rounds';
import { withBenchStack, type BenchStack } from '../support/bench-stack';
import type { BenchResults } from './summary';
import { describeRunEnvironment } from '../support/run-environment';
import { targets } from './targets';
import { verify } from '../support/verify';

/**
 * `npm run bench`: CPU, throughput and latency of each kind of payment, compared with the baselines T and F in the same
 * run. `--quick` checks in a minute or two that the benchmark works; its figures are rough.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  const startedAt = Date.now();
  await withBenchStack(async (stack) => {
    const results = await bench(stack, values.quick, startedAt);
    console.log(`\n${renderReport(results)}\n`);
    const figures = { ...results, kinds: kindsFigures(results), targets: targets(results) };
    console.log(`All measurements: ${writeResults('bench', figures)}`);
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
    ...(await describeRunEnvironment(stack)),
    quick,
    measurements: meter.measurements,
    historyEvents: await countHistoryEvents(stack, meter),
    commits,
    payments: meter.ids.card.length + meter.ids.pix.length + meter.ids.capture.length,
    violations: await verify(stack, meter),
    elapsedSeconds: (Date.now() - startedAt) / 1000,
  };
}

/** The card payment is next to its baselines, so that they are measured under similar conditions. */
async function startSubjects(stack: BenchStack): Promise<BenchSubject[]> {
  const [card, pix, capture] = await Promise.all(
    PAYMENT_KINDS.map(async (kind): Promise<BenchSubject> => {
      const load = await stack.paymentLoad(kind);
      return { name: kind, load, processes: ['api', 'worker', 'temporal', 'simulator'] };
    }),
  );
  const T: BenchSubject = {
    name: 'T',
    load: await stack.bareWorkflowLoad(),
    processes: ['bare worker', 'temporal'],
  };
  const F: BenchSubject = {
    name: 'F',
    load: await stack.baselineServiceLoad(),
    processes: ['baseline service', 'simulator'],
  };
  return [card, T, F, pix, capture].filter((subject) => subject !== undefined);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
