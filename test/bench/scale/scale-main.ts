import { parseArgs } from 'node:util';
import { withBenchStack, type BenchStack } from '../support/bench-stack';
import { describeNeighbours, watchNeighbours } from '../support/neighbours';
import { writeResults } from '../support/results';
import { table } from '../support/table';
import { withPublisher } from '../webhooks/webhook-publisher';
import { COMPANY_LIMIT, CrossProcessChecks, type Checked } from './cross-process';
import { compareEverything, killUnderLoad, type KilledReport } from './kill-under-load';
import { ScalingBench, type ScalingPlan } from './scaling';
import { WorkerFleet } from './worker-fleet';

/**
 * `npm run scale`: two APIs and one to three workers, on a Postgres and a Temporal server that they know by address only.
 * Throughput by the number of workers; what must hold over all processes; and kill -9 of an API and a worker under load.
 * `--quick` checks in a few minutes that it works; its ratios are rough.
 */

const FULL: ScalingPlan = { rounds: 3, loadMs: 8_000, deliveries: 400, renewals: 120 };
const QUICK: ScalingPlan = { rounds: 1, loadMs: 4_000, deliveries: 120, renewals: 30 };
const SETTINGS = {
  RATE_LIMIT_COMPANY_PER_SECOND: String(COMPANY_LIMIT),
  SUBSCRIPTION_JITTER: '0.001',
  WEBHOOK_ALLOW_LOOPBACK: 'true',
};

interface ScaleResults {
  readonly checks: readonly Checked[];
  readonly killed: KilledReport;
  readonly scaling: ScalingBench;
  readonly violations: readonly string[];
  readonly temporal: string;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  const neighbours = watchNeighbours();
  const results = await withBenchStack((stack) => measure(stack, values.quick ? QUICK : FULL), {
    quick: values.quick,
    settings: SETTINGS,
  });
  const { checks, killed, scaling, violations, temporal } = results;
  console.log(`\nScale${values.quick ? ' (quick: rough figures)' : ''}, Temporal: ${temporal}\n`);
  console.log(`${scaling.report()}\n`);
  const rows = checks.map(({ property, found, holds }) => [property, found, holds ? 'holds' : 'BROKEN']);
  console.log(`${table([['over 2 APIs and 2 workers', 'found', ''], ...rows]).join('\n')}\n`);
  const { payments, webhooks, resent } = killed;
  console.log(
    `kill -9 of an API and a worker: ${payments} payments, ${resent} of them sent again, ${webhooks} webhooks`,
  );
  console.log(
    violations.length === 0
      ? 'merchant, database, ledger and receiver agree: nothing lost, nothing charged twice'
      : ['VIOLATIONS', ...violations.slice(0, 20)].join('\n'),
  );
  console.log(describeNeighbours([neighbours()]));
  const { results: throughput } = scaling;
  console.log(
    `Figures: ${writeResults('scale', { quick: values.quick, throughput, checks, killed, violations })}`,
  );
  if (violations.length > 0 || checks.some(({ holds }) => !holds)) process.exitCode = 1;
}

async function measure(stack: BenchStack, plan: ScalingPlan): Promise<ScaleResults> {
  const apis = [stack.apiUrl, await stack.startAnotherApi()] as const;
  const fleet = new WorkerFleet(stack);
  return withPublisher(stack, async (publisher) => {
    const scaling = new ScalingBench(stack, fleet, publisher, plan);
    await fleet.scaleTo(2);
    const checks = new CrossProcessChecks(stack, apis);
    const checked = [
      await checks.idempotency(),
      await checks.circuit(),
      await checks.rateLimit(),
      await checks.fairness(publisher),
    ];
    for (const { property, found } of checked) console.log(`${property}: ${found}`);
    const killed = await killUnderLoad(stack, publisher, apis, ['second api', 'second worker']);
    await scaling.measure();
    const violations = [...killed.violations, ...(await compareEverything(stack))];
    return { checks: checked, killed, scaling, violations, temporal: stack.temporal.kind };
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.stack : error);
  process.exit(1);
});
