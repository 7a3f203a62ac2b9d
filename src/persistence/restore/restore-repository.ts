import type { Database } from '../sql/transaction';

/** A restore that has begun and is not finished. */
export interface RestoreInProgress {
  readonly id: number;
  /** What happened later is missing. */
  readonly restoredTo: Date;
  readonly begunAt: Date;
  /** When charges were imported last; null before. */
  readonly importedAt: Date | null;
}

/** Owns `restores`. */
export class RestoreRepository {
  constructor(private readonly db: Database) {}

  /** Null if one is in progress already. */
  async begin(restoredTo: Date, now: Date): Promise<RestoreInProgress | null> {
    const row = await this.db.queryOne<{ id: number }>(
      `INSERT INTO restores (restored_to, begun_at) VALUES ($1, $2)
       ON CONFLICT ((true)) WHERE finished_at IS NULL DO NOTHING RETURNING id::float8 AS id`,
      [restoredTo, now],
    );
    return row && { id: row.id, restoredTo, begunAt: now, importedAt: null };
  }

  /** Moves every sequence on by a million, so that no number of the lost time is given again. */
  async skipNumbers(): Promise<void> {
    await this.db.query('SELECT skip_lost_numbers()');
  }

  async findInProgress(): Promise<RestoreInProgress | null> {
    return this.db.queryOne<RestoreInProgress>(
      `SELECT id::float8 AS id, restored_to AS "restoredTo", begun_at AS "begunAt", imported_at AS "importedAt"
         FROM restores WHERE finished_at IS NULL`,
    );
  }

  async markImported(id: number, now: Date): Promise<void> {
    await this.db.query('UPDATE restores SET imported_at = $2 WHERE id = $1', [id, now]);
  }

  async finish(id: number, now: Date): Promise<void> {
    await this.db.query('UPDATE restores SET finished_at = $2 WHERE id = $1', [id, now]);
  }
}
