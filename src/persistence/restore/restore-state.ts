import type { Database } from '../sql/transaction';

interface StateRow {
  readonly inProgress: boolean;
  readonly hasOpenCharges: boolean;
}

/**
 * Whether the database is being restored, kept in memory so that requests need no statement for it. A process reads it before it
 * does anything and again every second. That is enough because a restore begins before any process is started.
 */
export class RestoreState {
  private state: StateRow = { inProgress: false, hasOpenCharges: false };
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly db: Database) {}

  /** While true, nothing that moves money may be sent. */
  get isInProgress(): boolean {
    return this.state.inProgress;
  }

  /** Whether a gateway has charges that this database lost, so that a new payment may be one of them. */
  get hasOpenCharges(): boolean {
    return this.state.hasOpenCharges;
  }

  async refresh(): Promise<void> {
    const row = await this.db.queryOne<StateRow>(
      `SELECT EXISTS (SELECT FROM restores WHERE finished_at IS NULL) AS "inProgress",
         EXISTS (SELECT FROM restored_operations WHERE state IN ('waiting', 'settled')
           AND request_part IS NOT NULL) AS "hasOpenCharges"`,
    );
    if (row !== null) this.state = row;
  }

  /** Reads the state now, and again and again until `close`. A failed read changes nothing: without the database nothing is sent. */
  async watch(intervalMs: number): Promise<void> {
    await this.refresh();
    this.timer = setInterval(() => void this.refresh().catch(() => undefined), intervalMs).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }
}
