import type { Database } from '../sql/transaction';

/**
 * Whether the database is being restored, kept in memory so that requests need no statement for it. A process reads it before it
 * does anything and again every second. That is enough because a restore begins before any process is started.
 */
export class RestoreState {
  private inProgress = false;
  private lostCharges = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly db: Database) {}

  /** While true, nothing that moves money may be sent. */
  get isInProgress(): boolean {
    return this.inProgress;
  }

  /** Whether gateways have charges that this database lost, so that a new payment may be for one of them. */
  get hasLostCharges(): boolean {
    return this.lostCharges;
  }

  async refresh(): Promise<void> {
    const row = await this.db.queryOne<{ inProgress: boolean; lostCharges: boolean }>(
      `SELECT EXISTS (SELECT FROM restores WHERE finished_at IS NULL) AS "inProgress",
         EXISTS (SELECT FROM restored_charges WHERE state IN ('waiting', 'settled') AND holds = 'money') AS "lostCharges"`,
    );
    if (row === null) throw new Error('the state of a restore cannot be read');
    this.inProgress = row.inProgress;
    this.lostCharges = row.lostCharges;
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
