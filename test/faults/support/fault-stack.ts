import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { loadSandboxConfig } from '../../../src/config';
import type { FailpointName } from '../../../src/failpoints';
import { identifyProcess, signalProcess, type ProcessIdentity } from '../../../src/dev/process-identity';
import { connectDatabase } from '../../../src/persistence/sql/database';
import { Database } from '../../../src/persistence/sql/transaction';
import { createDataConverter, createTemporalClient } from '../../../src/temporal/client';
import { makeStackFolder, removeAbandonedStacks } from '../../support/processes/stack-folder';
import { NAMESPACE } from '../../support/processes/stack-processes';
import { SimulatorControl } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import { machineSlowness } from './slowness';
import type {
  FaultProcessName,
  FaultStackMessage,
  FaultStackSpec,
  PerServer,
  ProxiedProgram,
} from './stack-messages';
import { choosePorts, portsOf, startProxies, type Proxies } from './stack-ports';
import type { TcpProxy } from './tcp-proxy';
import { watchTransitions } from './transitions';

/**
 * Shorter than in production, in proportion: absence is proven later than the send window and the gateway timeout
 * together. The send window is production's: a worker that has just restarted on a busy machine must send within it.
 */
const SHORT_TIMES = {
  GATEWAY_TIMEOUT: '1.5',
  SEND_WINDOW: '2',
  ABSENCE_PROVEN_AFTER: '4',
  STUCK_AFTER: '5',
  PAYMENT_SYNC_TIMEOUT: '4',
  CIRCUIT_OPEN_FOR: '2',
  SWEEP_INTERVAL: '0.5',
  WEBHOOK_RETRY_SCHEDULE: '0.5,0.5,1,1,2,2,5,5,10,10',
  RATE_LIMIT_PUBLIC_PER_MINUTE: '10000',
} as const;

/**
 * A setting for stacks with one kill after another: an inquiry that is lost with its worker takes 5 s and a new worker
 * to be repeated, and the payment must not be marked stuck because of that.
 */
export function lenientStuckAfter(): { readonly STUCK_AFTER: string } {
  return { STUCK_AFTER: String(25 * machineSlowness()) };
}

export const WORKERS = ['worker', 'worker-2'] as const;

interface FaultStackOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether each program connects to Postgres and Temporal through proxies that can inject network faults. */
  readonly proxied?: boolean;
}

const FOLDER_PREFIX = 'payment-engine-faults-';
/** Includes a build and, the first time, the download of the Temporal server. */
const READY_WITHIN_MS = 300_000;
/** A killed process is restarted by its supervisor; the machine may be busy. */
const RESTARTED_WITHIN_MS = 120_000;
/** TaskQueueType in temporal/api/enums/v1/task_queue.proto. */
const WORKFLOW_TASKS = 1;

/**
 * A second stack for fault injection: real processes on durable storage. A killed process is restarted, as under
 * `npm start`.
 */
export class FaultStack {
  /** Including the base path. */
  readonly apiUrl: string;
  readonly simulator: SimulatorControl;
  private readonly processes = new Map<FaultProcessName, ProcessIdentity>();
  private connections: { readonly db: Database; readonly temporal: Client } | undefined;

  private constructor(
    readonly spec: FaultStackSpec,
    private readonly child: ChildProcess,
    private readonly proxies: Proxies,
  ) {
    this.apiUrl = `http://127.0.0.1:${spec.ports.api}/api/v1`;
    this.simulator = new SimulatorControl(`http://127.0.0.1:${spec.ports.simulator}`);
  }

  static async start(options: FaultStackOptions = {}): Promise<FaultStack> {
    await removeAbandonedStacks(FOLDER_PREFIX);
    const ports = await choosePorts();
    const proxies: Proxies = options.proxied === true ? await startProxies(ports) : new Map();
    const spec: FaultStackSpec = {
      folder: makeStackFolder(FOLDER_PREFIX),
      ports,
      settings: { ...SHORT_TIMES, ...options.settings },
      proxyPorts: Object.fromEntries([...proxies].map(([name, servers]) => [name, portsOf(servers)])),
    };
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', join(__dirname, 'stack-process.ts'), JSON.stringify(spec)],
      { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true },
    );
    const stack = new FaultStack(spec, child, proxies);
    try {
      await stack.connect();
    } catch (error) {
      await stack.stopProcesses();
      throw error;
    }
    return stack;
  }

  get db(): Database {
    return this.connected().db;
  }

  get temporal(): Client {
    return this.connected().temporal;
  }

  /** Stops every process and removes their data. */
  async stop(): Promise<void> {
    await Promise.all([this.connections?.db.close(), this.connections?.temporal.connection.close()]);
    await this.stopProcesses();
    rmSync(this.spec.folder, { recursive: true, force: true });
  }

  /** Stops every process and keeps logs and data, for finding the cause of a failure. */
  async stopProcesses(): Promise<void> {
    if (this.child.exitCode !== null || !this.child.connected) return;
    const exited = once(this.child, 'exit');
    this.child.disconnect();
    await exited;
    await Promise.all(
      [...this.proxies.values()].flatMap(({ postgres, temporal }) => [postgres.stop(), temporal.stop()]),
    );
  }

  /** The proxy between a program and a server. */
  proxy(program: ProxiedProgram, server: keyof PerServer<TcpProxy>): TcpProxy {
    const proxies = this.proxies.get(program);
    if (proxies === undefined) throw new Error('this stack was started without proxies');
    return proxies[server];
  }

  processOf(name: FaultProcessName): ProcessIdentity {
    const identity = this.processes.get(name);
    if (identity === undefined) throw new Error(`the ${name} never started`);
    return identity;
  }

  /**
   * `kill -9` of the process alone; its supervisor restarts it. The backends of a killed Postgres exit a few statements
   * later, when they notice: this returns when they have.
   */
  async kill(name: FaultProcessName): Promise<void> {
    const identity = this.processOf(name);
    const backends = name === 'postgres' ? childrenOf(identity.pid) : [];
    signalProcess(identity, 'SIGKILL');
    await waitFor(() => backends.every((pid) => identifyProcess(pid) === null), {
      what: 'the Postgres backends to exit',
      everyMs: 5,
    });
  }

  /** SIGSTOP, for Postgres of all its processes; returns the function that resumes them. */
  freeze(name: FaultProcessName): () => void {
    const { pid } = this.processOf(name);
    const pids = name === 'postgres' ? [pid, ...childrenOf(pid)] : [pid];
    for (const each of pids) signal(each, 'SIGSTOP');
    return () => {
      for (const each of pids) signal(each, 'SIGCONT');
    };
  }

  /** Resumes a process that stopped itself at a failpoint. */
  resume(name: FaultProcessName): void {
    signalProcess(this.processOf(name), 'SIGCONT');
  }

  /**
   * Makes the first of these processes that reaches the failpoint kill or stop itself there, once. With a company, only
   * work for that company triggers it.
   */
  arm<Name extends FaultProcessName>(
    failpoint: FailpointName,
    action: 'kill' | 'stop',
    names: readonly Name[],
    companyId?: number,
  ): ArmedFailpoint<Name> {
    const files = names.map((name) => {
      const file = join(this.spec.folder, 'failpoints', name, `${failpoint}.${action}`);
      // Renamed into place: an empty file would be triggered by any company.
      writeFileSync(`${file}.new`, companyId === undefined ? '' : String(companyId));
      renameSync(`${file}.new`, file);
      return { name, file };
    });
    return {
      triggered: async () => {
        const first = await waitFor(() => files.find(({ file }) => !existsSync(file)), {
          what: `a ${names.join(' or ')} to reach ${failpoint}`,
          withinMs: RESTARTED_WITHIN_MS,
          everyMs: 5,
        });
        for (const { file } of files) rmSync(file, { force: true });
        return first.name;
      },
    };
  }

  /** Returns when both workers, under their current process ids, poll Temporal. */
  async workersReady(): Promise<void> {
    const { connection, options } = this.temporal;
    await waitFor(
      async () => {
        const { pollers } = await connection.workflowService.describeTaskQueue({
          namespace: options.namespace,
          taskQueue: { name: 'payments' },
          taskQueueType: WORKFLOW_TASKS,
        });
        return WORKERS.every((name) =>
          pollers?.some(({ identity }) => identity?.startsWith(`${this.processOf(name).pid}@`)),
        );
      },
      { what: 'both workers to poll', withinMs: RESTARTED_WITHIN_MS },
    );
  }

  /** Returns when the API reports that it is ready. */
  async apiReady(): Promise<void> {
    const { origin } = new URL(this.apiUrl);
    await waitFor(async () => (await fetch(`${origin}/health/ready`)).ok, {
      what: 'the API to be ready',
      withinMs: RESTARTED_WITHIN_MS,
    });
  }

  private connected() {
    if (this.connections === undefined) throw new Error('the stack is not ready');
    return this.connections;
  }

  private async connect(): Promise<void> {
    const { databaseUrl } = await this.readiness();
    const { secrets } = loadSandboxConfig({});
    const db = new Database(connectDatabase(databaseUrl, 3));
    const address = { address: `127.0.0.1:${this.spec.ports.temporal}`, namespace: NAMESPACE };
    const temporal = createTemporalClient(address, createDataConverter(secrets.codecKeys));
    this.connections = { db, temporal };
    await watchTransitions(db);
    await this.workersReady();
  }

  private readiness(): Promise<{ databaseUrl: string }> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => {
        child.disconnect();
        reject(new Error('the fault stack does not become ready'));
      }, READY_WITHIN_MS);
      child.once('exit', () => reject(new Error('the fault stack exited before it was ready')));
      child.on('message', (message: FaultStackMessage) => {
        if ('started' in message) {
          this.processes.set(message.started.name, message.started.identity);
          return;
        }
        clearTimeout(timeout);
        if ('ready' in message) return resolve(message.ready);
        child.disconnect();
        reject(new Error(`the fault stack does not start\n${message.failed}`));
      });
    });
  }
}

/** Runs `work` on its own stack. If it fails, the logs and data of all processes are kept. */
export async function withFaultStack(
  options: FaultStackOptions,
  work: (stack: FaultStack) => Promise<void>,
): Promise<void> {
  const stack = await FaultStack.start(options);
  try {
    await work(stack);
  } catch (error) {
    await stack.stopProcesses();
    console.error(`logs and data of the processes are in ${stack.spec.folder}`);
    throw error;
  }
  await stack.stop();
}

export interface ArmedFailpoint<Name> {
  /** Waits for the failpoint; returns which process reached it. */
  triggered(): Promise<Name>;
}

function childrenOf(parent: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, ppid]) => (pid !== undefined && ppid === parent ? [pid] : []));
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
