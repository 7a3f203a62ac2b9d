import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { Client as PostgresClient } from 'pg';
import { loadConfig } from '../../src/config';
import { GATEWAY_SLUGS } from '../../src/domain/gateway-slug';
import { build } from '../../src/local/build';
import { nodePart } from '../../src/local/node-part';
import { Part, type PartSpec } from '../../src/local/part';
import { freePort } from '../../src/local/ports';
import { preparePostgres } from '../../src/local/postgres';
import { identifyProcess } from '../../src/local/process-identity';
import { findOwner, reapParts, RunRecord } from '../../src/local/run-record';
import { findTemporalProgram } from '../../src/local/temporal-program';
import { temporalServerPart } from '../../src/local/temporal-server';
import { connectDatabase } from '../../src/persistence/database';
import { migrate } from '../../src/persistence/migrator';
import { setUpTemporal } from '../../src/temporal/setup';
import { readCpu, type CpuReading } from './cpu';
import { startLoadProcess, type LoadProcess, type LoadTarget } from './load-process';
import {
  findTemporalServer,
  HISTORY_SHARDS,
  prepareTemporalOnPostgres,
  TEMPORAL_VERSION,
} from './temporal-on-postgres';

export type PartName = 'postgres' | 'temporal' | 'simulator' | 'api' | 'worker' | 'floor' | 'bare worker';

const NAMESPACE = 'default';
const TASK_QUEUE = 'payments';
const BARE_TASK_QUEUE = 'bare';
const FLOOR_DATABASE = 'floor';
const STOP_WITHIN_MS = 8_000;
/** TaskQueueType in temporal/api/enums/v1/task_queue.proto. */
const WORKFLOW_TASKS = 1;

/**
 * The service as in production: api, worker and simulator are processes of their own, on one durable Postgres that the
 * Temporal server shares. Everything is new, in `DATA_DIR/bench`, and what a killed run left there is ended first.
 */
export class BenchStack {
  /** In words, for the report. */
  temporalKind = '';
  private readonly parts = new Map<PartName, Part>();
  private readonly loads: LoadProcess[] = [];
  private databaseUrl = '';
  private temporalAddress = '';
  simulatorUrl = '';
  private apiUrl = '';
  private temporal: TemporalClient | undefined;
  private postgres: PostgresClient | undefined;
  private died: string | undefined;

  private constructor(
    private readonly folder: string,
    private readonly record: RunRecord,
    private readonly tell: (message: string) => void,
  ) {}

  static async start(tell: (message: string) => void): Promise<BenchStack> {
    const folder = resolve(loadConfig().dataDir, 'bench');
    if (findOwner(folder) !== null) throw new Error('another benchmark runs on this DATA_DIR');
    await reapParts(folder);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const self = identifyProcess(process.pid);
    if (process.platform !== 'linux' || self === null)
      throw new Error('CPU times are read from /proc: this needs Linux');
    const stack = new BenchStack(folder, new RunRecord(folder, self), tell);
    try {
      await stack.startAll();
      return stack;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.loads.map((load) => load.stop()));
    await this.temporal?.connection.close();
    await this.postgres?.end();
    await this.stopEngine();
    await this.stopParts(['floor', 'bare worker', 'simulator', 'temporal']);
    await this.stopParts(['postgres']);
    this.record.remove();
  }

  /** Its sessions end, so that Postgres has counted all they did. */
  stopEngine(): Promise<void> {
    return this.stopParts(['api', 'worker']);
  }

  pid(name: PartName): number {
    const pid = this.parts.get(name)?.identity?.pid;
    if (pid === undefined) throw new Error(`the ${name} does not run`);
    return pid;
  }

  /** Of every process that runs, and of `load`. */
  readCpu(load: LoadProcess): CpuReading {
    if (this.died !== undefined) throw new Error(`${this.died}; logs are in ${join(this.folder, 'logs')}`);
    const names = [...this.parts.keys()].filter((name) => name !== 'postgres');
    const pids = Object.fromEntries(names.map((name) => [name, this.pid(name)]));
    return readCpu({ ...pids, load: load.pid }, this.pid('postgres'));
  }

  /** Statements against the engine's database. */
  async query<Row extends object>(sql: string): Promise<Row[]> {
    if (this.postgres === undefined) throw new Error('Postgres does not run');
    return (await this.postgres.query<Row>(sql)).rows;
  }

  async historyLength(workflowId: string): Promise<number> {
    if (this.temporal === undefined) throw new Error('Temporal does not run');
    return (await this.temporal.workflow.getHandle(workflowId).describe()).historyLength;
  }

  async engineLoad(): Promise<LoadProcess> {
    return this.startLoad({ kind: 'engine', apiUrl: this.apiUrl, ...(await this.registerCompany()) });
  }

  /** Reference T with its own worker, on the same Temporal server. */
  async bareLoad(): Promise<LoadProcess> {
    const settings = { BENCH_TEMPORAL_ADDRESS: this.temporalAddress, BENCH_TASK_QUEUE: BARE_TASK_QUEUE };
    await this.runProgram('bare worker', 'test/bench/bare-worker-main', settings, () =>
      this.polled(BARE_TASK_QUEUE),
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
    await this.runProgram('floor', 'test/bench/floor-main', settings, () => answersOk(`${url}/health`));
    return this.startLoad({ kind: 'floor', url });
  }

  private startLoad(target: LoadTarget): LoadProcess {
    const load = startLoadProcess(target);
    this.loads.push(load);
    return load;
  }

  private async startAll(): Promise<void> {
    this.tell('Starting Postgres, Temporal, the simulator, the worker and the API ...');
    await Promise.all([build(this.tell), this.startPostgres().then(() => this.startTemporal())]);
    await this.startSimulator();
    await this.startEngine();
  }

  private async startPostgres(): Promise<void> {
    const options = { port: await freePort(), logFile: this.log('postgres'), durable: true };
    const postgres = await preparePostgres({ ...options, dataDir: this.folder });
    await this.run('postgres', postgres.part);
    await postgres.createDatabase();
    this.databaseUrl = postgres.url;
    const sequelize = connectDatabase(postgres.url, 2);
    await migrate(sequelize);
    await sequelize.close();
    this.postgres = new PostgresClient({ connectionString: postgres.url });
    await this.postgres.connect();
  }

  private async startTemporal(): Promise<void> {
    const programs = await findTemporalServer(this.tell);
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
      folder: this.folder,
      logFile: this.log('temporal'),
    });
    await this.run('temporal', part);
    return address;
  }

  private async startDevServer(): Promise<string> {
    this.temporalKind = 'DEVELOPMENT server on SQLite, 1 history shard: no capacity figures';
    const { dataDir, executablePath } = loadConfig();
    const port = await freePort();
    const program = await findTemporalProgram(dataDir, executablePath, this.tell);
    const databaseFile = join(this.folder, 'temporal.db');
    await this.run(
      'temporal',
      temporalServerPart({ program, port, logFile: this.log('temporal'), databaseFile }),
    );
    return `127.0.0.1:${port}`;
  }

  private async startSimulator(): Promise<void> {
    const port = await freePort();
    this.simulatorUrl = `http://127.0.0.1:${port}`;
    const settings = { SIMULATOR_PORT: String(port), DATA_DIR: this.folder };
    await this.runProgram('simulator', 'src/gateways/simulator/main', settings, () =>
      answersOk(`${this.simulatorUrl}/_admin/requests?transaction_id=none`),
    );
  }

  private async startEngine(): Promise<void> {
    const port = await freePort();
    this.apiUrl = `http://127.0.0.1:${port}/api/v1`;
    const settings = {
      ...productionSettings(),
      PORT: String(port),
      DATABASE_URL: this.databaseUrl,
      TEMPORAL_ADDRESS: this.temporalAddress,
      TEMPORAL_TASK_QUEUE: TASK_QUEUE,
      ...Object.fromEntries(
        GATEWAY_SLUGS.map((slug) => [`${slug.toUpperCase()}_URL`, `${this.simulatorUrl}/${slug}`]),
      ),
    };
    await Promise.all([
      this.runProgram('worker', 'src/worker', settings, () => this.polled(TASK_QUEUE)),
      this.runProgram('api', 'src/api', settings, () => answersOk(`http://127.0.0.1:${port}/health/live`)),
    ]);
  }

  private runProgram(
    name: PartName,
    entry: string,
    settings: Readonly<Record<string, string>>,
    ready: () => Promise<boolean>,
  ): Promise<void> {
    const from = entry.startsWith('src/') ? 'build' : 'source';
    return this.run(name, nodePart({ name, entry, from, settings, logFile: this.log(name), ready }));
  }

  private async run(name: PartName, spec: PartSpec): Promise<void> {
    const part = new Part(spec, {
      started: ({ identity }) => {
        if (identity !== undefined) this.record.started(name, identity);
      },
      died: (_, how) => (this.died = `the ${name} ended: ${how}`),
    });
    this.parts.set(name, part);
    await part.start();
  }

  private async stopParts(names: readonly PartName[]): Promise<void> {
    await Promise.all(names.map(async (name) => this.parts.get(name)?.stop(STOP_WITHIN_MS)));
    for (const name of names) this.parts.delete(name);
  }

  /** Whether a worker asks for the queue's work. */
  private async polled(taskQueue: string): Promise<boolean> {
    const { pollers } = (await this.temporal?.workflowService.describeTaskQueue({
      namespace: NAMESPACE,
      taskQueue: { name: taskQueue },
      taskQueueType: WORKFLOW_TASKS,
    })) ?? { pollers: [] };
    return pollers.length > 0;
  }

  private async registerCompany(): Promise<{ clientId: string; apiKey: string }> {
    const { credentials } = await this.callApi<{ credentials: { client_id: string; api_key: string } }>(
      'POST',
      'register',
      {},
      { name: 'Bench' },
    );
    const { client_id: clientId, api_key: apiKey } = credentials;
    const gateways = ['gateway_1', 'gateway_2'].map((slug) => ({
      gateway_slug: slug,
      secret_key: `sk_${slug}`,
    }));
    await this.callApi('PUT', 'gateways', { 'x-client-id': clientId, 'x-api-key': apiKey }, { gateways });
    return { clientId, apiKey };
  }

  private async callApi<T>(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: object,
  ): Promise<T> {
    const response = await fetch(`${this.apiUrl}/company/${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as T;
  }

  private log(name: string): string {
    return join(this.folder, 'logs', `${name}.log`);
  }
}

/** Production refuses the sandbox's secrets; and no limit on one company's rate gets in the way of a load. */
function productionSettings(): Record<string, string> {
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
  };
}

async function answersOk(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok;
}
