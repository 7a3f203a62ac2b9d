import type { SubscriptionCommandId, SubscriptionId } from '../../domain/shared/ids';
import type { HttpAnswer } from '../../domain/shared/http-answer';
import type { Database, Tx } from '../sql/transaction';

export interface IdempotencyRecord {
  readonly requestHash: string;
  /** What the request moved money with, if it did: payment, operation on one, sub-account, subscription or command. */
  readonly transactionId: string | null;
  readonly attemptId: string | null;
  readonly subAccountId: string | null;
  readonly subscriptionId: SubscriptionId | null;
  readonly subscriptionCommandId: SubscriptionCommandId | null;
  /** Null until the result is known. */
  readonly responseStatus: number | null;
  readonly responseBody: unknown;
}

export interface KeyClaim {
  readonly companyId: number;
  readonly key: string;
  readonly requestHash: string;
  readonly transactionId?: string;
  readonly attemptId?: string;
  readonly subscriptionId?: SubscriptionId;
  readonly subscriptionCommandId?: SubscriptionCommandId;
  /** When the key can be deleted; absent if it is kept for ever, because the request moves money. */
  readonly expiresAt?: Date;
}

/** One row per company and key. Those of requests that move money are never deleted: a resent request never charges twice. */
export class IdempotencyRepository {
  constructor(private readonly db: Database) {}

  /** Claims a key in the transaction that creates what it names. False if the key is in use. */
  async claim(tx: Tx, claim: KeyClaim): Promise<boolean> {
    const { companyId, key, requestHash, transactionId = null, attemptId = null } = claim;
    const { subscriptionId = null, subscriptionCommandId = null, expiresAt = null } = claim;
    const row = await this.db.queryOne(
      `INSERT INTO idempotency_keys
         (company_id, key, request_hash, transaction_id, attempt_id, subscription_id, subscription_command_id, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT DO NOTHING RETURNING key`,
      [
        companyId,
        key,
        requestHash,
        transactionId,
        attemptId,
        subscriptionId,
        subscriptionCommandId,
        expiresAt,
      ],
      tx,
    );
    return row !== null;
  }

  /** Sets the sub-account of a key claimed in this transaction: its id is known only after its upsert. */
  async setSubAccount(tx: Tx, { companyId, key }: KeyClaim, subAccountId: string): Promise<void> {
    await this.db.query(
      'UPDATE idempotency_keys SET sub_account_id = $3 WHERE company_id = $1 AND key = $2',
      [companyId, key, subAccountId],
      tx,
    );
  }

  async find(companyId: number, key: string): Promise<IdempotencyRecord | null> {
    return this.db.queryOne<IdempotencyRecord>(
      `SELECT request_hash AS "requestHash", transaction_id AS "transactionId", attempt_id AS "attemptId",
         sub_account_id AS "subAccountId", subscription_id AS "subscriptionId",
         subscription_command_id AS "subscriptionCommandId", response_status AS "responseStatus", response_body AS "responseBody"
       FROM idempotency_keys WHERE company_id = $1 AND key = $2`,
      [companyId, key],
    );
  }

  /** Records the answer that every resent request gets. Does nothing without a key, or if one is recorded. */
  async recordAnswer(
    tx: Tx,
    { companyId, key }: { readonly companyId: number; readonly key: string | null },
    answer: HttpAnswer,
  ): Promise<void> {
    if (key === null) return;
    await this.db.query(
      `UPDATE idempotency_keys SET response_status = $3, response_body = $4
       WHERE company_id = $1 AND key = $2 AND response_status IS NULL`,
      [companyId, key, answer.status, JSON.stringify(answer.body)],
      tx,
    );
  }

  /** Deletes at most `limit` keys that have expired; returns how many. */
  async deleteExpired(limit: number, now: Date): Promise<number> {
    return this.db.execute(
      `DELETE FROM idempotency_keys WHERE (company_id, key) IN (
         SELECT company_id, key FROM idempotency_keys WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [now, limit],
    );
  }
}
