import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import type { Config } from '../config';
import { connectDatabase } from '../persistence/sql/database';
import { migrate } from '../persistence/sql/migrator';
import { Database } from '../persistence/sql/transaction';
import { ApiKeys } from '../security/api-keys';
import { setUpTemporal } from '../temporal/setup';
import { build } from './build/build';
import {
  ensureDemoCompany,
  ensureDemoGateways,
  readOrCreateDemoCompany,
  type DemoCompany,
} from './demo-company';
import type { MetricsPort } from './metrics-ports';
import { nodeProcess } from './node-process';
import { freePort } from './ports';
import { SupervisedProcess, type ProcessSpec } from './supervised-process';
import { preparePostgres } from './servers/postgres';
import type { RunRecord } from './run-record';
import { addressesOf, workerNames, writeSandboxFile, type Addresses, type ProcessName } from './sandbox-file';
import { findTemporalCli } from './servers/temporal-cli';
import { temporalServerProcess } from './servers/temporal-server';
import { serveReadOnlyUi } from './servers/temporal-ui';
import { waitUntil } from './wait-until';

export interface LocalStackOptions {
  readonly config: Config;
  readonly metricsPorts: readonly MetricsPort[];
  /** An absolute path, because the processes have different working directories. */
  readonly dataDir: string;
  readonly record: RunRecord;
  /** Prints a progress message to the terminal. */
  readonly print: (message: string) => void;
}

/** The shutdown takes less than 10 s: first the API and the worker, then the servers they depend on. */
const FINISH_WITHIN_MS = 7_000;
const STOP_WITHIN_MS = 1_500;
const READY_WITHIN_MS = 60_000;

/** Runs the whole service on one machine as supervised processes with their data in `dataDir`. */
export class LocalStack {
  readonly addresses: Addresses;
  readonly demo: DemoCompany;
  private readonly apiKeys: ApiKeys;
  private readonly processes = new Map<ProcessName, SupervisedProcess>();
  private stopUi: () => Promise<void> = () => Promise.resolve();
  private databaseUrl = '';
  private ready = false;
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: LocalStackOptions) {
    this.addresses = addressesOf(options.config, options.metricsPorts);
    this.apiKeys = new ApiKeys(options.config.secrets.apiKeyPeppers);
    this.demo = readOrCreateDemoCompany(options.dataDir, this.apiKeys);
  }

  /** Returns when all processes are ready and the demo company can take payments. Throws if a process fails to start. */
  async start(): Promise<void> {
    await Promise.all([this.startDatabase(), this.startTemporal(), build(this.options.print)]);
    this.options.print('Starting the simulator, the workers and the API ...');
    const workers = this.workers.map((name) => this.startWorker(name));
    await Promise.all([this.startSimulator(), ...workers, this.startApi()]);
    await this.withDatabase((db) =>
      ensureDemoGateways(db, this.addresses.apiUrl, this.demo, {
        driverNames: this.options.config.gateways.driverNames,
        dataDir: this.options.dataDir,
      }),
    );
    await waitUntil('the API is ready', READY_WITHIN_MS, () =>
      answersOk(`${this.addresses.baseUrl}/health/ready`),
    );
    this.ready = true;
    this.updateSandboxFile();
  }

  /** Stops all processes, also during an incomplete start. */
  stop(): Promise<void> {
    this.stopped ??= this.stopProcesses();
    return this.stopped;
  }

  private async stopProcesses(): Promise<void> {
    try {
      this.options.record.markStopping();
    } catch {
      // DATA_DIR may have been deleted. The processes are stopped anyway.
    }
    await this.stopAll(['api', ...this.workers], FINISH_WITHIN_MS);
    await Promise.all([this.stopAll(['simulator', 'temporal', 'postgres'], STOP_WITHIN_MS), this.stopUi()]);
    this.options.record.remove();
  }

  private async stopAll(names: readonly ProcessName[], withinMs: number): Promise<void> {
    const processes = names.map((name) => this.processes.get(name)).filter((found) => found !== undefined);
    await Promise.all(processes.map((process) => process.stop(withinMs)));
  }

  private async startDatabase(): Promise<void> {
    this.databaseUrl = this.options.config.databaseUrl ?? (await this.startPostgres());
    await migrate(this.databaseUrl, 'test');
    await this.withDatabase((db) => ensureDemoCompany(db, this.apiKeys, this.demo));
  }

  private async startPostgres(): Promise<string> {
    const { config, dataDir, print } = this.options;
    print('Starting Postgres ...');
    const postgres = await preparePostgres({
      dataDir,
      port: config.local.postgresPort,
      logFile: this.log('postgres'),
      durable: true,
    });
    await this.run('postgres', postgres.process);
    await postgres.createDatabase();
    return postgres.url;
  }

  private async withDatabase(work: (db: Database) => Promise<void>): Promise<void> {
    const db = new Database(connectDatabase(this.databaseUrl, 2));
    try {
      await work(db);
    } finally {
      await db.close();
    }
  }

  private async startTemporal(): Promise<void> {
    const { temporal, local, executablePath } = this.options.config;
    if (temporal.address === undefined) {
      const { dataDir, print } = this.options;
      const program = await findTemporalCli(dataDir, executablePath, print);
      print('Starting Temporal ...');
      const servedPort = await freePort();
      const spec = temporalServerProcess({
        program,
        port: local.temporalPort,
        logFile: this.log('temporal'),
        databaseFile: join(dataDir, 'temporal.db'),
        ui: { port: servedPort, codecEndpoint: `${this.addresses.baseUrl}/_temporal/codec` },
      });
      this.stopUi = await serveReadOnlyUi({ port: local.temporalUiPort, servedPort });
      await this.run('temporal', spec);
    }
    await this.withTemporal((connection) => setUpTemporal(connection, temporal.namespace));
  }

  private async withTemporal<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await Connection.connect({ address: this.addresses.temporalAddress });
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  }

  private startSimulator(): Promise<void> {
    return this.runProgram('simulator', 'src/simulator/main', () =>
      answersOk(`${this.addresses.simulatorUrl}/_admin/requests?transaction_id=none`),
    );
  }

  private get workers() {
    return workerNames(this.options.config.local.workers);
  }

  /** Ready when Temporal lists it as a poller of the task queue. The identity of a poller is `<pid>@<host>`. */
  private startWorker(name: ProcessName): Promise<void> {
    const { namespace, taskQueue } = this.options.config.temporal;
    return this.runProgram(name, 'src/worker', () =>
      this.withTemporal(async ({ workflowService }) => {
        const { pollers } = await workflowService.describeTaskQueue({
          namespace,
          taskQueue: { name: taskQueue },
          taskQueueType: WORKFLOW_TASKS,
        });
        const pid = this.processes.get(name)?.identity?.pid;
        return pollers.some(({ identity }) => identity?.startsWith(`${pid}@`));
      }),
    );
  }

  private startApi(): Promise<void> {
    return this.runProgram('api', 'src/api', () => answersOk(`${this.addresses.baseUrl}/health/live`));
  }

  private runProgram(name: ProcessName, entry: string, ready: () => Promise<boolean>): Promise<void> {
    const { config, dataDir, metricsPorts } = this.options;
    const metricsPort = metricsPorts.find(([measured]) => measured === name)?.[1];
    const settings = {
      SANDBOX: 'true',
      DATA_DIR: dataDir,
      DATABASE_URL: this.databaseUrl,
      TEMPORAL_ADDRESS: this.addresses.temporalAddress,
      SIMULATOR_CALLBACK_URL: config.simulator.callbackUrl ?? this.addresses.apiUrl,
      SUPPORT_EMAILS: [...config.supportEmails, this.demo.admin.email].join(','),
      PLATFORM_GATEWAY_COMPANIES: [...config.gateways.platformCompanies, this.demo.clientId].join(','),
      ...(metricsPort !== undefined && { METRICS_PORT: String(metricsPort), METRICS_HOST: '127.0.0.1' }),
    };
    return this.run(
      name,
      nodeProcess({ name, entry, from: 'build', settings, logFile: this.log(name), ready }),
    );
  }

  private async run(name: ProcessName, spec: ProcessSpec): Promise<void> {
    if (this.stopped !== undefined) throw new Error('stopped while starting');
    const supervised = new SupervisedProcess(spec, {
      started: ({ identity }) => {
        if (identity !== undefined) this.options.record.recordStart(name, identity);
        if (this.ready) this.updateSandboxFile();
      },
      exited: (_, how) => {
        if (this.ready) this.options.print(`The ${name} exited (${how}); restarting it.`);
      },
    });
    this.processes.set(name, supervised);
    await supervised.start();
  }

  private updateSandboxFile(): void {
    const pids = Object.fromEntries([...this.processes].map(([name, { identity }]) => [name, identity?.pid]));
    writeSandboxFile(this.options.dataDir, this.addresses, this.databaseUrl, this.demo, pids);
  }

  private log(name: ProcessName): string {
    return join(this.options.dataDir, 'logs', `${name}.log`);
  }
}

/** TaskQueueType in temporal/api/enums/v1/task_queue.proto. */
const WORKFLOW_TASKS = 1;

async function answersOk(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok;
}
