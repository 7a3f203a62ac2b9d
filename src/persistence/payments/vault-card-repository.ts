import type { VaultCardId } from '../../domain/shared/ids';
import type { SealedValue } from '../../domain/shared/sealed-value';
import { VaultCardModel } from '../models/vault-card';
import { PreparedTable } from '../sql/prepared-table';
import type { Database, Tx } from '../sql/transaction';

export interface VaultCardRow {
  readonly id: VaultCardId;
  readonly companyId: number;
  readonly sealedNumber: SealedValue;
  readonly sealedCvv: SealedValue | null;
  readonly cvvExpiresAt: Date | null;
}

/** No customer has the vault card `v` saved, and no subscription goes on charging it. */
const NOBODY_KEEPS = `NOT EXISTS (SELECT 1 FROM customer_cards c WHERE c.vault_card_id = v.id AND c.deleted_at IS NULL)
          AND NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.vault_card_id = v.id AND s.status <> 'canceled')`;

/** Nor is a subscription to take it, once what it waits for is over. */
const NOBODY_TAKES = `NOT EXISTS (SELECT 1 FROM subscription_commands k WHERE k.status IN ('requested', 'taken')
                               AND k.kind = 'change_card' AND k.details #>> '{card,vaultCardId}' = v.id::text)`;

/** The card vault's table: sealed values in, sealed values out. Only `CardVault` uses it. */
export class VaultCardRepository {
  private readonly table: PreparedTable<VaultCardModel>;

  constructor(private readonly database: Database) {
    this.table = new PreparedTable(database, VaultCardModel);
  }

  async insert(row: VaultCardRow, tx: Tx): Promise<void> {
    await this.table.insert(row, tx);
  }

  /** A CVV whose time is over is not there any more, swept or not. */
  async find(
    companyId: number,
    id: VaultCardId,
  ): Promise<Pick<VaultCardRow, 'id' | 'sealedNumber' | 'sealedCvv'> | null> {
    return this.database.queryOne(
      `SELECT id, sealed_number AS "sealedNumber",
              CASE WHEN cvv_expires_at > now() THEN sealed_cvv END AS "sealedCvv"
         FROM vault_cards WHERE company_id = $1 AND id = $2`,
      [companyId, id],
    );
  }

  async forgetCvv(companyId: number, id: VaultCardId, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE vault_cards SET sealed_cvv = NULL, cvv_expires_at = NULL
        WHERE company_id = $1 AND id = $2 AND sealed_cvv IS NOT NULL`,
      [companyId, id],
      tx,
    );
  }

  async removeUnlessKept(companyId: number, id: VaultCardId, tx: Tx): Promise<void> {
    await this.database.query(
      `DELETE FROM vault_cards v WHERE company_id = $1 AND id = $2
          AND ${NOBODY_KEEPS}`,
      [companyId, id],
      tx,
    );
  }

  /**
   * Judges numbers that a customer or a subscription let go of, and erases those that nobody else keeps; one that is
   * kept is listed again by whoever lets go of it next. A payment that is being charged keeps its card's number, and
   * the number its place in the list, until it is settled. Such a payment always has a `recover_after`, so the partial index
   * on it finds the few that there are.
   */
  async removeForsaken(limit: number): Promise<number> {
    const removed = await this.database.query(
      `WITH judged AS MATERIALIZED (
         SELECT f.id, f.vault_card_id FROM cards_pending_erasure f
          WHERE NOT EXISTS (SELECT 1 FROM payments p WHERE p.recover_after IS NOT NULL
                               AND p.vault_card_id = f.vault_card_id AND p.status = 'processing')
          ORDER BY f.id LIMIT $1 FOR UPDATE OF f SKIP LOCKED),
       delisted AS (
         DELETE FROM cards_pending_erasure WHERE id IN (SELECT id FROM judged))
       DELETE FROM vault_cards v WHERE id IN (SELECT vault_card_id FROM judged)
          AND ${NOBODY_KEEPS} AND ${NOBODY_TAKES}
        RETURNING id`,
      [limit],
    );
    return removed.length;
  }

  /** Skips rows that a payment holds at this moment; the next sweep takes them. */
  async forgetExpiredCvvs(now: Date, limit: number): Promise<number> {
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
