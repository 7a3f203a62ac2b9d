import type { Database, Tx } from '../sql/transaction';

/** Something of a customer that is not finished. */
export interface UnfinishedBusiness {
  readonly kind: 'subscription' | 'payment' | 'dispute';
  /** The public id. */
  readonly id: string;
}

/** Erases customers: the only code that destroys a customer's key. */
export class CustomerErasureRepository {
  constructor(private readonly db: Database) {}

  /** The internal id of a customer who is not erased; null if there is none. */
  async find(companyId: number, token: string): Promise<number | null> {
    const row = await this.db.queryOne<{ id: number }>(
      'SELECT id FROM customers WHERE company_id = $1 AND token = $2 AND erased_at IS NULL',
      [companyId, token],
    );
    return row?.id ?? null;
  }

  /**
   * Like `find`, and locks the customer: nothing can be inserted for a locked customer, and inserts in progress are waited
   * for. Locks the customer's checkout sessions first, as a payment in one of them does, to prevent deadlocks.
   */
  async lock(
    tx: Tx,
    companyId: number,
    token: string,
    documentHashes: readonly string[],
  ): Promise<number | null> {
    await this.db.query(LOCK_SESSIONS, [companyId, token, documentHashes], tx);
    const row = await this.db.queryOne<{ id: number }>(
      `SELECT id FROM customers WHERE company_id = $1 AND token = $2 AND erased_at IS NULL FOR UPDATE`,
      [companyId, token],
      tx,
    );
    return row?.id ?? null;
  }

  /** A live subscription, an open dispute, or a payment that waits for its result, for an operation or for an operator. */
  async findUnfinished(customerId: number, tx?: Tx): Promise<UnfinishedBusiness | null> {
    return this.db.queryOne<UnfinishedBusiness>(
      `SELECT 'subscription' AS kind, uuid AS id FROM subscriptions WHERE customer_id = $1 AND status <> 'canceled'
       UNION ALL
       SELECT 'payment', p.transaction_id FROM payments p
        WHERE p.customer_id = $1
          AND (p.status IN ('processing', 'pending', 'authorized') OR p.stuck_at IS NOT NULL OR EXISTS (
            SELECT 1 FROM gateway_attempts a
             WHERE a.payment_id = p.id AND a.status IN ('requested', 'sent', 'unknown', 'accepted')))
       UNION ALL
       SELECT 'dispute', d.id FROM disputes d JOIN payments p ON p.id = d.payment_id
        WHERE p.customer_id = $1 AND d.status IN ('opened', 'submitted')
       LIMIT 1`,
      [customerId],
      tx,
    );
  }

  /**
   * Destroys the key, which makes everything sealed with it unreadable, and deletes what is stored otherwise: saved cards,
   * the hashes of the name, the buyer of checkout sessions, signed callbacks as received, and what receivers of webhooks
   * answered. Bank accounts of refunds are deleted with their results.
   */
  async erase(tx: Tx, customerId: number, documentHashes: readonly string[], now: Date): Promise<void> {
    await this.db.execute(DELETE_CARDS, [customerId], tx);
    await this.db.execute(FORGET_BUYER, [customerId, now, documentHashes], tx);
    await this.db.execute(FORGET_CALLBACKS, [customerId], tx);
    await this.db.execute(FORGET_RECEIVERS_ANSWERS, [customerId], tx);
    await this.db.execute('DELETE FROM customer_names WHERE customer_id = $1', [customerId], tx);
    // Last, because sessions are found by the hash of the document.
    await this.db.execute(DESTROY_KEY, [customerId, now], tx);
  }
}

/** An earlier key may have made a session's hash. */
const SESSIONS_OF_CUSTOMER = `s.company_id = c.company_id
    AND (s.customer_id = c.id OR s.buyer_document_hash = c.document_hash OR s.buyer_document_hash = ANY($3))`;

const LOCK_SESSIONS = `
  SELECT 1 FROM customers c JOIN checkout_sessions s ON ${SESSIONS_OF_CUSTOMER}
   WHERE c.company_id = $1 AND c.token = $2 ORDER BY s.id FOR UPDATE OF s`;

const DELETE_CARDS = `
  WITH cards AS (DELETE FROM customer_cards WHERE customer_id = $1 RETURNING vault_card_id)
  DELETE FROM vault_cards WHERE id IN (SELECT vault_card_id FROM cards)`;

/** An open session ends, because it could otherwise be paid as the customer. */
const FORGET_BUYER = `
  UPDATE checkout_sessions s SET sealed_buyer = NULL, buyer_document_hash = NULL,
    expires_at = CASE WHEN s.status = 'open' THEN LEAST(s.expires_at, $2) ELSE s.expires_at END
   FROM customers c
  WHERE c.id = $1 AND ${SESSIONS_OF_CUSTOMER}`;

const FORGET_CALLBACKS = `
  UPDATE gateway_callbacks SET raw_body = NULL, headers = NULL
   WHERE payment_id IN (SELECT id FROM payments WHERE customer_id = $1)`;

/** A receiver may answer with the webhook that it got. */
const FORGET_RECEIVERS_ANSWERS = `
  UPDATE webhook_attempts SET response_excerpt = NULL
   WHERE response_excerpt IS NOT NULL AND delivery_id IN (
     SELECT id FROM webhook_deliveries WHERE subject_id IN (
       SELECT transaction_id FROM payments WHERE customer_id = $1
       UNION ALL SELECT uuid FROM subscriptions WHERE customer_id = $1))`;

const DESTROY_KEY = `
  UPDATE customers SET sealed_key = NULL, personal_data = NULL, document_hash = NULL, email_hash = NULL,
    erased_at = $2, updated_at = $2 WHERE id = $1`;
