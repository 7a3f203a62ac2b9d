import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../../../src/dev/build/build';
import { nodeProcess } from '../../../src/dev/node-process';
import type { ProcessIdentity } from '../../../src/dev/process-identity';
import { migrate } from '../../../src/persistence/sql/migrator';
import { StackProcesses } from '../../support/processes/stack-processes';
import {
  PROCESS_NAMES,
  type FaultProcessName,
  type FaultStackMessage,
  type FaultStackSpec,
  type ProxiedProgram,
} from './stack-messages';

/**
 * The fault stack's own process. It supervises the stack's processes as `npm start` does, with two workers, and ends
 * with its parent. The parent injects the faults: it receives every new process id from here.
 */

const FINISH_WITHIN_MS = 4_000;
const STOP_WITHIN_MS = 3_000;

class FaultStackProcess extends StackProcesses<FaultProcessName> {
  constructor(private readonly spec: FaultStackSpec) {
    super(spec.folder);
  }

  async startAll(): Promise<{ databaseUrl: string }> {
    const { ports } = this.spec;
    for (const name of PROCESS_NAMES) mkdirSync(this.failpoints(name), { recursive: true });
    const [databaseUrl] = await Promise.all([
      this.startDatabase(),
      this.startTemporal({ port: ports.temporal, databaseFile: join(this.folder, 'temporal.db') }),
      build((message) => console.log(message)),
    ]);
    await this.startPrograms(databaseUrl);
    return { databaseUrl };
  }

  async stopAll(): Promise<void> {
    await this.stop(['api', 'worker', 'worker-2'], FINISH_WITHIN_MS);
    await this.stop(['simulator', 'temporal', 'postgres'], STOP_WITHIN_MS);
    this.removeRecord();
  }

  protected override onStarted(name: FaultProcessName, identity: ProcessIdentity): void {
    sendToParent({ started: { name, identity } });
  }

  private async startDatabase(): Promise<string> {
    const url = await this.startPostgres({ port: this.spec.ports.postgres, durable: true });
    await migrate(url, 'test');
    return url;
  }

  private async startPrograms(databaseUrl: string): Promise<void> {
    const { api, simulator } = this.spec.ports;
    const spawned = () => Promise.resolve(true);
    await Promise.all([
      this.startProgram('simulator', 'src/simulator/main', databaseUrl, () =>
        respondsOk(`http://127.0.0.1:${simulator}/_admin/ledger`),
      ),
      this.startProgram('worker', 'src/worker', databaseUrl, spawned),
      this.startProgram('worker-2', 'src/worker', databaseUrl, spawned),
      this.startProgram('api', 'src/api', databaseUrl, () =>
        respondsOk(`http://127.0.0.1:${api}/health/ready`),
      ),
    ]);
  }

  private startProgram(
    name: ProxiedProgram | 'simulator',
    entry: string,
    databaseUrl: string,
    ready: () => Promise<boolean>,
  ): Promise<void> {
    const { folder, ports, settings, proxyPorts } = this.spec;
    const servers = (name === 'simulator' ? undefined : proxyPorts[name]) ?? ports;
    const database = new URL(databaseUrl);
    database.port = String(servers.postgres);
    const environment = {
      SANDBOX: 'true',
      DATA_DIR: folder,
      DATABASE_URL: database.href,
      TEMPORAL_ADDRESS: `127.0.0.1:${servers.temporal}`,
      PORT: String(ports.api),
      SIMULATOR_PORT: String(ports.simulator),
      SIMULATOR_CALLBACK_URL: `http://127.0.0.1:${ports.api}/api/v1`,
      FAILPOINTS_DIR: this.failpoints(name),
      ...settings,
    };
    const logFile = this.logFile(name);
    return this.start(
      name,
      nodeProcess({ name, entry, from: 'build', settings: environment, logFile, ready }),
    );
  }

  private failpoints(name: FaultProcessName): string {
    return join(this.folder, 'failpoints', name);
  }
}

async function respondsOk(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(3_000) })).ok;
}

function sendToParent(message: FaultStackMessage): void {
  process.send?.(message);
}

async function main(): Promise<void> {
  const stack = new FaultStackProcess(JSON.parse(process.argv[2] ?? '') as FaultStackSpec);
  const end = () => void stack.stopAll().finally(() => process.exit(0));
  process.once('disconnect', end).once('SIGTERM', end);
  process.on('SIGINT', () => undefined);
  try {
    sendToParent({ ready: await stack.startAll() });
  } catch (error) {
    sendToParent({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

void main();
