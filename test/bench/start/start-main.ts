import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { freePorts, Launcher, makeDataDir, readSandbox } from '../../dev/support';
import { showNumber } from '../support/format';
import type { Load } from '../support/load';
import { startLoadProcess, type LoadProcess } from '../support/load-process';
import { waitForQuietMinute } from '../support/neighbours';
import { writeResults } from '../support/results';
import { percentile } from '../support/statistics';
import { table } from '../support/table';

/**
 * `npm run bench:start`: the latency of a card payment as whoever tries `npm start` sees it, with Temporal's development
 * server: at rest, one payment a second, and at ten a second. `--quick` checks that it works.
 */

const WARM_UP: Load = { kind: 'counted', concurrency: 2, count: 40 };
const RATES = [
  { title: 'at rest, one a second', perSecond: 1 },
  { title: 'ten a second', perSecond: 10 },
] as const;
const FULL_MS = 60_000;
const QUICK_MS = 6_000;

interface StartLatency {
  readonly title: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  await waitForQuietMinute(console.log, values);
  const latencies = await withLocalService((load) => measure(load, values.quick ? QUICK_MS : FULL_MS));
  const rows = latencies.map(({ title, p50Ms, p95Ms, p99Ms }) => [
    title,
    ...[p50Ms, p95Ms, p99Ms].map(showNumber),
  ]);
  console.log(
    `\n${table([['card payment, npm start', 'p50 ms', 'p95 ms', 'p99 ms'], ...rows]).join('\n')}\n`,
  );
  console.log(`Figures: ${writeResults('start', { latencies })}`);
}

async function measure(load: LoadProcess, forMs: number): Promise<StartLatency[]> {
  await load.run(WARM_UP);
  const latencies: StartLatency[] = [];
  for (const { title, perSecond } of RATES) {
    const { latenciesMs } = await load.run({ kind: 'open', perSecond, forMs });
    const [p50Ms = NaN, p95Ms = NaN, p99Ms = NaN] = [50, 95, 99].map((percent) =>
      percentile(latenciesMs, percent),
    );
    latencies.push({ title, p50Ms, p95Ms, p99Ms });
  }
  return latencies;
}

/** Runs `npm start` on free ports in a folder of its own, and passes a load of its demo company to `work`. */
async function withLocalService<Result>(work: (load: LoadProcess) => Promise<Result>): Promise<Result> {
  const dataDir = makeDataDir();
  const launcher = new Launcher({ ...(await freePorts()), DATA_DIR: dataDir });
  try {
    await launcher.ready();
    const { api_url, simulator_url, database_url, client_id, api_key } = readSandbox(dataDir);
    const load = startLoadProcess({
      kind: 'card',
      apiUrl: api_url,
      simulatorUrl: simulator_url,
      databaseUrl: database_url,
      credentials: { client_id, api_key },
    });
    try {
      return await work(load);
    } finally {
      await load.stop();
    }
  } finally {
    await launcher.end('SIGINT');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
