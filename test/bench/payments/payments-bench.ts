import { countHistoryEvents, countWrites } from './write-counts';
import type { BenchPart, MeasuredFigures } from '../figures/figures';
import { PAYMENT_KINDS, type PaymentKind } from '../support/load-process';
import { Meter, type BenchSubject } from './measure';
import { kindsFigures } from './kinds';
import { renderReport } from './report';
import { writeResults } from '../support/results';
import { closedRounds, FULL, openRounds, QUICK, warmUp } from './rounds';
import { withBenchStack, type BenchStack } from '../support/bench-stack';
import { spreadOf } from '../support/statistics';
import { HEADLINE_CONCURRENCY, Summary, type BenchResults } from './summary';
import { describeRunEnvironment } from '../support/run-environment';
import { verify } from '../support/verify';

/** CPU, throughput and latency of each kind of payment, compared with the baselines T and F in the same run. */
export async function benchPayments(quick: boolean): Promise<BenchPart> {
  const startedAt = Date.now();
  const results = await withBenchStack((stack) => measurePayments(stack, quick, startedAt), { quick });
  console.log(`\n${renderReport(results)}\n`);
  const figures = paymentFigures(results);
  const all = { ...results, kinds: kindsFigures(results), figures };
  console.log(`All measurements: ${writeResults('payments', all)}`);
  return { figures, violations: results.violations };
}

async function measurePayments(stack: BenchStack, quick: boolean, startedAt: number): Promise<BenchResults> {
  const plan = quick ? QUICK : FULL;
  const meter = new Meter(stack);
  const subjects = await startSubjects(stack);
  await warmUp(meter, subjects, plan);
  const writes = await countWrites(stack, meter, subjects, plan.counted);
  await closedRounds(meter, subjects, plan);
  await openRounds(meter, subjects, plan);
  return {
    ...(await describeRunEnvironment(stack)),
    quick,
    measurements: meter.measurements,
    historyEvents: await countHistoryEvents(stack, meter),
    writes,
    payments: meter.ids.card.length + meter.ids.pix.length + meter.ids.capture.length,
    violations: await verify(stack, meter),
    elapsedSeconds: (Date.now() - startedAt) / 1000,
  };
}

function paymentFigures(results: BenchResults): MeasuredFigures {
  const summary = new Summary(results);
  const cpu = (kind: PaymentKind): number => summary.cpuRatio(kind, HEADLINE_CONCURRENCY).median;
  const peak = summary.peakPerSecond('card');
  return {
    cpuPerPayment: cpu('card'),
    rateToT: peak / summary.peakPerSecond('T'),
    rateToF: peak / summary.peakPerSecond('F'),
    p50ToT: summary.steadyP50ToT().median,
    p99Loaded: spreadOf(summary.open('card', 'loaded').map(({ p99Ms }) => p99Ms)).median,
    cpuPerPix: cpu('pix'),
    cpuPerCapture: cpu('capture'),
    historyEvents: results.historyEvents.card,
    ...results.writes.card,
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
