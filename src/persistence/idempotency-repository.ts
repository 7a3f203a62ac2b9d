import type { Database, Tx } from './transaction';

export interface IdempotencyRecord {
  readonly requestHash: string;
  readonly transactionId: string;
  /** Null until the outcome is recorded. */
  readonly responseStatus: number | null;
  readonly responseBody: unknown;
}

/** The truth behind "resending never charges twice": one row per company and key, kept for ever. */
export class IdempotencyRepository {
  constructor(private readonly db: Database) {}

  /** Claims a key inside the transaction that creates what it names. False when it is taken. */
  async claim(
    tx: Tx,
    claim: {
      readonly companyId: number;
      readonly key: string;
      readonly requestHash: string;
      readonly transactionId: string;
    },
  ): Promise<boolean> {
    const row = await this.db.queryOne(
      `INSERT INTO idempotency_keys (company_id, key, request_hash, transaction_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING RETURNING key`,
      [claim.companyId, claim.key, claim.requestHash, claim.transactionId],
      tx,
    );
    return row !== null;
  }

  async find(companyId: number, key: string): Promise<IdempotencyRecord | null> {
    return this.db.queryOne<IdempotencyRecord>(
      `SELECT request_hash AS "requestHash", transaction_id AS "transactionId", response_status AS "responseStatus",
         response_body AS "responseBody"
       FROM idempotency_keys WHERE company_id = $1 AND key = $2`,
      [companyId, key],
    );
  }

  /** Keeps the answer that every resent request gets. The first one stands. */
  async recordAnswer(
    tx: Tx,
    answer: {
      readonly companyId: number;
      readonly key: string;
      readonly status: number;
      readonly body: unknown;
    },
  ): Promise<void> {
    await this.db.query(
      `UPDATE idempotency_keys SET response_status = $3, response_body = $4
       WHERE company_id = $1 AND key = $2 AND response_status IS NULL`,
      [answer.companyId, answer.key, answer.status, JSON.stringify(answer.body)],
      tx,
    );
  }
}
