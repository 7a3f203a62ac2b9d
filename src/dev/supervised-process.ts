import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess, stopProcess, type ProcessIdentity } from './process-identity';
import { waitUntil } from './wait-until';

/** How one operating system process is started, checked for readiness and stopped. */
export interface ProcessSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Run as this user, which requires root. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** True for a Node program that preloads `exit-with-parent`: it gets an IPC channel. */
  readonly exitsWithParent?: boolean;
  readonly cwd?: string;
  readonly logFile: string;
  readonly stopSignal: NodeJS.Signals;
  /** Polled until it returns true. An exception counts as not ready. */
  readonly ready: () => Promise<boolean>;
}

export interface ProcessEvents {
  /** The process was started or restarted, with a new process id. */
  started?(process: SupervisedProcess): void;
  /** The process exited unexpectedly. `how` is the signal, the exit code or the error. */
  exited?(process: SupervisedProcess, how: string): void;
}

const READY_WITHIN_MS = 60_000;
const LOG_END_LINES = 15;
const LOG_LIMIT_BYTES = 20 * 1024 * 1024;
/** Backoff of repeated restarts; a stable process is restarted immediately. */
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 1_000;
/** A process that ran this long counts as stable. */
const STABLE_AFTER_MS = 3_000;

/** Supervises one process. After it was ready once, it is restarted whenever it exits, until it is stopped. */
export class SupervisedProcess {
  private child: ChildProcess | undefined;
  private process: ProcessIdentity | undefined;
  private startedAt = 0;
  private backoffMs = 0;
  private state: 'starting' | 'supervised' | 'stopping' = 'starting';

  constructor(
    readonly spec: ProcessSpec,
    private readonly events: ProcessEvents = {},
  ) {}

  get identity(): ProcessIdentity | undefined {
    return this.process;
  }

  /** Starts the process and waits until it is ready. Throws with the end of its log if it exits or times out before that. */
  async start(): Promise<void> {
    rotateLog(this.spec.logFile);
    this.spawn();
    try {
      await waitUntil(this.spec.name, READY_WITHIN_MS, () => this.child === undefined || this.spec.ready());
    } catch (error) {
      throw new Error(`${this.spec.name} did not become ready\n${logEnd(this.spec.logFile)}`, {
        cause: error,
      });
    }
    if (this.child === undefined) {
      throw new Error(`${this.spec.name} exited during startup\n${logEnd(this.spec.logFile)}`);
    }
    this.state = 'supervised';
  }

  /** Sends the stop signal, then SIGKILL if the process still runs after `withinMs`. */
  async stop(withinMs: number): Promise<void> {
    this.state = 'stopping';
    if (this.process !== undefined) await stopProcess(this.process, this.spec.stopSignal, withinMs);
  }

  private spawn(): void {
    const { command, args, exitsWithParent: endsWithParent, cwd, logFile } = this.spec;
    mkdirSync(dirname(logFile), { recursive: true });
    const log = openSync(logFile, 'a');
    const options: SpawnOptions = {
      // A separate process group: Ctrl-C in the terminal reaches only the launcher, which stops the processes in order.
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
    child.once('error', (error) => this.onExit(child, error.message));
    child.once('exit', (code, signal) => this.onExit(child, signal ?? `exit code ${code}`));
    if (this.process !== undefined) this.events.started?.(this);
  }

  private onExit(child: ChildProcess, how: string): void {
    if (this.child !== child) return;
    this.child = undefined;
    if (this.state === 'stopping') return;
    this.events.exited?.(this, how);
    if (this.state === 'supervised') void this.restart();
  }

  private async restart(): Promise<void> {
    const stable = Date.now() - this.startedAt > STABLE_AFTER_MS;
    this.backoffMs = stable
      ? 0
      : Math.min(Math.max(2 * this.backoffMs, FIRST_BACKOFF_MS), LONGEST_BACKOFF_MS);
    await delay(this.backoffMs);
    if (this.state === 'supervised') this.spawn();
  }
}

/** Keeps one old log file, to limit disk usage. */
function rotateLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
}

function logEnd(file: string): string {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return [`${file} ends with:`, ...lines.slice(-LOG_END_LINES)].join('\n  ');
}
