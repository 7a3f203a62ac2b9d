import { resolve } from 'node:path';
import { Client as PostgresClient } from 'pg';
import { createAppContext, type AppContext } from '../../../src/composition/app-context';
import { loadConfig, loadSandboxConfig, type Config } from '../../../src/config';
import { build } from '../../../src/dev/build/build';
import { freePort } from '../../../src/dev/ports';
import { registerCompany, saveGateways, type ApiCredentials } from '../../support/merchant/company';
import { BenchProcesses, type BenchProcessName } from './bench-processes';
import { startBenchPostgres, startBenchSimulator } from './bench-servers';
import { BenchTemporal } from './bench-temporal';
import { treeCpuMs, type CpuReading } from './cpu';
import { respondsOk, startEnginePair, type PairNames, type PairSettings } from './engine-pair';
import { engineSettings, webhookSecrets } from './engine-settings';
import { waitForQuietMinute } from './neighbours';
import { startLoadProcess, type LoadProcess, type LoadTarget, type PaymentKind } from './load-process';

const TASK_QUEUE = 'payments';
const SECOND_TASK_QUEUE = 'second';
const BARE_TASK_QUEUE = 'bare';
const BASELINE_DATABASE = 'baseline';
export type WorkerName = 'worker' | 'second worker' | 'third worker';
const STOP_WITHIN_MS = 10_000;
/** The exit code of a process that ended by SIGINT. */
const INTERRUPTED = 130;

export interface BenchStackOptions {
  /** Does not wait for a quiet machine. */
  readonly quick?: boolean;
  /** Of the API and the worker. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Flags of Node for the API and the worker. */
  readonly nodeFlags?: readonly string[];
}

/**
 * Waits for a quiet machine, starts the stack in `DATA_DIR/bench`, passes it to `work`, and stops it in any case. Returns
 * what `work` returns.
 */
export async function withBenchStack<Result>(
  work: (stack: BenchStack) => Promise<Result>,
  options: BenchStackOptions = {},
): Promise<Result> {
  await waitForQuietMinute(log, options);
  const processes = await BenchProcesses.in(resolve(loadSandboxConfig().dataDir, 'bench'));
  const stack = new BenchStack(processes, options);
  const interrupt = (): void => void stack.stop().finally(() => process.exit(INTERRUPTED));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    await stack.start();
    return await work(stack);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    await stack.stop();
  }
}

/**
 * The service as in production: API, worker and simulator are separate processes, on one durable Postgres that the
 * Temporal server shares. The baselines are started on demand.
 */
export class BenchStack {
  simulatorUrl = '';
  private databaseUrl = '';
  apiUrl = '';
  private startedTemporal: BenchTemporal | undefined;
  private postgres: PostgresClient | undefined;
  private readonly loads: LoadProcess[] = [];
  private stopping: Promise<void> | undefined;

  private engineSettings: Readonly<Record<string, string>> = {};

  constructor(
    private readonly processes: BenchProcesses,
    private readonly options: BenchStackOptions,
  ) {}

  async start(): Promise<void> {
    log('Starting Postgres, Temporal, the simulator, the worker and the API ...');
    await Promise.all([build(log), this.startDatabases()]);
    const port = await freePort();
    this.apiUrl = `http://127.0.0.1:${port}/api/v1`;
    const secrets = webhookSecrets();
    this.simulatorUrl = await startBenchSimulator(this.processes, this.apiUrl, secrets);
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

  /** Kills the process, which is then started again. */
  kill(name: BenchProcessName): void {
    this.processes.kill(name);
  }

  pid(name: BenchProcessName): number {
    return this.processes.pid(name);
  }

  readCpu(load: LoadProcess): CpuReading {
    return this.processes.readCpu(load.pid);
  }

  /** Runs a statement on the service's database. */
  async query<Row extends object>(sql: string): Promise<Row[]> {
    if (this.postgres === undefined) throw new Error('Postgres does not run');
    return (await this.postgres.query<Row>(sql)).rows;
  }

  /** A load of payments of a new company, through the API. */
  async paymentLoad(kind: PaymentKind, apiUrl: string = this.apiUrl): Promise<LoadProcess> {
    const { simulatorUrl, databaseUrl } = this;
    const credentials = await this.registerCompany();
    return this.startLoad({ kind, apiUrl, simulatorUrl, databaseUrl, credentials });
  }

  /** A load of subscriptions of a new company, through the API. */
  async subscriptionLoad(): Promise<LoadProcess> {
    const credentials = await this.registerCompany();
    return this.startLoad({ kind: 'subscription', apiUrl: this.apiUrl, credentials });
  }

  /** Baseline T with its own worker, on the same Temporal server. */
  async bareWorkflowLoad(): Promise<LoadProcess> {
    const settings = { BENCH_TEMPORAL_ADDRESS: this.temporal.address, BENCH_TASK_QUEUE: BARE_TASK_QUEUE };
    await this.processes.startProgram('bare worker', 'test/bench/payments/bare-worker-main', settings, () =>
      this.temporal.hasWorker(BARE_TASK_QUEUE),
    );
    return this.startLoad({
      kind: 'bare',
      temporalAddress: this.temporal.address,
      taskQueue: BARE_TASK_QUEUE,
    });
  }

  /** Baseline F, on the same Postgres and simulator. */
  async baselineServiceLoad(): Promise<LoadProcess> {
    await this.query(`CREATE DATABASE ${BASELINE_DATABASE}`);
    const database = new URL(this.databaseUrl);
    database.pathname = `/${BASELINE_DATABASE}`;
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const settings = {
      BENCH_BASELINE_PORT: String(port),
      BENCH_BASELINE_DATABASE_URL: database.href,
      BENCH_SIMULATOR_URL: this.simulatorUrl,
    };
    await this.processes.startProgram(
      'baseline service',
      'test/bench/payments/baseline-service-main',
      settings,
      () => respondsOk(`${url}/health`),
    );
    return this.startLoad({ kind: 'baseline service', url });
  }

  /** Passes the service's components in this process, with the service's own keys, to `work`, and closes them in any case. */
  async withAppContext<Result>(work: (context: AppContext) => Promise<Result>): Promise<Result> {
    const context = createAppContext(this.config);
    try {
      return await work(context);
    } finally {
      await Promise.all([context.temporal.connection.close(), context.db.close()]);
    }
  }

  /** The configuration of the API and the worker. */
  get config(): Config {
    return loadConfig({ ...this.engineSettings });
  }

  /** A company with two gateways. */
  async registerCompany(): Promise<ApiCredentials> {
    const { apiUrl } = this;
    const credentials = await registerCompany(apiUrl, 'Bench');
    const gateways = (['gateway_1', 'gateway_2'] as const).map((slug) => ({
      gateway_slug: slug,
      secret_key: `sk_${slug}`,
    }));
    await saveGateways(apiUrl, credentials, gateways);
    return credentials;
  }

  /** Baseline Q, on the same Postgres. */
  async startWebhookQueue(): Promise<void> {
    const settings = { BENCH_DATABASE_URL: this.databaseUrl };
    await this.processes.startProgram(
      'webhook queue',
      'test/bench/webhooks/webhook-queue-main',
      settings,
      async () => {
        const [row] = await this.query<{ exists: boolean }>(
          `SELECT to_regclass('queued_webhooks') IS NOT NULL AS exists`,
        );
        return row?.exists === true;
      },
    );
  }

  /** Returns the receiver's URL. */
  async startWebhookReceiver(): Promise<string> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const settings = { BENCH_RECEIVER_PORT: String(port) };
    await this.processes.startProgram(
      'webhook receiver',
      'test/bench/webhooks/webhook-receiver-main',
      settings,
      () => respondsOk(`${url}/log`),
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
    await this.processes.stopAll(['api', 'worker', 'second api', 'second worker', 'third worker']);
  }

  private async startDatabases(): Promise<void> {
    await this.startPostgres();
    this.startedTemporal = await BenchTemporal.start(this.processes, this.databaseUrl, log);
  }

  private async startPostgres(): Promise<void> {
    this.databaseUrl = await startBenchPostgres(this.processes);
    this.postgres = new PostgresClient({ connectionString: this.databaseUrl });
    await this.postgres.connect();
    await this.postgres.query('CREATE EXTENSION pg_stat_statements');
  }

  private async startEngine(port: number, secrets: Record<string, string>): Promise<void> {
    const settings = {
      ...secrets,
      ...engineSettings(this.simulatorUrl),
      ...this.options.settings,
      PORT: String(port),
      DATABASE_URL: this.databaseUrl,
      TEMPORAL_ADDRESS: this.temporal.address,
      TEMPORAL_TASK_QUEUE: TASK_QUEUE,
    };
    this.engineSettings = settings;
    await this.startPair({ api: 'api', worker: 'worker' }, { api: settings, worker: settings }, TASK_QUEUE);
  }

  /** Starts another API of the same service: the same settings, database and task queue. Returns its URL. */
  async startAnotherApi(): Promise<string> {
    const port = await freePort();
    const settings = { ...this.engineSettings, PORT: String(port) };
    const runs = (): Promise<boolean> => respondsOk(`http://127.0.0.1:${port}/health/live`);
    await this.processes.startProgram('second api', 'src/api', settings, runs);
    return `http://127.0.0.1:${port}/api/v1`;
  }

  /** Starts one of the service's workers, with these settings more. */
  startWorker(name: WorkerName, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const polls = (): Promise<boolean> => this.temporal.hasWorker(TASK_QUEUE, this.pid(name));
    return this.processes.startProgram(name, 'src/worker', { ...this.engineSettings, ...more }, polls);
  }

  stopWorker(name: WorkerName): Promise<void> {
    return this.processes.stop([name], STOP_WITHIN_MS);
  }

  /** The CPU time of these processes so far, in ms. */
  cpuMs(names: readonly BenchProcessName[]): number {
    return names.reduce((sum, name) => sum + treeCpuMs(this.pid(name)), 0);
  }

  /** Starts another API and worker of the service, with these settings more and a task queue of their own. Returns the API's URL. */
  async startSecondPair(more: PairSettings): Promise<string> {
    const port = await freePort();
    const shared = { ...this.engineSettings, PORT: String(port), TEMPORAL_TASK_QUEUE: SECOND_TASK_QUEUE };
    const settings = { api: { ...shared, ...more.api }, worker: { ...shared, ...more.worker } };
    await this.startPair({ api: 'second api', worker: 'second worker' }, settings, SECOND_TASK_QUEUE);
    return `http://127.0.0.1:${port}/api/v1`;
  }

  private startPair(names: PairNames, settings: PairSettings, taskQueue: string): Promise<void> {
    const workerRuns = (): Promise<boolean> => this.temporal.hasWorker(taskQueue);
    return startEnginePair(this.processes, names, settings, workerRuns, this.options.nodeFlags);
  }
}

function log(message: string): void {
  console.log(message);
}
