import type { InferAttributes } from 'sequelize';
import type { DisputeToStart } from '../../domain/disputes/dispute-start';
import type { DisputeId } from '../../domain/shared/ids';
import { DisputeModel } from '../models/dispute';
import type { JointChange } from '../sql/joint-changes';
import { PreparedTable } from '../sql/prepared-table';
import type { Database, Tx } from '../sql/transaction';

export type DisputeRecord = InferAttributes<DisputeModel>;

/** How long a dispute claimed by one sweeper is hidden from the others. */
const SWEEP_RETRY_MS = 60_000;

/** The one owner of `disputes`. */
export class DisputeRepository {
  private readonly table: PreparedTable<DisputeModel>;

  constructor(private readonly db: Database) {
    this.table = new PreparedTable(db, DisputeModel);
  }

  /** For the workflow, whose ids are trusted. */
  async find(id: DisputeId): Promise<DisputeRecord | null> {
    return this.table.findOne({ id });
  }

  /** The same with a row lock. The caller has locked the payment, so that nobody else inserts the dispute meanwhile. */
  async lock(tx: Tx, id: DisputeId): Promise<DisputeRecord | null> {
    return this.table.lockOne({ id }, tx);
  }

  /** A payment's disputes, oldest first. */
  async listByPayment(tx: Tx, paymentId: number): Promise<DisputeRecord[]> {
    return this.table.findAll({ paymentId }, ['openedAt', 'id'], tx);
  }

  inserted(dispute: DisputeRecord): JointChange {
    return { change: this.table.inserting(dispute), unlessOne: 'the dispute exists already' };
  }

  /** A transition of a dispute that the caller has locked. It fails if there was another one meanwhile. */
  changed(
    { id, transitions }: Pick<DisputeRecord, 'id' | 'transitions'>,
    change: Partial<DisputeRecord>,
  ): JointChange {
    const next = { ...change, transitions: transitions + 1 };
    return {
      change: this.table.updating(next, { id, transitions }),
      unlessOne: 'the dispute was not locked',
    };
  }

  /** Counts the event that reminds of the due date, of a dispute that the caller has locked. */
  reminded({ id, evidenceDueAt, eventSequence }: DisputeRecord): JointChange {
    const change = { remindedFor: evidenceDueAt, eventSequence: eventSequence + 1 };
    return {
      change: this.table.updating(change, { id, eventSequence }),
      unlessOne: 'the dispute was not locked',
    };
  }

  /** False if that was so before. */
  async markSubscriptionPaused(tx: Tx, id: DisputeId, now: Date): Promise<boolean> {
    const marked = await this.db.execute(
      'UPDATE disputes SET subscription_paused_at = $2 WHERE id = $1 AND subscription_paused_at IS NULL',
      [id, now],
      tx,
    );
    return marked === 1;
  }

  /** When the sweeper signals the workflow, if that has not made its next step; null if nothing is left to do. */
  async scheduleRecovery(id: DisputeId, recoverAfter: Date | null, tx?: Tx): Promise<void> {
    await this.db.execute('UPDATE disputes SET recover_after = $2 WHERE id = $1', [id, recoverAfter], tx);
  }

  /** At most `limit` disputes past `recover_after`, which is postponed. */
  async claimOverdue(limit: number, now: Date): Promise<DisputeToStart[]> {
    return this.db.query<DisputeToStart>(
      `WITH claimed AS (
         UPDATE disputes SET recover_after = $3
          WHERE id IN (SELECT id FROM disputes WHERE recover_after <= $1
                        ORDER BY recover_after LIMIT $2 FOR UPDATE SKIP LOCKED)
          RETURNING id, company_id, payment_id)
       SELECT claimed.id AS "disputeId", claimed.company_id AS "companyId", p.transaction_id AS "transactionId"
         FROM claimed JOIN payments p ON p.id = claimed.payment_id`,
      [now, limit, new Date(now.getTime() + SWEEP_RETRY_MS)],
    );
  }
}
