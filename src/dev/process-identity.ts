import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { waitUntil } from './wait-until';

/** Identifies one process. Process ids are reused; the pair of id and start time is unique. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

/** The process that has this id now; null without one. A zombie does not count. */
export function identifyProcess(pid: number): ProcessIdentity | null {
  const startedAt = process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
  return startedAt === null ? null : { pid, startedAt };
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt;
}

/** Sends `signal`, then SIGKILL if the process still runs after `withinMs`. Never signals another process that reused the id. */
export async function stopProcess(
  identity: ProcessIdentity,
  signal: NodeJS.Signals,
  withinMs: number,
): Promise<void> {
  if (!signalProcess(identity, signal)) return;
  const gone = () => !isRunning(identity);
  try {
    await waitUntil(`process ${identity.pid} exits`, withinMs, gone);
  } catch {
    signalProcess(identity, 'SIGKILL');
    await waitUntil(`process ${identity.pid} is killed`, 5_000, gone);
  }
}

/** Returns false if the process no longer exists. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isRunning(identity)) return false;
  try {
    process.kill(identity.pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** The command line of a process; empty if it does not exist. */
export function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return ps(pid, 'command=');
  } catch {
    return '';
  }
}

/** proc(5): field 3 of `stat` is the state, field 22 the start time in ticks since boot. Field 2 may contain spaces. */
function startFromProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${fields[19]}`;
  } catch {
    return null;
  }
}

function startFromPs(pid: number): string | null {
  try {
    const [state, ...start] = ps(pid, 'stat=,lstart=').split(/\s+/);
    return state === undefined || state.startsWith('Z') ? null : start.join(' ');
  } catch {
    return null;
  }
}

/** Throws if the process does not exist. */
function ps(pid: number, columns: string): string {
  const args = ['-ww', '-o', columns, '-p', String(pid)];
  return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
