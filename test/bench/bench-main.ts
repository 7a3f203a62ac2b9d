import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { transactionOf } from '../../src/gateways/simulator/ledger';
import { projectRoot } from '../../src/paths';
import { BOOKED_PAYMENTS, readLedger, verifyApproved, type BookedPayment } from './books';
import { Meter, type Subject } from './measure';
import { renderReport } from './report';
import { writeResults } from './results';
import { withBenchStack, type BenchStack } from './stack';
import { percentile } from './statistics';
import { CONCURRENCIES, STEADY_PER_SECOND, Summary, type BenchResults } from './summary';

/**
 * `npm run bench`: what an approved card payment costs, beside the references T and F in the same run. `--quick` shows
 * in a minute or two that it works; its figures are rough.
 */

interface Plan {
  readonly warmUpMs: number;
  readonly closedRounds: number;
  readonly closedMs: number;
  readonly openRounds: number;
  readonly openMs: number;
}

const FULL: Plan = { warmUpMs: 5_000, closedRounds: 5, closedMs: 6_000, openRounds: 3, openMs: 15_000 };
const QUICK: Plan = { warmUpMs: 2_000, closedRounds: 2, closedMs: 1_500, openRounds: 1, openMs: 5_000 };
const KNEE_SHARE = 0.7;
const HISTORIES = 20;
const IDLE_MS = 5_000;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  await withBenchStack(async (stack) => {
    const results = await bench(stack, values.quick);
    console.log(`\n${renderReport(results)}\n`);
    console.log(`Figures of every round: ${writeResults('bench', results)}`);
    if (results.violations.length > 0) process.exitCode = 1;
  });
}

async function bench(stack: BenchStack, quick: boolean): Promise<BenchResults> {
  const startedAt = Date.now();
  const plan = quick ? QUICK : FULL;
  const meter = new Meter(stack);
  const references: Subject[] = [
    { name: 'T', load: await stack.bareLoad(), parts: ['bare worker', 'temporal'] },
    { name: 'F', load: await stack.floorLoad(), parts: ['floor', 'simulator'] },
  ];
  const engine: Subject = {
    name: 'engine',
    load: await stack.engineLoad(),
    parts: ['api', 'worker', 'temporal', 'simulator'],
  };
  const idle = await countIdleCommits(stack);
  const subjects = [engine, ...references];
  console.log('Warming up ...');
  for (const subject of subjects) {
    await meter.warmUp(subject, { kind: 'closed', concurrency: 16, forMs: plan.warmUpMs });
  }
  await closedRounds(meter, subjects, plan);
  await openRounds(meter, subjects, plan);
  const historyEvents = {
    engine: await historyEventsOf(
      stack,
      meter.ids.engine.map((id) => `payment/${id}`),
    ),
    T: await historyEventsOf(stack, meter.ids.T),
  };
  const commitsPerPayment = await countCommits(stack, idle, meter.ids.engine.length);
  return {
    commit: describeCommit(),
    machine: `${cpus().length} cores (${cpus()[0]?.model ?? '?'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
    temporal: stack.temporalKind,
    postgres: await describePostgres(stack),
    quick,
    elapsedSeconds: (Date.now() - startedAt) / 1000,
    measurements: meter.measurements,
    historyEvents,
    commitsPerPayment,
    payments: meter.ids.engine.length,
    violations: await verify(stack, meter),
  };
}

async function closedRounds(meter: Meter, subjects: readonly Subject[], plan: Plan): Promise<void> {
  for (let round = 1; round <= plan.closedRounds; round += 1) {
    for (const concurrency of CONCURRENCIES) {
      const load = { kind: 'closed', concurrency, forMs: plan.closedMs } as const;
      const rates: string[] = [];
      for (const subject of subjects) {
        const { perSecond } = await meter.measure(subject, load);
        rates.push(`${subject.name} ${perSecond.toFixed(1)}/s`);
      }
      console.log(`Round ${round} of ${plan.closedRounds}, c=${concurrency}: ${rates.join(', ')}`);
    }
  }
}

async function openRounds(meter: Meter, subjects: readonly Subject[], plan: Plan): Promise<void> {
  const [engine] = subjects;
  const knee = kneePerSecond(meter);
  for (let round = 1; round <= plan.openRounds; round += 1) {
    console.log(`Open loop, round ${round} of ${plan.openRounds} ...`);
    for (const subject of subjects) {
      await meter.measure(subject, { kind: 'open', perSecond: STEADY_PER_SECOND, forMs: plan.openMs });
    }
    if (engine)
      await meter.measure(engine, { kind: 'open', perSecond: KNEE_SHARE * knee, forMs: plan.openMs });
  }
}

function kneePerSecond({ measurements }: Meter): number {
  return new Summary({ measurements }).kneePerSecond('engine');
}

async function historyEventsOf(stack: BenchStack, workflowIds: readonly string[]): Promise<number> {
  const sample = workflowIds.slice(-HISTORIES);
  return percentile(await Promise.all(sample.map((id) => stack.historyLength(id))), 50);
}

interface IdleCommits {
  readonly since: number;
  readonly count: number;
  readonly perMs: number;
}

/** The sweeper commits though nobody pays: what it does in a while is not the payments'. */
async function countIdleCommits(stack: BenchStack): Promise<IdleCommits> {
  const before = await readCommits(stack);
  await delay(IDLE_MS);
  const count = await readCommits(stack);
  return { since: Date.now(), count, perMs: (count - before) / IDLE_MS };
}

/** Sessions report what they did when they end, or when they get to it; so the engine is stopped first. */
async function countCommits(stack: BenchStack, idle: IdleCommits, payments: number): Promise<number> {
  const idleCommits = idle.perMs * (Date.now() - idle.since);
  await stack.stopEngine();
  return ((await readCommits(stack)) - idle.count - idleCommits) / payments;
}

async function readCommits(stack: BenchStack): Promise<number> {
  const [row] = await stack.query<{ commits: number }>(
    'SELECT xact_commit::float8 AS commits FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.commits ?? 0;
}

/** Ledger = database = what was acknowledged. The floor's payments are in the same ledger. */
async function verify(stack: BenchStack, { ids }: Meter): Promise<string[]> {
  const floor = new Set(ids.F);
  const entries = await readLedger(stack.simulatorUrl);
  const ours = entries.filter(({ reference }) => !floor.has(transactionOf(reference)));
  return verifyApproved(ids.engine, await stack.query<BookedPayment>(BOOKED_PAYMENTS), ours);
}

async function describePostgres(stack: BenchStack): Promise<string> {
  const [row] = await stack.query<{ version: string; fsync: string; commit: string }>(
    `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
            current_setting('synchronous_commit') AS commit`,
  );
  return row === undefined ? '' : `${row.version}, fsync ${row.fsync}, synchronous_commit ${row.commit}`;
}

function describeCommit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: projectRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' with changes');
  } catch {
    return 'unknown';
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
