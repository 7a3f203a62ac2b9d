import type { VaultCardId } from '../../domain/shared/ids';
import type { SealedValue } from '../../domain/shared/sealed-value';
import { VaultCardModel } from '../models/vault-card';
import { PreparedTable, type PreparedChange, type PreparedQuery } from '../sql/prepared-table';
import type { Database, Tx } from '../sql/transaction';

export interface VaultCardRow {
  readonly id: VaultCardId;
  readonly companyId: number;
  readonly sealedNumber: SealedValue;
  readonly sealedCvv: SealedValue | null;
  readonly cvvExpiresAt: Date | null;
}

/** Neither a saved card nor a subscription uses the vault card `v`. */
const NOT_IN_USE = `NOT EXISTS (SELECT 1 FROM customer_cards c WHERE c.vault_card_id = v.id AND c.deleted_at IS NULL)
          AND NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.vault_card_id = v.id AND s.status <> 'canceled')`;

/** No open `change_card` command will use it. */
const NOT_REQUESTED = `NOT EXISTS (SELECT 1 FROM subscription_commands k WHERE k.status IN ('requested', 'in_progress')
                               AND k.kind = 'change_card' AND k.details #>> '{card,vaultCardId}' = v.id::text)`;

/** Owns `vault_cards`. Handles encrypted values only; used by `CardVault` alone. */
export class VaultCardRepository {
  private readonly table: PreparedTable<VaultCardModel>;

  constructor(private readonly database: Database) {
    this.table = new PreparedTable(database, VaultCardModel);
  }

  async insert(row: VaultCardRow, tx: Tx): Promise<void> {
    await this.table.insert(row, tx);
  }

  /** The same, for one statement with another change. */
  insertion(row: VaultCardRow): PreparedChange {
    return this.table.inserting(row);
  }

  /** An expired CVV is never returned, whether it is erased yet or not. */
  async find(
    companyId: number,
    id: VaultCardId,
  ): Promise<Pick<VaultCardRow, 'id' | 'sealedNumber' | 'sealedCvv'> | null> {
    const values: unknown[] = [];
    return this.database.queryOne(this.query(companyId, id)(values), values);
  }

  /** The same as a part of a statement. */
  query(companyId: number, id: VaultCardId): PreparedQuery {
    return (values) =>
      `SELECT id, sealed_number AS "sealedNumber",
              CASE WHEN cvv_expires_at > now() THEN sealed_cvv END AS "sealedCvv"
         FROM vault_cards WHERE company_id = $${values.push(companyId)} AND id = $${values.push(id)}`;
  }

  cvvErasure(companyId: number, id: VaultCardId): PreparedChange {
    return (values) =>
      `UPDATE vault_cards SET sealed_cvv = NULL, cvv_expires_at = NULL
        WHERE company_id = $${values.push(companyId)} AND id = $${values.push(id)} AND sealed_cvv IS NOT NULL`;
  }

  removalUnlessInUse(companyId: number, id: VaultCardId): PreparedChange {
    return (values) =>
      `DELETE FROM vault_cards v WHERE company_id = $${values.push(companyId)} AND id = $${values.push(id)}
          AND ${NOT_IN_USE}`;
  }

  /**
   * Erases at most `limit` queued cards that nothing uses any more, and returns how many. A card in use leaves the queue
   * without being erased: whatever uses it queues it again later. A card of a payment in progress stays queued. Such a
   * payment always has a `recover_after`, so the partial index on that column finds it.
   */
  async removePendingErasure(limit: number): Promise<number> {
    const removed = await this.database.query(
      `WITH checked AS MATERIALIZED (
         SELECT e.id, e.vault_card_id FROM cards_pending_erasure e
          WHERE NOT EXISTS (SELECT 1 FROM payments p WHERE p.recover_after IS NOT NULL
                               AND p.vault_card_id = e.vault_card_id AND p.status = 'processing')
          ORDER BY e.id LIMIT $1 FOR UPDATE OF e SKIP LOCKED),
       dequeued AS (
         DELETE FROM cards_pending_erasure WHERE id IN (SELECT id FROM checked))
       DELETE FROM vault_cards v WHERE id IN (SELECT vault_card_id FROM checked)
          AND ${NOT_IN_USE} AND ${NOT_REQUESTED}
        RETURNING id`,
      [limit],
    );
    return removed.length;
  }

  /** Returns how many. Skips rows that a payment has locked: the next sweep erases them. */
  async eraseExpiredCvvs(now: Date, limit: number): Promise<number> {
    const swept = await this.database.query(
      `UPDATE vault_cards SET sealed_cvv = NULL, cvv_expires_at = NULL
        WHERE id IN (SELECT id FROM vault_cards WHERE sealed_cvv IS NOT NULL AND cvv_expires_at <= $1
                      ORDER BY cvv_expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
        RETURNING id`,
      [now, limit],
    );
    return swept.length;
  }
}
