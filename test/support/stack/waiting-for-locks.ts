import type { Database } from '../../../src/persistence/sql/transaction';

/** How many statements of this database wait for a row that somebody else has locked. */
export async function waitingForLocks(db: Database): Promise<number> {
  const row = await db.queryOne<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}
