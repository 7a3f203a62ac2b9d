import { readdirSync, readFileSync } from 'node:fs';

/** CPU time in ms by process name, between two readings. */
export type CpuUse = Readonly<Record<string, number>>;

export interface CpuReading {
  readonly processes: Readonly<Record<string, number>>;
  readonly postgres: PostgresReading;
}

interface PostgresReading {
  readonly totalMs: number;
  /** The processes of sessions, by process id. */
  readonly backends: ReadonlyMap<number, { readonly database: string; readonly ms: number }>;
}

/** The unit of CPU times in proc(5): `sysconf(_SC_CLK_TCK)` is 100 on every Linux that Node runs on. */
export const MS_PER_TICK = 10;

/** The user and system time of all threads of each process so far; for Postgres, of all its processes. */
export function readCpu(processes: Readonly<Record<string, number>>, postmaster: number): CpuReading {
  return {
    processes: Object.fromEntries(
      Object.entries(processes).map(([name, pid]) => [name, requireTimes(name, pid).ownMs]),
    ),
    postgres: readPostgres(postmaster),
  };
}

/**
 * The CPU time between two readings. `postgres` is the total, `postgres/payments` that of the sessions with this
 * database. The rest of the total is background processes and sessions that have ended.
 */
export function cpuUsed(before: CpuReading, after: CpuReading): CpuUse {
  const used: Record<string, number> = {};
  for (const [name, ms] of Object.entries(after.processes)) used[name] = ms - (before.processes[name] ?? 0);
  used.postgres = after.postgres.totalMs - before.postgres.totalMs;
  for (const [pid, { database, ms }] of after.postgres.backends) {
    const name = `postgres/${database}`;
    used[name] = (used[name] ?? 0) + ms - (before.postgres.backends.get(pid)?.ms ?? 0);
  }
  return used;
}

/** The whole time of a child that exited is in its parent's `childrenMs`, so the total includes it. */
function readPostgres(postmaster: number): PostgresReading {
  const { ownMs, childrenMs } = requireTimes('postgres', postmaster);
  const backends = new Map<number, { database: string; ms: number }>();
  let totalMs = ownMs + childrenMs;
  for (const pid of childrenOf(postmaster)) {
    const times = readTimes(pid);
    if (times === null) continue;
    totalMs += times.ownMs;
    const database = databaseOf(pid);
    if (database !== null) backends.set(pid, { database, ms: times.ownMs });
  }
  return { totalMs, backends };
}

function requireTimes(name: string, pid: number): CpuTimes {
  const times = readTimes(pid);
  if (times === null) throw new Error(`the ${name} (process ${pid}) does not run`);
  return times;
}

interface CpuTimes {
  readonly title: string;
  readonly parent: number;
  readonly ownMs: number;
  /** Of children that exited. */
  readonly childrenMs: number;
}

/** The CPU time in ms so far of a process's threads, by name; threads with one name are added. */
export function readThreadTimes(pid: number): Map<string, number> {
  const sums = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const times = readTimes(pid, `task/${thread}/stat`);
    if (times === null) continue;
    const name = thread === String(pid) ? 'main thread' : times.title;
    sums.set(name, (sums.get(name) ?? 0) + times.ownMs);
  }
  return sums;
}

/** The user and system time of a process and of its children, with those that exited. */
export function treeCpuMs(root: number): number {
  const { children, times } = readProcesses();
  const reached = [root];
  let ms = 0;
  for (let pid = reached.pop(); pid !== undefined; pid = reached.pop()) {
    const { ownMs = 0, childrenMs = 0 } = times.get(pid) ?? {};
    ms += ownMs + childrenMs;
    reached.push(...(children.get(pid) ?? []));
  }
  return ms;
}

function readProcesses(): { children: Map<number, number[]>; times: Map<number, CpuTimes> } {
  const children = new Map<number, number[]>();
  const times = new Map<number, CpuTimes>();
  for (const pid of readdirSync('/proc').map(Number).filter(Boolean)) {
    const process = readTimes(pid);
    if (process === null) continue;
    times.set(pid, process);
    children.set(process.parent, [...(children.get(process.parent) ?? []), pid]);
  }
  return { children, times };
}

/**
 * Of a process, or of a thread by its own `stat`. proc(5): the title is the 2nd field, in parentheses, and may hold spaces; the
 * parent is the 4th; utime, stime, cutime and cstime are the 14th to 17th.
 */
function readTimes(pid: number, file = 'stat'): CpuTimes | null {
  const stat = readProc(pid, file);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, childrenUser, childrenSystem] = fields
    .slice(11, 15)
    .map((ticks) => Number(ticks) * MS_PER_TICK);
  return {
    title: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
    parent: Number(fields[1]),
    ownMs: (user ?? 0) + (system ?? 0),
    childrenMs: (childrenUser ?? 0) + (childrenSystem ?? 0),
  };
}

function childrenOf(pid: number): number[] {
  const children = readProc(pid, `task/${pid}/children`) ?? '';
  return children.split(' ').filter(Boolean).map(Number);
}

/** The title of a session's process is `postgres: user database address(port) activity`. */
function databaseOf(pid: number): string | null {
  return /^postgres: \S+ (\S+) \S+\(\d+\)/.exec(readProc(pid, 'cmdline') ?? '')?.[1] ?? null;
}

/** Resident memory in MiB. */
export function residentMib(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(pid, 'status') ?? '') ?? [];
  if (kib === undefined) throw new Error(`process ${pid} does not run`);
  return Number(kib) / 1024;
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}
