import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { childEnv } from '../../../src/config';
import { nodeProcess } from '../../../src/dev/node-process';
import { freePort } from '../../../src/dev/ports';
import type { ProcessIdentity } from '../../../src/dev/process-identity';
import { signalProcess } from '../../../src/dev/process-identity';
import { projectRoot } from '../../../src/paths';
import { setUpTemporal } from '../../../src/temporal/setup';
import { findTemporalServer, prepareTemporalOnPostgres } from '../../bench/support/temporal-on-postgres';
import { NAMESPACE, StackProcesses } from '../../support/processes/stack-processes';
import { ArchivedPostgres } from './archived-postgres';

const WORKERS = ['worker', 'worker-2'] as const;
const PROGRAMS = ['api', ...WORKERS] as const;
type ProcessName = (typeof PROGRAMS)[number] | 'simulator' | "temporal's postgres";

const STOP_WITHIN_MS = 10_000;
/** Shorter than in production, in proportion. */
const SETTINGS = {
  SANDBOX: 'true',
  GATEWAY_TIMEOUT: '2',
  SEND_WINDOW: '2',
  ABSENCE_PROVEN_AFTER: '5',
  STUCK_AFTER: '60',
  PAYMENT_SYNC_TIMEOUT: '4',
  CIRCUIT_OPEN_FOR: '2',
  SWEEP_INTERVAL: '0.5',
  SHUTDOWN_GRACE: '5',
  WEBHOOK_RETRY_SCHEDULE: '0.5,0.5,1,1,2,2,5,5,10,10,10,10',
  RATE_LIMIT_PUBLIC_PER_MINUTE: '10000',
};

/** What Temporal's own database is restored to: nothing, or a moment before the one of the payments'. */
export type TemporalRestore = 'empty' | { readonly moment: Date };

/**
 * The service as in production: each database on its own Postgres, which can be restored by itself. The simulator and what receives
 * webhooks are not restored, as no real gateway or merchant is.
 */
export class RestoreStack extends StackProcesses<ProcessName> {
  private readonly identities = new Map<string, ProcessIdentity>();
  private ports = { api: 0, simulator: 0 };
  private temporalAddress = '';
  private temporalServer = '';

  private constructor(
    folder: string,
    readonly payments: ArchivedPostgres,
    private temporalsPostgres: ArchivedPostgres,
  ) {
    super(folder);
  }

  static async prepare(folder: string): Promise<RestoreStack> {
    const payments = await prepareServer(folder, 'payments');
    return new RestoreStack(folder, payments, await prepareServer(folder, 'temporal'));
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${this.ports.api}/api/v1`;
  }

  get simulatorUrl(): string {
    return `http://127.0.0.1:${this.ports.simulator}`;
  }

  async startServers(): Promise<void> {
    const server = await findTemporalServer(console.log);
    if (server === null) throw new Error('Go is needed to build the Temporal server');
    this.temporalServer = server;
    this.ports = { api: await freePort(), simulator: await freePort() };
    await Promise.all([
      this.start('postgres', this.payments.process),
      this.start("temporal's postgres", this.temporalsPostgres.process),
      this.startProgram('simulator', 'src/simulator/main', () =>
        answersOk(`${this.simulatorUrl}/_admin/ledger`),
      ),
    ]);
    await this.payments.createDatabase();
    await this.startNewTemporal();
  }

  async startPrograms(): Promise<void> {
    const spawned = () => Promise.resolve(true);
    await Promise.all([
      ...WORKERS.map((name) => this.startProgram(name, 'src/worker', spawned)),
      this.startProgram('api', 'src/api', () => answersOk(`http://127.0.0.1:${this.ports.api}/health/ready`)),
    ]);
  }

  async takeBaseBackups(): Promise<void> {
    await Promise.all([this.payments.takeBaseBackup(), this.temporalsPostgres.takeBaseBackup()]);
  }

  /** `kill -9`; the process is started again. */
  killWorker(): void {
    this.kill(WORKERS[0]);
  }

  /** All that is later than the archives is lost, and the processes end as with the machine that they run on. */
  async destroy(): Promise<void> {
    await Promise.all([this.payments.archiveAll(), this.temporalsPostgres.archiveAll()]);
    const doomed = [...PROGRAMS, 'temporal', 'postgres', "temporal's postgres"] as const;
    const stopped = this.stop(doomed, STOP_WITHIN_MS);
    for (const name of PROGRAMS) this.kill(name);
    await stopped;
  }

  async restore(moment: Date, temporal: TemporalRestore): Promise<void> {
    this.payments.restoreTo(moment);
    if (temporal === 'empty') this.temporalsPostgres = await prepareServer(this.folder, 'empty-temporal');
    else this.temporalsPostgres.restoreTo(temporal.moment);
    await Promise.all([
      this.start('postgres', this.payments.process),
      this.start("temporal's postgres", this.temporalsPostgres.process),
    ]);
    await Promise.all([this.payments.recovered(), this.temporalsPostgres.recovered()]);
    if (temporal === 'empty') await this.startNewTemporal();
    else await this.startTemporalAgain();
  }

  async stopAll(): Promise<void> {
    const servers = ['simulator', 'temporal', 'postgres', "temporal's postgres"] as const;
    await this.stop([...PROGRAMS], STOP_WITHIN_MS);
    await this.stop(servers, STOP_WITHIN_MS);
    this.removeRecord();
  }

  /** Runs one of the commands of the build to its end. Returns its output. Throws if it fails. */
  run(program: 'migrate' | 'restore', ...args: readonly string[]): Promise<string> {
    const file = join(projectRoot, 'dist', 'src', `${program}.js`);
    return new Promise((resolve, reject) => {
      const options = { env: childEnv(this.settings()), cwd: projectRoot };
      execFile(process.execPath, [file, ...args], options, (error, out, problems) => {
        if (error === null) resolve(out);
        else reject(new Error(`${program} ${args.join(' ')}: ${out}${problems}`));
      });
    });
  }

  protected override onStarted(name: string, identity: ProcessIdentity): void {
    this.identities.set(name, identity);
  }

  private kill(name: (typeof PROGRAMS)[number]): void {
    const identity = this.identities.get(name);
    if (identity !== undefined) signalProcess(identity, 'SIGKILL');
  }

  private async startNewTemporal(): Promise<void> {
    const { spec, address } = await prepareTemporalOnPostgres({
      programs: this.temporalServer,
      postgresUrl: this.temporalsPostgres.url,
      folder: this.folder,
      logFile: this.logFile('temporal'),
    });
    this.temporalAddress = address;
    this.temporalSpec = spec;
    await this.startTemporalAgain();
  }

  private temporalSpec: Parameters<StackProcesses<ProcessName>['start']>[1] | undefined;

  private async startTemporalAgain(): Promise<void> {
    if (this.temporalSpec === undefined) throw new Error('Temporal was not started before');
    await this.start('temporal', this.temporalSpec);
    const connection = await Connection.connect({ address: this.temporalAddress });
    await setUpTemporal(connection, NAMESPACE);
    await connection.close();
  }

  private startProgram(
    name: (typeof PROGRAMS)[number] | 'simulator',
    entry: string,
    ready: () => Promise<boolean>,
  ): Promise<void> {
    const settings = this.settings();
    const logFile = this.logFile(name);
    return this.start(name, nodeProcess({ name, entry, from: 'build', settings, logFile, ready }));
  }

  private settings(): Record<string, string> {
    return {
      ...SETTINGS,
      DATA_DIR: this.folder,
      DATABASE_URL: this.payments.url,
      TEMPORAL_ADDRESS: this.temporalAddress,
      PORT: String(this.ports.api),
      SIMULATOR_PORT: String(this.ports.simulator),
      SIMULATOR_CALLBACK_URL: this.apiUrl,
    };
  }
}

async function prepareServer(folder: string, name: string): Promise<ArchivedPostgres> {
  const own = join(folder, name);
  mkdirSync(own);
  const logFile = join(folder, 'logs', `${name}-postgres.log`);
  return ArchivedPostgres.prepare({ folder: own, port: await freePort(), logFile });
}

async function answersOk(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(3_000) })).ok;
}
