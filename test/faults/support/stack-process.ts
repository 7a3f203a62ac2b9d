import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { loadConfig } from '../../../src/config';
import { build } from '../../../src/dev/build/build';
import { nodeProcess } from '../../../src/dev/node-process';
import { SupervisedProcess, type ProcessSpec } from '../../../src/dev/supervised-process';
import { preparePostgres } from '../../../src/dev/servers/postgres';
import { identifyProcess, type ProcessIdentity } from '../../../src/dev/process-identity';
import { RunRecord } from '../../../src/dev/run-record';
import { findTemporalCli } from '../../../src/dev/servers/temporal-cli';
import { temporalServerProcess } from '../../../src/dev/servers/temporal-server';
import { migrate } from '../../../src/persistence/sql/migrator';
import { setUpTemporal } from '../../../src/temporal/setup';
import { PARTS, type ProgramName, type StackMessage, type StackOrder } from './stack-messages';
import type { ProcessName } from './stack-messages';

/**
 * The fault stack's own process: it supervises every part as `npm start` does, with two workers, and ends with its
 * parent. Who kills the parts is its parent, which learns every new process id from here.
 */

const NAMESPACE = 'default';
const FINISH_WITHIN_MS = 4_000;
const STOP_WITHIN_MS = 3_000;

class FaultStackProcess {
  private readonly record: RunRecord;
  private readonly parts = new Map<ProcessName, SupervisedProcess>();

  constructor(
    private readonly order: StackOrder,
    self: ProcessIdentity,
  ) {
    this.record = new RunRecord(order.folder, self);
  }

  async start(): Promise<{ databaseUrl: string }> {
    for (const part of PARTS) mkdirSync(this.failpoints(part), { recursive: true });
    const [databaseUrl] = await Promise.all([
      this.startPostgres(),
      this.startTemporal(),
      build((message) => console.log(message)),
    ]);
    await this.startPrograms(databaseUrl);
    return { databaseUrl };
  }

  async stop(): Promise<void> {
    await this.stopAll(['api', 'worker', 'worker-2'], FINISH_WITHIN_MS);
    await this.stopAll(['simulator', 'temporal', 'postgres'], STOP_WITHIN_MS);
    this.record.remove();
  }

  private async stopAll(names: readonly ProcessName[], withinMs: number): Promise<void> {
    const parts = names.flatMap((name) => this.parts.get(name) ?? []);
    await Promise.all(parts.map((part) => part.stop(withinMs)));
  }

  private async startPostgres(): Promise<string> {
    const { folder, ports } = this.order;
    const logFile = this.log('postgres');
    const postgres = await preparePostgres({ dataDir: folder, port: ports.postgres, logFile, durable: true });
    await this.run('postgres', postgres.part);
    await postgres.createDatabase();
    await migrate(postgres.url);
    return postgres.url;
  }

  private async startTemporal(): Promise<void> {
    const { folder, ports } = this.order;
    const { dataDir, executablePath } = loadConfig();
    const program = await findTemporalCli(dataDir, executablePath, (message) => console.log(message));
    await this.run(
      'temporal',
      temporalServerProcess({
        program,
        port: ports.temporal,
        logFile: this.log('temporal'),
        databaseFile: join(folder, 'temporal.db'),
      }),
    );
    const connection = await Connection.connect({ address: `127.0.0.1:${ports.temporal}` });
    await setUpTemporal(connection, NAMESPACE);
    await connection.close();
  }

  private async startPrograms(databaseUrl: string): Promise<void> {
    const { api, simulator } = this.order.ports;
    const spawned = () => Promise.resolve(true);
    await Promise.all([
      this.startProgram('simulator', 'src/simulator/main', databaseUrl, () =>
        answersOk(`http://127.0.0.1:${simulator}/_admin/ledger`),
      ),
      this.startProgram('worker', 'src/worker', databaseUrl, spawned),
      this.startProgram('worker-2', 'src/worker', databaseUrl, spawned),
      this.startProgram('api', 'src/api', databaseUrl, () =>
        answersOk(`http://127.0.0.1:${api}/health/ready`),
      ),
    ]);
  }

  private startProgram(
    name: ProgramName | 'simulator',
    entry: string,
    databaseUrl: string,
    ready: () => Promise<boolean>,
  ): Promise<void> {
    const { folder, ports, settings, seenThrough } = this.order;
    const servers = (name === 'simulator' ? undefined : seenThrough[name]) ?? ports;
    const seenDatabase = new URL(databaseUrl);
    seenDatabase.port = String(servers.postgres);
    const environment = {
      DATA_DIR: folder,
      DATABASE_URL: seenDatabase.href,
      TEMPORAL_ADDRESS: `127.0.0.1:${servers.temporal}`,
      PORT: String(ports.api),
      SIMULATOR_PORT: String(ports.simulator),
      SIMULATOR_CALLBACK_URL: `http://127.0.0.1:${ports.api}/api/v1`,
      FAILPOINTS_DIR: this.failpoints(name),
      ...settings,
    };
    const logFile = this.log(name);
    return this.run(name, nodeProcess({ name, entry, from: 'build', settings: environment, logFile, ready }));
  }

  private async run(name: ProcessName, spec: ProcessSpec): Promise<void> {
    const part = new SupervisedProcess(spec, {
      started: ({ identity }) => {
        if (identity === undefined) return;
        this.record.started(name, identity);
        tell({ started: { name, identity } });
      },
    });
    this.parts.set(name, part);
    await part.start();
  }

  private log(name: ProcessName): string {
    return join(this.order.folder, 'logs', `${name}.log`);
  }

  private failpoints(name: ProcessName): string {
    return join(this.order.folder, 'failpoints', name);
  }
}

async function answersOk(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(3_000) })).ok;
}

function tell(message: StackMessage): void {
  process.send?.(message);
}

async function main(): Promise<void> {
  const self = identifyProcess(process.pid);
  if (self === null) throw new Error('this system does not tell when a process started');
  const stack = new FaultStackProcess(JSON.parse(process.argv[2] ?? '') as StackOrder, self);
  const end = () => void stack.stop().finally(() => process.exit(0));
  process.once('disconnect', end).once('SIGTERM', end);
  process.on('SIGINT', () => undefined);
  try {
    tell({ ready: await stack.start() });
  } catch (error) {
    tell({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

void main();
