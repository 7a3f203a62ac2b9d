import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { loadConfig } from '../../../src/config';
import type { FailpointName } from '../../../src/failpoints';
import { isPortInUse } from '../../../src/dev/ports';
import { identifyProcess, signalProcess, type ProcessIdentity } from '../../../src/dev/process-identity';
import { findOwner, reapProcesses } from '../../../src/dev/run-record';
import { connectDatabase } from '../../../src/persistence/sql/database';
import { Database } from '../../../src/persistence/sql/transaction';
import { createDataConverter, createTemporalClient } from '../../../src/temporal/client';
import { SimulatorControl } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import {
  type ProgramName,
  PROGRAMS,
  type Servers,
  type StackMessage,
  type StackOrder,
} from './stack-messages';
import { machineSlowness } from './slowness';
import { TcpProxy } from './tcp-proxy';
import { watchTransitions } from './transitions';
import type { ProcessName } from './stack-messages';

/**
 * Shortened in proportion: absence is proven later than the send window and the gateway's timeout together. The send
 * window is production's: workers that have just come back on a busy machine must get their requests out in it.
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
 * Under one kill after another an inquiry may be lost with its worker, for 5 s and until there is another one, and is
 * not to end at the desk for that.
 */
export function patientDesk(): { readonly STUCK_AFTER: string } {
  return { STUCK_AFTER: String(25 * machineSlowness()) };
}

export const WORKERS = ['worker', 'worker-2'] as const;
export type WorkerName = (typeof WORKERS)[number];

interface FaultStackOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether each program reaches Postgres and Temporal through networks that can be disturbed. */
  readonly throughNetworks?: boolean;
}

const FOLDER_PREFIX = 'payment-engine-faults-';
/** A build and fetching the Temporal server may be part of it. */
const READY_WITHIN_MS = 300_000;
/** A part that was killed comes back by itself, on a machine that may be busy. */
const BACK_WITHIN_MS = 120_000;
/** TaskQueueType in temporal/api/enums/v1/task_queue.proto. */
const WORKFLOW_TASKS = 1;

/** A second stack, of real processes on durable storage, to be hurt: each part comes back by itself, as in `npm start`. */
export class FaultStack {
  readonly apiUrl: string;
  readonly simulator: SimulatorControl;
  private readonly processes = new Map<ProcessName, ProcessIdentity>();
  private connections: { readonly db: Database; readonly temporal: Client } | undefined;

  private constructor(
    readonly order: StackOrder,
    private readonly child: ChildProcess,
    private readonly networks: Networks,
  ) {
    this.apiUrl = `http://127.0.0.1:${order.ports.api}/api/v1`;
    this.simulator = new SimulatorControl(`http://127.0.0.1:${order.ports.simulator}`);
  }

  static async start(options: FaultStackOptions = {}): Promise<FaultStack> {
    await removeAbandonedStacks();
    const ports = await choosePorts();
    const networks: Networks = options.throughNetworks === true ? await startNetworks(ports) : new Map();
    const order: StackOrder = {
      folder: makeFolder(),
      ports,
      settings: { ...SHORT_TIMES, ...options.settings },
      seenThrough: Object.fromEntries([...networks].map(([name, proxies]) => [name, portsOf(proxies)])),
    };
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', join(__dirname, 'stack-process.ts'), JSON.stringify(order)],
      { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true },
    );
    const stack = new FaultStack(order, child, networks);
    try {
      await stack.connect();
    } catch (error) {
      await stack.end();
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

  /** Ends every part and removes their data. */
  async stop(): Promise<void> {
    await Promise.all([this.connections?.db.close(), this.connections?.temporal.connection.close()]);
    await this.end();
    rmSync(this.order.folder, { recursive: true, force: true });
  }

  /** Ends every part; what they wrote stays, for whoever looks for the cause of a failure. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null || !this.child.connected) return;
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
    await Promise.all(
      [...this.networks.values()].flatMap(({ postgres, temporal }) => [postgres.stop(), temporal.stop()]),
    );
  }

  /** The network between a program and a server. */
  network(program: ProgramName, server: keyof Servers<TcpProxy>): TcpProxy {
    const proxies = this.networks.get(program);
    if (proxies === undefined) throw new Error('this stack was started without networks');
    return proxies[server];
  }

  processOf(name: ProcessName): ProcessIdentity {
    const identity = this.processes.get(name);
    if (identity === undefined) throw new Error(`the ${name} never started`);
    return identity;
  }

  /**
   * `kill -9` of the part's own process id; its supervisor brings it back. Postgres' sessions end by themselves, some
   * statements later, when they notice: returns when they have.
   */
  async kill(name: ProcessName): Promise<void> {
    const identity = this.processOf(name);
    const sessions = name === 'postgres' ? childrenOf(identity.pid) : [];
    signalProcess(identity, 'SIGKILL');
    await waitFor(() => sessions.every((pid) => identifyProcess(pid) === null), {
      what: 'the sessions to end',
      everyMs: 5,
    });
  }

  /** SIGSTOP; call what it returns to let the part run on. Postgres is frozen with all its processes. */
  freeze(name: ProcessName): () => void {
    const { pid } = this.processOf(name);
    const pids = name === 'postgres' ? [pid, ...childrenOf(pid)] : [pid];
    for (const each of pids) signal(each, 'SIGSTOP');
    return () => {
      for (const each of pids) signal(each, 'SIGCONT');
    };
  }

  /** Lets a part that froze itself at a failpoint run on. */
  thaw(name: ProcessName): void {
    signalProcess(this.processOf(name), 'SIGCONT');
  }

  /**
   * Has the first of these parts that comes to the failpoint kill or freeze itself there, once; with a company, the first
   * that comes there for it, so that nothing else that happens to pass sets it off.
   */
  arm<Part extends ProcessName>(
    name: FailpointName,
    action: 'kill' | 'stop',
    parts: readonly Part[],
    companyId?: number,
  ): Trap<Part> {
    const files = parts.map((part) => {
      const file = join(this.order.folder, 'failpoints', part, `${name}.${action}`);
      // Never there without what is in it: an empty one is for everybody.
      writeFileSync(`${file}.new`, companyId === undefined ? '' : String(companyId));
      renameSync(`${file}.new`, file);
      return { part, file };
    });
    return {
      sprung: async () => {
        const struck = await waitFor(() => files.find(({ file }) => !existsSync(file)), {
          what: `a ${parts.join(' or ')} to come to ${name}`,
          withinMs: BACK_WITHIN_MS,
          everyMs: 5,
        });
        for (const { file } of files) rmSync(file, { force: true });
        return struck.part;
      },
    };
  }

  /** Returns when both workers ask Temporal for work, under their present process ids. */
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
      { what: 'both workers to ask for work', withinMs: BACK_WITHIN_MS },
    );
  }

  /** Returns when the API is ready for payments. */
  async apiReady(): Promise<void> {
    const { origin } = new URL(this.apiUrl);
    await waitFor(async () => (await fetch(`${origin}/health/ready`)).ok, {
      what: 'the API to be ready',
      withinMs: BACK_WITHIN_MS,
    });
  }

  private connected() {
    if (this.connections === undefined) throw new Error('the stack is not ready');
    return this.connections;
  }

  private async connect(): Promise<void> {
    const { databaseUrl } = await this.readiness();
    const { secrets } = loadConfig({});
    const db = new Database(connectDatabase(databaseUrl, 3));
    const address = { address: `127.0.0.1:${this.order.ports.temporal}`, namespace: 'default' };
    const temporal = createTemporalClient(address, createDataConverter(secrets.codecKeys));
    this.connections = { db, temporal };
    await watchTransitions(db);
    await this.workersReady();
  }

  private readiness(): Promise<{ databaseUrl: string }> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        child.disconnect();
        reject(new Error('the fault stack does not become ready'));
      }, READY_WITHIN_MS);
      child.once('exit', () => reject(new Error('the fault stack ended before it was ready')));
      child.on('message', (message: StackMessage) => {
        if ('started' in message) {
          this.processes.set(message.started.name, message.started.identity);
          return;
        }
        clearTimeout(late);
        if ('ready' in message) return resolve(message.ready);
        child.disconnect();
        reject(new Error(`the fault stack does not start\n${message.failed}`));
      });
    });
  }
}

/** On a stack of its own; where the work fails, all that its parts wrote stays. */
export async function onStack(
  options: FaultStackOptions,
  work: (stack: FaultStack) => Promise<void>,
): Promise<void> {
  const stack = await FaultStack.start(options);
  try {
    await work(stack);
  } catch (error) {
    await stack.end();
    console.error(`what every part wrote is in ${stack.order.folder}`);
    throw error;
  }
  await stack.stop();
}

export interface Trap<Part> {
  /** Returns which part came to the failpoint. */
  sprung(): Promise<Part>;
}

/** Others may enter it: where we are root, Postgres runs as another user. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  chmodSync(folder, 0o711);
  return folder;
}

/** A run whose process was killed outright could not tidy up. */
async function removeAbandonedStacks(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(FOLDER_PREFIX))) {
    const folder = join(tmpdir(), name);
    if (!existsSync(join(folder, 'processes.json')) || findOwner(folder) !== null) continue;
    await reapProcesses(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Below the range from which systems take the local ports of outgoing connections: a client that tries a dead part's
 * port again and again could otherwise end up connected to itself, and keep the part from coming back.
 */
async function choosePort(taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if (!taken.has(port) && !(await isPortInUse(port))) return port;
  }
}

type Networks = ReadonlyMap<ProgramName, Servers<TcpProxy>>;

async function startNetworks(ports: Servers<number>): Promise<Networks> {
  const networks = new Map<ProgramName, Servers<TcpProxy>>();
  for (const program of PROGRAMS) {
    const postgres = await TcpProxy.start(await choosePort(), ports.postgres);
    const temporal = await TcpProxy.start(await choosePort(), ports.temporal);
    networks.set(program, { postgres, temporal });
  }
  return networks;
}

function portsOf({ postgres, temporal }: Servers<TcpProxy>): Servers<number> {
  return { postgres: postgres.port, temporal: temporal.port };
}

async function choosePorts(): Promise<StackOrder['ports']> {
  const taken = new Set<number>();
  while (taken.size < 4) taken.add(await choosePort(taken));
  const [postgres = 0, temporal = 0, simulator = 0, api = 0] = taken;
  return { postgres, temporal, simulator, api };
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
