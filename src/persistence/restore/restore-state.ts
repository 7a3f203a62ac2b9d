import type { Database } from '../sql/transaction';

/**
 * Whether the database is being restored, kept in memory so that requests need no statement for it. A process reads it before it
 * does anything and again every second. That is enough because a restore begins before any process is started.
 */
export class RestoreState {
  private inProgress = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly db: Database) {}

  /** While true, nothing that moves money may be sent. */
  get isInProgress(): boolean {
    return this.inProgress;
  }

  async refresh(): Promise<void> {
    const sql = 'SELECT 1 FROM restores WHERE finished_at IS NULL';
    this.inProgress = (await this.db.queryOne(sql)) !== null;
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
