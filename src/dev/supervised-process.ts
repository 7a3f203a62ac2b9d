import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess, stopProcess, type ProcessIdentity } from './process-identity';
import { waitUntil } from './wait-until';

/** How one operating-system process of the stack is started, recognized as ready, and stopped. */
export interface ProcessSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Run as this user; only root can ask for another. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** A Node program that preloads `end-with-parent`: it gets a channel whose end it notices. */
  readonly endsWithParent?: boolean;
  readonly cwd?: string;
  readonly logFile: string;
  readonly stopSignal: NodeJS.Signals;
  /** Whether it serves; asked until it does. A throw counts as "not yet". */
  readonly ready: () => Promise<boolean>;
}

export interface ProcessEvents {
  /** The process runs, under a new process id. */
  started?(part: SupervisedProcess): void;
  /** The process ended though nobody asked it to. */
  died?(part: SupervisedProcess, how: string): void;
}

const READY_WITHIN_MS = 60_000;
const LOG_END_LINES = 15;
const LOG_LIMIT_BYTES = 20 * 1024 * 1024;
/** A part that dies comes back at once; one that keeps dying, after twice as long each time. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
/** One that stayed up this long counts as sound again. */
const STABLE_AFTER_MS = 3_000;

/** One process of the stack. Once it was ready it is brought back whenever it dies, until it is stopped. */
export class SupervisedProcess {
  private child: ChildProcess | undefined;
  private process: ProcessIdentity | undefined;
  private startedAt = 0;
  private pauseMs = 0;
  private state: 'starting' | 'supervised' | 'stopping' = 'starting';

  constructor(
    readonly spec: ProcessSpec,
    private readonly events: ProcessEvents = {},
  ) {}

  get identity(): ProcessIdentity | undefined {
    return this.process;
  }

  /** Starts the process and waits until it is ready. Throws, with the log's end, when it ends before that or takes too long. */
  async start(): Promise<void> {
    rotateLog(this.spec.logFile);
    this.spawn();
    try {
      await waitUntil(this.spec.name, READY_WITHIN_MS, () => this.child === undefined || this.spec.ready());
    } catch (error) {
      throw new Error(`${this.spec.name} does not become ready\n${logEnd(this.spec.logFile)}`, {
        cause: error,
      });
    }
    if (this.child === undefined) {
      throw new Error(`${this.spec.name} ended at once\n${logEnd(this.spec.logFile)}`);
    }
    this.state = 'supervised';
  }

  /** Asks the process to end, and kills it when it has not after `withinMs`. */
  async stop(withinMs: number): Promise<void> {
    this.state = 'stopping';
    if (this.process !== undefined) await stopProcess(this.process, this.spec.stopSignal, withinMs);
  }

  private spawn(): void {
    const { command, args, endsWithParent, cwd, logFile } = this.spec;
    mkdirSync(dirname(logFile), { recursive: true });
    const log = openSync(logFile, 'a');
    const options: SpawnOptions = {
      // A group of its own: Ctrl-C in the terminal reaches the launcher alone, which stops the parts in order.
      detached: true,
      stdio: endsWithParent === true ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
      env: { ...this.spec.env },
      ...(cwd !== undefined && { cwd }),
      ...this.spec.user,
    };
    const child = spawn(command, [...args], options);
    closeSync(log);
    this.child = child;
    this.startedAt = Date.now();
    this.process = child.pid === undefined ? undefined : (identifyProcess(child.pid) ?? undefined);
    child.once('error', (error) => this.ended(child, error.message));
    child.once('exit', (code, signal) => this.ended(child, signal ?? `exit code ${code}`));
    if (this.process !== undefined) this.events.started?.(this);
  }

  private ended(child: ChildProcess, how: string): void {
    if (this.child !== child) return;
    this.child = undefined;
    if (this.state === 'stopping') return;
    this.events.died?.(this, how);
    if (this.state === 'supervised') void this.restart();
  }

  private async restart(): Promise<void> {
    const sound = Date.now() - this.startedAt > STABLE_AFTER_MS;
    this.pauseMs = sound ? 0 : Math.min(Math.max(2 * this.pauseMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
    await delay(this.pauseMs);
    if (this.state === 'supervised') this.spawn();
  }
}

/** Keeps one older log, so that a long life does not fill the disk. */
function rotateLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
}

function logEnd(file: string): string {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return [`${file} ends with:`, ...lines.slice(-LOG_END_LINES)].join('\n  ');
}
