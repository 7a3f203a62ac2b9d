import { readFileSync } from 'node:fs';

/** Milliseconds of CPU by name, of processes that were read twice. */
export type CpuUse = Readonly<Record<string, number>>;

export interface CpuReading {
  readonly processes: Readonly<Record<string, number>>;
  readonly postgres: PostgresReading;
}

interface PostgresReading {
  readonly totalMs: number;
  /** Those that serve a session, by process id. */
  readonly backends: ReadonlyMap<number, { readonly database: string; readonly ms: number }>;
}

/** `sysconf(_SC_CLK_TCK)` is 100 on every Linux that Node runs on; proc(5) counts in these. */
const MS_PER_TICK = 10;

/** What processes have used so far, user and system time of all their threads; Postgres with all its children. */
export function readCpu(processes: Readonly<Record<string, number>>, postmaster: number): CpuReading {
  return {
    processes: Object.fromEntries(
      Object.entries(processes).map(([name, pid]) => [name, requireTimes(name, pid).ownMs]),
    ),
    postgres: readPostgres(postmaster),
  };
}

/**
 * What was used between two readings. Postgres is told whole (`postgres`) and by the database its sessions worked for
 * (`postgres/payments`); what is left of it is its background processes and sessions that have ended.
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

/** A child that ended is counted in its parent's `childrenMs`, from its beginning; so the sum never loses any. */
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
  if (times === null) throw new Error(`the ${name} (process ${pid}) is gone`);
  return times;
}

interface CpuTimes {
  readonly ownMs: number;
  /** Of children that ended. */
  readonly childrenMs: number;
}

/** proc(5): utime, stime, cutime and cstime are the 14th to 17th fields of `stat`; the 2nd may hold spaces. */
function readTimes(pid: number): CpuTimes | null {
  const stat = readProc(pid, 'stat');
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, childrenUser, childrenSystem] = fields
    .slice(11, 15)
    .map((ticks) => Number(ticks) * MS_PER_TICK);
  return {
    ownMs: (user ?? 0) + (system ?? 0),
    childrenMs: (childrenUser ?? 0) + (childrenSystem ?? 0),
  };
}

function childrenOf(pid: number): number[] {
  const children = readProc(pid, `task/${pid}/children`) ?? '';
  return children.split(' ').filter(Boolean).map(Number);
}

/** A session's process calls itself `postgres: user database address(port) activity`. */
function databaseOf(pid: number): string | null {
  return /^postgres: \S+ (\S+) \S+\(\d+\)/.exec(readProc(pid, 'cmdline') ?? '')?.[1] ?? null;
}

/** Resident memory in MiB. */
export function residentMib(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(pid, 'status') ?? '') ?? [];
  if (kib === undefined) throw new Error(`process ${pid} is gone`);
  return Number(kib) / 1024;
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}
