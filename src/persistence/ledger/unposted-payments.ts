import type { LedgerPayment } from '../../domain/ledger/payment-entries';
import { changeJointly } from '../sql/joint-changes';
import type { Database, Tx } from '../sql/transaction';
import { postedEntries, type NewJournalEntry } from './ledger-repository';

/** Payments with amounts that the ledger does not have. The partial index payments_unposted has this condition. */
const UNPOSTED = `captured_amount_cents <> posted_captured_cents
  OR refunded_amount_cents <> posted_refunded_cents OR coalesce(paid_amount_cents, 0) <> posted_paid_cents`;

/** A payment of which the ledger lacks postings. */
export interface UnpostedPayment extends LedgerPayment {
  readonly id: number;
  readonly companyId: number;
  readonly transactionId: string;
}

/** Posts what the ledger lacks of payments that were changed without it. */
export class UnpostedPayments {
  constructor(private readonly db: Database) {}

  /** Locks at most `limit` of them; those that other transactions have locked are left for the next time. */
  async lock(tx: Tx, limit: number): Promise<UnpostedPayment[]> {
    return this.db.query<UnpostedPayment>(
      `SELECT id, company_id AS "companyId", transaction_id AS "transactionId", amount_cents AS "amountCents", currency,
         payment_method AS "paymentMethod", installments, captured_amount_cents AS "capturedAmountCents",
         refunded_amount_cents AS "refundedAmountCents", paid_amount_cents AS "paidAmountCents",
         posted_captured_cents AS "postedCapturedCents", posted_refunded_cents AS "postedRefundedCents",
         posted_paid_cents AS "postedPaidCents", paid_at AS "paidAt", updated_at AS "updatedAt"
       FROM payments WHERE ${UNPOSTED} ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
      [limit],
      tx,
    );
  }

  /** Posts the entries and marks the payments, which the caller has locked, as posted. */
  async post(tx: Tx, paymentIds: readonly number[], entries: readonly NewJournalEntry[]): Promise<void> {
    const marked = {
      change: (values: unknown[]) => `UPDATE payments SET posted_captured_cents = captured_amount_cents,
         posted_refunded_cents = refunded_amount_cents, posted_paid_cents = coalesce(paid_amount_cents, 0)
       WHERE id = ANY($${values.push(paymentIds)}::bigint[])`,
      unlessOne: null,
    };
    await changeJointly(this.db, [marked, ...postedEntries(entries)], tx);
  }
}
