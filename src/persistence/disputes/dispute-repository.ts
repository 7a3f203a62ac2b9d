import type { InferAttributes } from 'sequelize';
import type { DueDisputeMail } from '../../domain/disputes/dispute-mail';
import type { DisputeToStart } from '../../domain/disputes/dispute-start';
import type { DisputeId } from '../../domain/shared/ids';
import { DisputeModel } from '../models/dispute';
import type { JointChange } from '../sql/joint-changes';
import { PreparedTable } from '../sql/prepared-table';
import type { Database, Tx } from '../sql/transaction';

export type DisputeRecord = InferAttributes<DisputeModel>;

/** How long a dispute claimed by one sweeper is hidden from the others. */
const SWEEP_RETRY_MS = 60_000;
const MAIL_RETRY_MS = 600_000;

/** See `blocksCard`. */
export const BLOCKS_CARD = `fraud_card IS NOT NULL AND status <> 'won' AND card_released_at IS NULL`;

export interface CardRelease {
  readonly at: Date;
  readonly userId: number;
  readonly reason: string;
}

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

  /** Counts the event that reminds of the due date, and makes its mail due, of a dispute that the caller has locked. */
  reminded({ id, evidenceDueAt, eventSequence }: DisputeRecord): JointChange {
    const change = {
      remindedFor: evidenceDueAt,
      eventSequence: eventSequence + 1,
      mailDue: 'evidence_due' as const,
    };
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

  /**
   * Releases the card that a dispute of the company blocks, in all its disputes that block it. Returns their ids: none if the
   * dispute blocks no card.
   */
  async releaseCard(
    tx: Tx,
    { companyId, disputeId }: { readonly companyId: number; readonly disputeId: DisputeId },
    { at, userId, reason }: CardRelease,
  ): Promise<DisputeId[]> {
    const rows = await this.db.query<{ id: DisputeId }>(
      `WITH blocking AS (
         SELECT id FROM disputes
          WHERE company_id = $1 AND ${BLOCKS_CARD}
            AND fraud_card = (SELECT fraud_card FROM disputes WHERE id = $2 AND company_id = $1 AND ${BLOCKS_CARD})
          ORDER BY id FOR UPDATE)
       UPDATE disputes d SET card_released_at = $3, card_released_by = $4, card_release_reason = $5, updated_at = $3
         FROM blocking WHERE d.id = blocking.id RETURNING d.id`,
      [companyId, disputeId, at, userId, reason],
      tx,
    );
    return rows.map(({ id }) => id);
  }

  /** At most `limit` mails that are due. Claims them for ten minutes, after which a mail that failed is sent again. */
  async claimDueMails(limit: number, now: Date): Promise<DueDisputeMail[]> {
    return this.db.query<DueDisputeMail>(
      `UPDATE disputes d SET mail_claimed_until = $3 FROM payments p
        WHERE p.id = d.payment_id AND d.id IN (
          SELECT id FROM disputes WHERE mail_due IS NOT NULL AND coalesce(mail_claimed_until, $1) <= $1
           ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING d.id, d.company_id AS "companyId", p.transaction_id AS "transactionId", d.kind, d.amount_cents AS "amountCents",
         d.currency, d.reason_code AS "reasonCode", d.evidence_due_at AS "evidenceDueAt", d.mail_due AS mail`,
      [now, limit, new Date(now.getTime() + MAIL_RETRY_MS)],
    );
  }

  /** The mail was sent. Another one that became due meanwhile stays due. */
  async markMailed({ id, mail }: Pick<DueDisputeMail, 'id' | 'mail'>): Promise<void> {
    await this.db.execute(
      'UPDATE disputes SET mail_due = NULL, mail_claimed_until = NULL WHERE id = $1 AND mail_due = $2',
      [id, mail],
    );
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
