import type { SettlementItem } from '../../domain/settlement/settlement-item';
import { newSettlementItemId } from '../../domain/shared/ids';
import type { Database, Tx } from '../sql/transaction';
import type { SettlementRecord } from './settlement-repository';

/** The one owner of `settlement_items`. */
export class SettlementItemRepository {
  constructor(private readonly db: Database) {}

  /** A difference that was found before is not added again. */
  async insert(
    tx: Tx,
    { id, companyId }: Pick<SettlementRecord, 'id' | 'companyId'>,
    items: readonly SettlementItem[],
    now: Date,
  ): Promise<void> {
    if (items.length === 0) return;
    const rows = items.map((item) => ({
      id: newSettlementItemId(),
      kind: item.kind,
      line_number: item.lineNumber,
      entry_id: item.expected?.entryId ?? null,
      posting: item.expected?.posting ?? null,
      transaction_id: item.transactionId,
      currency: item.currency,
      expected_cents: item.expectedCents,
      actual_cents: item.actualCents,
    }));
    await this.db.execute(INSERT, [id, companyId, JSON.stringify(rows), now], tx);
  }

  /** A person's decision about an item. False if it is settled already, or is not the company's. */
  async settle(
    tx: Tx,
    companyId: number,
    id: string,
    { reason, userId, at }: { readonly reason: string; readonly userId: number; readonly at: Date },
  ): Promise<boolean> {
    const changed = await this.db.execute(
      `UPDATE settlement_items SET status = 'settled', reason = $3, settled_by = $4, settled_at = $5
        WHERE id = $2 AND company_id = $1 AND status = 'open'`,
      [companyId, id, reason, userId, at],
      tx,
    );
    return changed === 1;
  }
}

const INSERT = `
  INSERT INTO settlement_items (id, company_id, settlement_id, kind, line_number, entry_id, posting, transaction_id, currency,
    expected_cents, actual_cents, created_at)
  SELECT id, $2, $1, kind, line_number, entry_id, posting, transaction_id, currency, expected_cents, actual_cents, $4
    FROM json_to_recordset($3::json) AS item (id uuid, kind text, line_number int, entry_id uuid, posting int,
      transaction_id uuid, currency text, expected_cents bigint, actual_cents bigint)
  ON CONFLICT DO NOTHING`;
