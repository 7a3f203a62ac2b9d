import type { DueReceipt } from '../../domain/checkout/receipt';
import type { Database, Tx } from '../sql/transaction';

/** An approved payment that may need a receipt. */
interface ApprovedPayment {
  readonly id: number;
  readonly companyId: number;
  readonly checkoutSessionId: number | null;
  readonly subscriptionId: string | null;
}

export interface ReceiptOptions {
  /** Whether this deployment can send mail. */
  readonly isMailSent: boolean;
  /** Whether buyers of test data get receipts: only where mail is stored and reaches nobody. */
  readonly forTestData: boolean;
}

/** Owns `receipts`. A receipt is committed with the approval that it is about, and is handed to the mail server at most once. */
export class ReceiptRepository {
  constructor(
    private readonly db: Database,
    private readonly options: ReceiptOptions,
  ) {}

  /**
   * Makes the receipt of a payment due, unless it has one: of a payment in a checkout session, or of a subscription that began in
   * one. Not if the company has turned receipts off.
   */
  async request(tx: Tx, payment: ApprovedPayment, now: Date): Promise<void> {
    const { id, companyId, checkoutSessionId, subscriptionId } = payment;
    if (!this.options.isMailSent || (checkoutSessionId === null && subscriptionId === null)) return;
    await this.db.execute(
      `INSERT INTO receipts (payment_id, company_id, due_at, created_at)
       SELECT $1, c.id, $3, $3
         FROM companies c LEFT JOIN company_configs g ON g.company_id = c.id
        WHERE c.id = $2 AND coalesce(g.send_receipts, true) AND (c.mode = 'live' OR $4)
          AND ($5 OR EXISTS (SELECT 1 FROM subscriptions s WHERE s.uuid = $6 AND s.checkout_session_id IS NOT NULL))
       ON CONFLICT DO NOTHING`,
      [id, companyId, now, this.options.forTestData, checkoutSessionId !== null, subscriptionId],
      tx,
    );
  }

  /** At most `limit` receipts that are due, oldest first. From now on they count as tried. */
  async claimDue(limit: number, now: Date): Promise<DueReceipt[]> {
    return this.db.query<DueReceipt>(
      `WITH claimed AS (
         UPDATE receipts SET tried_at = $1 WHERE payment_id IN (
           SELECT payment_id FROM receipts WHERE tried_at IS NULL AND due_at <= $1
            ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING payment_id, company_id, created_at)
       SELECT r.payment_id AS "paymentId", r.created_at AS "createdAt", c.timezone,
              coalesce(g.brand_name, c.name) AS merchant, coalesce(s.language, 'pt') AS language,
              coalesce(l.name, pl.name) AS item
         FROM claimed r
         JOIN payments p ON p.id = r.payment_id
         JOIN companies c ON c.id = r.company_id
         LEFT JOIN company_configs g ON g.company_id = c.id
         LEFT JOIN subscriptions sub ON sub.uuid = p.subscription_id
         LEFT JOIN plans pl ON pl.id = sub.plan_id
         LEFT JOIN checkout_sessions s ON s.id = coalesce(p.checkout_session_id, sub.checkout_session_id)
         LEFT JOIN payment_links l ON l.id = s.payment_link_id`,
      [now, limit],
    );
  }

  async markSent({ paymentId }: Pick<DueReceipt, 'paymentId'>, now: Date): Promise<void> {
    await this.db.execute('UPDATE receipts SET sent_at = $2 WHERE payment_id = $1', [paymentId, now]);
  }

  /** The mail server certainly did not take it, so it is sent again, from `at` on. */
  async postpone({ paymentId }: Pick<DueReceipt, 'paymentId'>, at: Date): Promise<void> {
    await this.db.execute(
      'UPDATE receipts SET tried_at = NULL, due_at = $2 WHERE payment_id = $1 AND sent_at IS NULL',
      [paymentId, at],
    );
  }
}
