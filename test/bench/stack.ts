import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { Client as PostgresClient } from 'pg';
import { loadConfig } from '../../src/config';
import { GATEWAY_SLUGS } from '../../src/domain/gateway-slug';
import { build } from '../../src/local/build';
import { freePort } from '../../src/local/ports';
import { preparePostgres } from '../../src/local/postgres';
import { findTemporalProgram } from '../../src/local/temporal-program';
import { temporalServerPart } from '../../src/local/temporal-server';
import { connectDatabase } from '../../src/persistence/database';
import { migrate } from '../../src/persistence/migrator';
import { setUpTemporal } from '../../src/temporal/setup';
import { registerCompany } from './company';
import type { CpuReading } from './cpu';
import { startLoadProcess, type LoadProcess, type LoadTarget } from './load-process';
import { Parts, type PartName } from './parts';
import {
  findTemporalServer,
  HISTORY_SHARDS,
  prepareTemporalOnPostgres,
  TEMPORAL_VERSION,
} from './temporal-on-postgres';

const NAMESPACE = 'default';
const TASK_QUEUE = 'payments';
const BARE_TASK_QUEUE = 'bare';
const FLOOR_DATABASE = 'floor';
/** TaskQueueType in temporal/api/enums/v1/task_queue.proto. */
const WORKFLOW_TASKS = 1;
const INTERRUPTED = 130;

/** Starts the stack in `DATA_DIR/bench`, hands it to `work`, and stops it however that ends. */
export async function withBenchStack(work: (stack: BenchStack) => Promise<void>): Promise<void> {
  const stack = new BenchStack(await Parts.in(resolve(loadConfig().dataDir, 'bench')));
  const interrupt = (): void => void stack.stop().finally(() => process.exit(INTERRUPTED));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    await stack.start();
    await work(stack);
  } finally {
    await stack.stop();
  }
}

/**
 * The service as in production: api, worker and simulator are processes of their own, on one durable Postgres that the
 * Temporal server shares. The references come on demand.
 */
export class BenchStack {
  /** In words, for the report. */
  temporalKind = '';
  simulatorUrl = '';
  private databaseUrl = '';
  private temporalAddress = '';
  private apiUrl = '';
  private temporal: TemporalClient | undefined;
  private postgres: PostgresClient | undefined;
  private readonly loads: LoadProcess[] = [];
  private stopping: Promise<void> | undefined;

  constructor(private readonly parts: Parts) {}

  async start(): Promise<void> {
    tell('Starting Postgres, Temporal, the simulator, the worker and the API ...');
    await Promise.all([build(tell), this.startPostgres().then(() => this.startTemporal())]);
    await this.startSimulator();
    await this.startEngine();
  }

  stop(): Promise<void> {
    this.stopping ??= this.stopEverything();
    return this.stopping;
  }

  /** Its sessions end, so that Postgres has counted all they did. */
  stopEngine(): Promise<void> {
    return this.parts.stop(['api', 'worker']);
  }

  pid(name: PartName): number {
    return this.parts.pid(name);
  }

  readCpu(load: LoadProcess): CpuReading {
    return this.parts.readCpu(load.pid);
  }

  /** A statement against the engine's database. */
  async query<Row extends object>(sql: string): Promise<Row[]> {
    if (this.postgres === undefined) throw new Error('Postgres does not run');
    return (await this.postgres.query<Row>(sql)).rows;
  }

  async historyLength(workflowId: string): Promise<number> {
    if (this.temporal === undefined) throw new Error('Temporal does not run');
    return (await this.temporal.workflow.getHandle(workflowId).describe()).historyLength;
  }

  /** Card payments of a new company, over the API. */
  async engineLoad(): Promise<LoadProcess> {
    return this.startLoad({ kind: 'engine', apiUrl: this.apiUrl, ...(await registerCompany(this.apiUrl)) });
  }

  /** Reference T with its own worker, on the same Temporal server. */
  async bareLoad(): Promise<LoadProcess> {
    const settings = { BENCH_TEMPORAL_ADDRESS: this.temporalAddress, BENCH_TASK_QUEUE: BARE_TASK_QUEUE };
    await this.parts.runProgram('bare worker', 'test/bench/bare-worker-main', settings, () =>
      this.hasWorker(BARE_TASK_QUEUE),
    );
    return this.startLoad({
      kind: 'bare',
      temporalAddress: this.temporalAddress,
      taskQueue: BARE_TASK_QUEUE,
    });
  }

  /** Reference F, on the same Postgres and simulator. */
  async floorLoad(): Promise<LoadProcess> {
    await this.query(`CREATE DATABASE ${FLOOR_DATABASE}`);
    const database = new URL(this.databaseUrl);
    database.pathname = `/${FLOOR_DATABASE}`;
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const settings = {
      BENCH_FLOOR_PORT: String(port),
      BENCH_FLOOR_DATABASE_URL: database.href,
      BENCH_SIMULATOR_URL: this.simulatorUrl,
    };
    await this.parts.runProgram('floor', 'test/bench/floor-main', settings, () => answersOk(`${url}/health`));
    return this.startLoad({ kind: 'floor', url });
  }

  private startLoad(target: LoadTarget): LoadProcess {
    const load = startLoadProcess(target);
    this.loads.push(load);
    return load;
  }

  private async stopEverything(): Promise<void> {
    await Promise.all(this.loads.map((load) => load.stop()));
    await this.temporal?.connection.close();
    await this.postgres?.end();
    await this.stopEngine();
    await this.parts.stopAll();
  }

  private async startPostgres(): Promise<void> {
    const options = { port: await freePort(), logFile: this.parts.log('postgres'), durable: true };
    const postgres = await preparePostgres({ ...options, dataDir: this.parts.folder });
    await this.parts.run('postgres', postgres.part);
    await postgres.createDatabase();
    this.databaseUrl = postgres.url;
    const sequelize = connectDatabase(postgres.url, 2);
    await migrate(sequelize);
    await sequelize.close();
    this.postgres = new PostgresClient({ connectionString: postgres.url });
    await this.postgres.connect();
  }

  private async startTemporal(): Promise<void> {
    const programs = await findTemporalServer(tell);
    this.temporalAddress = programs === null ? await this.startDevServer() : await this.startServer(programs);
    const connection = await Connection.connect({ address: this.temporalAddress });
    await setUpTemporal(connection, NAMESPACE);
    this.temporal = new TemporalClient({ connection });
  }

  private async startServer(programs: string): Promise<string> {
    this.temporalKind = `server ${TEMPORAL_VERSION} on the same Postgres, ${HISTORY_SHARDS} history shards`;
    const { part, address } = await prepareTemporalOnPostgres({
      programs,
      postgresUrl: this.databaseUrl,
      folder: this.parts.folder,
      logFile: this.parts.log('temporal'),
    });
    await this.parts.run('temporal', part);
    return address;
  }

  private async startDevServer(): Promise<string> {
    this.temporalKind = 'DEVELOPMENT server on SQLite, 1 history shard: no capacity figures';
    const { dataDir, executablePath } = loadConfig();
    const program = await findTemporalProgram(dataDir, executablePath, tell);
    const port = await freePort();
    const databaseFile = join(this.parts.folder, 'temporal.db');
    const logFile = this.parts.log('temporal');
    await this.parts.run('temporal', temporalServerPart({ program, port, logFile, databaseFile }));
    return `127.0.0.1:${port}`;
  }

  private async startSimulator(): Promise<void> {
    const port = await freePort();
    this.simulatorUrl = `http://127.0.0.1:${port}`;
    const settings = { SIMULATOR_PORT: String(port), DATA_DIR: this.parts.folder };
    await this.parts.runProgram('simulator', 'src/gateways/simulator/main', settings, () =>
      answersOk(`${this.simulatorUrl}/_admin/requests?transaction_id=none`),
    );
  }

  private async startEngine(): Promise<void> {
    const port = await freePort();
    this.apiUrl = `http://127.0.0.1:${port}/api/v1`;
    const settings = {
      ...productionSettings(this.simulatorUrl),
      PORT: String(port),
      DATABASE_URL: this.databaseUrl,
      TEMPORAL_ADDRESS: this.temporalAddress,
      TEMPORAL_TASK_QUEUE: TASK_QUEUE,
    };
    await Promise.all([
      this.parts.runProgram('worker', 'src/worker', settings, () => this.hasWorker(TASK_QUEUE)),
      this.parts.runProgram('api', 'src/api', settings, () =>
        answersOk(`http://127.0.0.1:${port}/health/live`),
      ),
    ]);
  }

  private async hasWorker(taskQueue: string): Promise<boolean> {
    const description = await this.temporal?.workflowService.describeTaskQueue({
      namespace: NAMESPACE,
      taskQueue: { name: taskQueue },
      taskQueueType: WORKFLOW_TASKS,
    });
    return description !== undefined && description.pollers.length > 0;
  }
}

/** Production refuses the sandbox's secrets; and no limit on one company's rate gets in the way of a load. */
function productionSettings(simulatorUrl: string): Record<string, string> {
  const key = (): string => randomBytes(32).toString('base64');
  return {
    NODE_ENV: 'production',
    API_KEY_PEPPER: key(),
    FINGERPRINT_KEY: key(),
    REQUEST_HASH_KEY: key(),
    ENCRYPTION_KEYS: `bench:${key()}`,
    CODEC_KEYS: `bench:${key()}`,
    PLATFORM_GATEWAY_SECRET: key(),
    RATE_LIMIT_COMPANY_PER_SECOND: '1000000',
    ...Object.fromEntries(
      GATEWAY_SLUGS.map((slug) => [`${slug.toUpperCase()}_URL`, `${simulatorUrl}/${slug}`]),
    ),
  };
}

function tell(message: string): void {
  console.log(message);
}

async function answersOk(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok;
}
