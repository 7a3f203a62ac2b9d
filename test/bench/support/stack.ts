import { resolve } from 'node:path';
import { Client as PostgresClient } from 'pg';
import { createAppContext, type AppContext as EngineParts } from '../../../src/composition/app-context';
import { loadConfig, type Config } from '../../../src/config';
import { build } from '../../../src/dev/build/build';
import { freePort } from '../../../src/dev/ports';
import { preparePostgres } from '../../../src/dev/servers/postgres';
import { migrate } from '../../../src/persistence/sql/migrator';
import { BenchTemporal } from './bench-temporal';
import { registerCompany } from './company';
import type { CpuReading } from './cpu';
import { engineSettings, webhookSecrets } from './engine-settings';
import { startLoadProcess, type LoadProcess, type LoadTarget, type PaymentKind } from './load-process';
import { AppContext } from './processes';
import type { ProcessName } from './processes';

const TASK_QUEUE = 'payments';
const BARE_TASK_QUEUE = 'bare';
const FLOOR_DATABASE = 'floor';
const INTERRUPTED = 130;

/** Starts the stack in `DATA_DIR/bench`, hands it to `work`, and stops it however that ends. */
export async function withBenchStack(
  work: (stack: BenchStack) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const stack = new BenchStack(await AppContext.in(resolve(loadConfig().dataDir, 'bench')), settings);
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
  simulatorUrl = '';
  private databaseUrl = '';
  private apiUrl = '';
  private startedTemporal: BenchTemporal | undefined;
  private postgres: PostgresClient | undefined;
  private readonly loads: LoadProcess[] = [];
  private stopping: Promise<void> | undefined;

  private engineSettings: Readonly<Record<string, string>> = {};

  constructor(
    private readonly parts: AppContext,
    private readonly moreSettings: Readonly<Record<string, string>>,
  ) {}

  async start(): Promise<void> {
    tell('Starting Postgres, Temporal, the simulator, the worker and the API ...');
    await Promise.all([build(tell), this.startDatabases()]);
    const port = await freePort();
    this.apiUrl = `http://127.0.0.1:${port}/api/v1`;
    const secrets = webhookSecrets();
    await this.startSimulator(secrets);
    await this.startEngine(port, secrets);
  }

  stop(): Promise<void> {
    this.stopping ??= this.stopEverything();
    return this.stopping;
  }

  get temporal(): BenchTemporal {
    if (this.startedTemporal === undefined) throw new Error('Temporal does not run');
    return this.startedTemporal;
  }

  pid(name: ProcessName): number {
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

  /** Payments of a new company, over the API. */
  async paymentLoad(kind: PaymentKind): Promise<LoadProcess> {
    const { apiUrl, simulatorUrl, databaseUrl } = this;
    return this.startLoad({
      kind,
      apiUrl,
      simulatorUrl,
      databaseUrl,
      ...(await registerCompany(apiUrl)),
    });
  }

  /** Subscriptions of a new company, over the API. */
  async subscriptionLoad(): Promise<LoadProcess> {
    const { apiUrl } = this;
    return this.startLoad({ kind: 'subscription', apiUrl, ...(await registerCompany(apiUrl)) });
  }

  /** Reference T with its own worker, on the same Temporal server. */
  async bareLoad(): Promise<LoadProcess> {
    const settings = { BENCH_TEMPORAL_ADDRESS: this.temporal.address, BENCH_TASK_QUEUE: BARE_TASK_QUEUE };
    await this.parts.runProgram('bare worker', 'test/bench/payments/bare-worker-main', settings, () =>
      this.temporal.hasWorker(BARE_TASK_QUEUE),
    );
    return this.startLoad({
      kind: 'bare',
      temporalAddress: this.temporal.address,
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
    await this.parts.runProgram('floor', 'test/bench/payments/floor-main', settings, () =>
      answersOk(`${url}/health`),
    );
    return this.startLoad({ kind: 'floor', url });
  }

  /** The engine's parts in this process, with the engine's own keys. */
  createAppContext(): EngineParts {
    return createAppContext(this.config);
  }

  /** What API and worker run with. */
  get config(): Config {
    return loadConfig({ ...this.engineSettings });
  }

  async registerCompany(): Promise<void> {
    await registerCompany(this.apiUrl);
  }

  /** A plain queue of webhooks, on the same Postgres. */
  async startWebhookQueue(): Promise<void> {
    const settings = { BENCH_DATABASE_URL: this.databaseUrl };
    await this.parts.runProgram(
      'webhook queue',
      'test/bench/webhooks/webhook-queue-main',
      settings,
      async () => {
        const [row] = await this.query<{ there: boolean }>(
          `SELECT to_regclass('queued_webhooks') IS NOT NULL AS there`,
        );
        return row?.there === true;
      },
    );
  }

  /** Returns where it listens. */
  async startWebhookReceiver(): Promise<string> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const settings = { BENCH_RECEIVER_PORT: String(port) };
    await this.parts.runProgram(
      'webhook receiver',
      'test/bench/webhooks/webhook-receiver-main',
      settings,
      () => answersOk(`${url}/log`),
    );
    return url;
  }

  private startLoad(target: LoadTarget): LoadProcess {
    const load = startLoadProcess(target);
    this.loads.push(load);
    return load;
  }

  private async stopEverything(): Promise<void> {
    await Promise.all(this.loads.map((load) => load.stop()));
    await this.startedTemporal?.close();
    await this.postgres?.end();
    await this.parts.stop(['api', 'worker']);
    await this.parts.stopAll();
  }

  private async startDatabases(): Promise<void> {
    await this.startPostgres();
    this.startedTemporal = await BenchTemporal.start(this.parts, this.databaseUrl, tell);
  }

  private async startPostgres(): Promise<void> {
    const options = { port: await freePort(), logFile: this.parts.log('postgres'), durable: true };
    const postgres = await preparePostgres({ ...options, dataDir: this.parts.folder });
    await this.parts.run('postgres', postgres.part);
    await postgres.createDatabase();
    this.databaseUrl = postgres.url;
    await migrate(postgres.url);
    this.postgres = new PostgresClient({ connectionString: postgres.url });
    await this.postgres.connect();
  }

  private async startSimulator(secrets: Record<string, string>): Promise<void> {
    const port = await freePort();
    this.simulatorUrl = `http://127.0.0.1:${port}`;
    const settings = {
      ...secrets,
      SIMULATOR_PORT: String(port),
      SIMULATOR_CALLBACK_URL: this.apiUrl,
      DATA_DIR: this.parts.folder,
    };
    await this.parts.runProgram('simulator', 'src/simulator/main', settings, () =>
      answersOk(`${this.simulatorUrl}/_admin/requests?transaction_id=none`),
    );
  }

  private async startEngine(port: number, secrets: Record<string, string>): Promise<void> {
    const settings = {
      ...secrets,
      ...engineSettings(this.simulatorUrl),
      ...this.moreSettings,
      PORT: String(port),
      DATABASE_URL: this.databaseUrl,
      TEMPORAL_ADDRESS: this.temporal.address,
      TEMPORAL_TASK_QUEUE: TASK_QUEUE,
    };
    this.engineSettings = settings;
    await Promise.all([
      this.parts.runProgram('worker', 'src/worker', settings, () => this.temporal.hasWorker(TASK_QUEUE)),
      this.parts.runProgram('api', 'src/api', settings, () =>
        answersOk(`http://127.0.0.1:${port}/health/live`),
      ),
    ]);
  }
}

function tell(message: string): void {
  console.log(message);
}

async function answersOk(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok;
}
