import type { Database } from '../sql/transaction';
import { LOST } from './restored-charge-repository';

interface StateRow {
  readonly inProgress: boolean;
  readonly restoredTo: Date | null;
  readonly importedCharges: boolean;
  readonly lostCharges: boolean;
}

/**
 * Whether the database is being restored, kept in memory so that requests need no statement for it. A process reads it before it
 * does anything and again every second. That is enough because a restore begins before any process is started.
 */
export class RestoreState {
  private inProgress = false;
  private lostCharges = false;
  private importedCharges = false;
  private moment: Date | null = null;
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

  /** Whether charges were imported after a restore, so that an operation may have been made before it. */
  get hasImportedCharges(): boolean {
    return this.importedCharges;
  }

  /** The moment to which the database was restored last; null if it never was. */
  get restoredTo(): Date | null {
    return this.moment;
  }

  async refresh(): Promise<void> {
    const row = await this.db.queryOne<StateRow>(
      `SELECT EXISTS (SELECT FROM restores WHERE finished_at IS NULL) AS "inProgress",
         (SELECT max(restored_to) FROM restores) AS "restoredTo",
         EXISTS (SELECT FROM restored_charges) AS "importedCharges",
         EXISTS (SELECT FROM restored_charges WHERE ${LOST}) AS "lostCharges"`,
    );
    if (row === null) throw new Error('the state of a restore cannot be read');
    this.inProgress = row.inProgress;
    this.lostCharges = row.lostCharges;
    this.importedCharges = row.importedCharges;
    this.moment = row.restoredTo;
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
