import { setTimeout as delay } from 'node:timers/promises';
import type { BenchStack } from './bench-stack';

/** A comment in the benchmark's own frequent statements. */
export const NOT_COUNTED = 'of the benchmark';
/** A Postgres session reports its commits after 10 s of idle time (`PGSTAT_IDLE_INTERVAL`), or every second while busy. */
const REPORTED_MS = 10_500;

const SELECT_COUNTS = `
  SELECT /* ${NOT_COUNTED} */ xact_commit::float8 AS commits,
         (SELECT coalesce(sum(calls), 0)::float8 FROM pg_stat_statements
           WHERE dbid = datid AND query NOT LIKE '%${NOT_COUNTED}%') AS statements
    FROM pg_stat_database WHERE datname = current_database()`;

/** In the service's own database; not those of Temporal. */
export interface Writes {
  readonly statements: number;
  readonly commits: number;
}

interface WritesInTime extends Writes {
  readonly elapsedMs: number;
}

export const NO_WRITES: Writes = { statements: 0, commits: 0 };

export class WriteCounter {
  private last: WritesInTime & { readonly at: number } = { ...NO_WRITES, elapsedMs: 0, at: 0 };

  constructor(private readonly stack: Pick<BenchStack, 'query'>) {}

  /** Waits until all sessions have reported. */
  async sinceLast(): Promise<WritesInTime> {
    await delay(REPORTED_MS);
    const [row = NO_WRITES] = await this.stack.query<Writes>(SELECT_COUNTS);
    const at = Date.now();
    const { last } = this;
    this.last = { ...row, elapsedMs: 0, at };
    return {
      statements: row.statements - last.statements,
      commits: row.commits - last.commits,
      elapsedMs: at - last.at,
    };
  }
}

/** Without what the service makes in the same time without calls. */
export function writesPerCall(counted: WritesInTime, idle: WritesInTime, calls: number): Writes {
  const time = counted.elapsedMs / idle.elapsedMs;
  return {
    statements: (counted.statements - idle.statements * time) / calls,
    commits: (counted.commits - idle.commits * time) / calls,
  };
}
