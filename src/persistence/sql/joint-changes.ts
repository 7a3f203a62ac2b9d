import type { PreparedChange } from './prepared-table';
import type { Database, Tx } from './transaction';

/** A change that is made with others by one statement. It sees none of theirs, and they see none of its own. */
export interface JointChange {
  readonly change: PreparedChange;
  /** The error if it does not change exactly one row; null if it may change none. */
  readonly unlessOne: string | null;
}

/**
 * The changes as tables for the `WITH` of a statement, with their parameters after those already in `values`. The statement
 * must select `jointCounts`, and its caller must pass them to `assertChanged`.
 */
export function jointTables(changes: readonly JointChange[], values: unknown[]): string[] {
  return changes.map(({ change }, index) => `changed${index} AS (${change(values)} RETURNING 1)`);
}

/** How many rows each of the changes has changed, as one column. */
export function jointCounts(changes: readonly JointChange[]): string {
  const counts = changes.map((_, index) => `(SELECT count(*) FROM changed${index})`);
  return `ARRAY[${counts.join(', ')}]::int[]`;
}

/** @throws the error of the first change that did not change its row: the transaction must not be committed */
export function assertChanged(changes: readonly JointChange[], counts: readonly number[]): void {
  for (const [index, { unlessOne }] of changes.entries())
    if (unlessOne !== null && counts[index] !== 1) throw new Error(unlessOne);
}

/** Makes the changes by one statement. @throws the error of the first change that did not change its row */
export async function changeJointly(db: Database, changes: readonly JointChange[], tx: Tx): Promise<void> {
  const values: unknown[] = [];
  const tables = jointTables(changes, values);
  const sql = `WITH ${tables.join(', ')} SELECT ${jointCounts(changes)} AS counts`;
  const row = await db.queryOne<{ counts: number[] }>(sql, values, tx);
  assertChanged(changes, row?.counts ?? []);
}
