import type { PersonalContent, PersonalDataCipher } from '../../domain/customers/personal-data';
import type { SubscriptionCommandId, SubscriptionId } from '../../domain/shared/ids';
import type { HttpAnswer } from '../../domain/shared/http-answer';
import { openContent, sealContent, sealedContentOf, type StoredContent } from '../customers/personal-content';
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
  /** By each key; the first one is stored. */
  readonly requestHashes: readonly [current: string, ...older: string[]];
  readonly transactionId?: string;
  readonly attemptId?: string;
  readonly subscriptionId?: SubscriptionId;
  readonly subscriptionCommandId?: SubscriptionCommandId;
  /** When the key can be deleted; absent if it is kept for ever, because the request moves money. */
  readonly expiresAt?: Date;
}

/** One row per company and key. Those of requests that move money are never deleted: a resent request never charges twice. */
export class IdempotencyRepository {
  constructor(
    private readonly db: Database,
    private readonly cipher: PersonalDataCipher,
  ) {}

  /** Claims a key in the transaction that creates what it names. False if the key is in use. */
  async claim(tx: Tx, claim: KeyClaim): Promise<boolean> {
    const { companyId, key, requestHashes, transactionId = null, attemptId = null } = claim;
    const { subscriptionId = null, subscriptionCommandId = null, expiresAt = null } = claim;
    const row = await this.db.queryOne(
      `INSERT INTO idempotency_keys
         (company_id, key, request_hash, transaction_id, attempt_id, subscription_id, subscription_command_id, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT DO NOTHING RETURNING key`,
      [
        companyId,
        key,
        requestHashes[0],
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
    const row = await this.db.queryOne<Omit<IdempotencyRecord, 'responseBody'> & StoredContent>(
      `SELECT request_hash AS "requestHash", transaction_id AS "transactionId", attempt_id AS "attemptId",
         sub_account_id AS "subAccountId", subscription_id AS "subscriptionId",
         subscription_command_id AS "subscriptionCommandId", response_status AS "responseStatus", response_body AS content, ${sealedContentOf('k')}
       FROM idempotency_keys k WHERE company_id = $1 AND key = $2`,
      [companyId, key],
    );
    if (row === null) return null;
    const { content, customerKey, personalData, ...record } = row;
    const stored = { content, customerKey, personalData };
    return { ...record, responseBody: await openContent(this.cipher, stored, recordOf(companyId, key)) };
  }

  /**
   * Records the answer that every resent request gets. Does nothing without a key, or if one is recorded.
   *
   * @param personal Whose personal data the answer shows; it is sealed.
   */
  async recordAnswer(
    tx: Tx,
    { companyId, key }: { readonly companyId: number; readonly key: string | null },
    answer: HttpAnswer,
    personal: PersonalContent | null = null,
  ): Promise<void> {
    if (key === null) return;
    const sealed = await sealContent(this.cipher, answer.body, personal, recordOf(companyId, key));
    await this.db.query(
      `UPDATE idempotency_keys SET response_status = $3, response_body = $4, customer_id = $5, personal_data = $6
       WHERE company_id = $1 AND key = $2 AND response_status IS NULL`,
      [companyId, key, answer.status, sealed.content, sealed.customerId, sealed.personalData],
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

function recordOf(companyId: number, key: string): string {
  return `idempotency_keys:${companyId}:${key}`;
}
