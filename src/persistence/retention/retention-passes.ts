import type { Database } from '../sql/transaction';

/** What one batch of a pass looked at and deleted. */
export interface RetentionBatch {
  /** The last id that it looked at; null if there was none after the position. */
  readonly position: number | null;
  /** How many of the rows that it looked at are older than the retention, whether or not something still needs them. */
  readonly old: number;
  readonly deleted: number;
}

type RetentionKind = 'event' | 'callback_body';

/** A worker that died in a batch delays the pass by this time. */
const BATCH_TIMEOUT_MS = 60_000;
/** From the end of a pass to the next one, which looks again at what was still needed. */
const PAUSE_MS = 3_600_000;

/**
 * Owns `retention_passes`. A pass never reads more than the rows that are old enough: its batches go through the table by
 * id, and it ends at the first batch without an old row. So its cost does not grow with the table, and needs no index.
 */
export class RetentionPasses {
  constructor(private readonly db: Database) {}

  /** Does the next batch, unless none is due or another worker does it. Returns how many rows it deleted. */
  async next(
    kind: RetentionKind,
    now: Date,
    work: (position: number) => Promise<RetentionBatch>,
  ): Promise<number> {
    const claimed = await this.db.queryOne<{ position: number }>(
      `UPDATE retention_passes SET due_at = $3 WHERE kind = $1 AND due_at <= $2 RETURNING position`,
      [kind, now, new Date(now.getTime() + BATCH_TIMEOUT_MS)],
    );
    if (claimed === null) return 0;
    const { position, old, deleted } = await work(claimed.position);
    const isOver = position === null || old === 0;
    await this.db.execute('UPDATE retention_passes SET position = $2, due_at = $3 WHERE kind = $1', [
      kind,
      isOver ? 0 : position,
      isOver ? new Date(now.getTime() + PAUSE_MS) : now,
    ]);
    return deleted;
  }
}
