import { residentMib } from '../support/cpu';
import { evaluateMemory, renderMemory, type MemoryLimit, type MemorySample } from './memory';
import { writeResults } from '../support/results';
import { withBenchStack, type BenchStack } from '../support/bench-stack';

/** `npm run bench:memory`: the resident memory of API and worker over 10,000 approved card payments. Exits with 1 above a limit. */

const PAYMENTS = 10_000;
const SAMPLE_EVERY = 250;
const CONCURRENCY = 16;
const LIMITS: readonly MemoryLimit[] = [
  { process: 'api', belowMib: 200 },
  { process: 'worker', belowMib: 350 },
];

async function main(): Promise<void> {
  await withBenchStack(
    async (stack) => {
      const samples = await sampleWhilePaying(stack);
      const evaluations = LIMITS.map((limit) => evaluateMemory(limit, samples));
      console.log(`\n${renderMemory(samples, evaluations)}\n`);
      console.log(`All samples: ${writeResults('memory', { samples, evaluations })}`);
      if (evaluations.some(({ ok }) => !ok)) process.exitCode = 1;
    },
    { quick: true },
  );
}

async function sampleWhilePaying(stack: BenchStack): Promise<MemorySample[]> {
  const load = await stack.paymentLoad('card');
  const sample = (payments: number): MemorySample => ({
    payments,
    mib: { api: residentMib(stack.pid('api')), worker: residentMib(stack.pid('worker')) },
  });
  const samples = [sample(0)];
  for (let payments = SAMPLE_EVERY; payments <= PAYMENTS; payments += SAMPLE_EVERY) {
    await load.run({ kind: 'counted', concurrency: CONCURRENCY, count: SAMPLE_EVERY });
    samples.push(sample(payments));
    if (payments % 1_000 === 0) console.log(`${payments} payments`);
  }
  return samples;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
