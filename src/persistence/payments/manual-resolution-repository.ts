import type { ResolutionOutcome } from '../../domain/payments/manual-resolution';
import type { Database, Tx } from '../sql/transaction';

/** What an operator decided about an attempt in manual review. */
export interface NewManualResolution {
  readonly id: string;
  readonly companyId: number;
  readonly paymentId: number;
  readonly attemptId: string;
  readonly outcome: ResolutionOutcome;
  readonly reason: string;
  /** The gateway's id of a `paid` charge, if the operator knows it. Later operations need it. */
  readonly gatewayTransactionId: string | null;
  readonly userId: number;
  /** The id of the HTTP request. */
  readonly requestId: string;
}

/** `superseded`: the attempt got its result in another way, so the resolution changed nothing. */
export type ManualResolutionStatus = 'requested' | 'applied' | 'superseded';

export interface ManualResolutionRecord extends NewManualResolution {
  readonly status: ManualResolutionStatus;
}

const COLUMNS = `id, company_id AS "companyId", payment_id AS "paymentId", attempt_id AS "attemptId", outcome, reason,
  gateway_transaction_id AS "gatewayTransactionId", user_id AS "userId", request_id AS "requestId", status`;

/** The one owner of `manual_resolutions`. Its callers have locked the payment. */
export class ManualResolutionRepository {
  constructor(private readonly db: Database) {}

  /** False, and nothing is inserted, if the attempt has a resolution that is not applied yet. */
  async insert(tx: Tx, resolution: NewManualResolution, now: Date): Promise<boolean> {
    const { id, companyId, paymentId, attemptId, outcome, reason } = resolution;
    const { gatewayTransactionId, userId, requestId } = resolution;
    const row = await this.db.queryOne(
      `WITH added AS (
         INSERT INTO manual_resolutions
           (id, company_id, payment_id, attempt_id, outcome, reason, gateway_transaction_id, user_id, request_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (attempt_id) WHERE status = 'requested' DO NOTHING RETURNING id, attempt_id)
       UPDATE gateway_attempts SET open_resolution_id = added.id FROM added
        WHERE gateway_attempts.id = added.attempt_id RETURNING gateway_attempts.id`,
      [
        ...[id, companyId, paymentId, attemptId, outcome, reason],
        ...[gatewayTransactionId, userId, requestId, now],
      ],
      tx,
    );
    return row !== null;
  }

  /** Null if the payment has no such resolution. */
  async find(paymentId: number, id: string): Promise<ManualResolutionRecord | null> {
    return this.db.queryOne<ManualResolutionRecord>(
      `SELECT ${COLUMNS} FROM manual_resolutions WHERE payment_id = $1 AND id = $2`,
      [paymentId, id],
    );
  }

  /** False if it is closed already, so that a retried activity changes nothing. */
  async close(tx: Tx, id: string, status: 'applied' | 'superseded', now: Date): Promise<boolean> {
    const row = await this.db.queryOne(
      `WITH closed AS (
         UPDATE manual_resolutions SET status = $2, closed_at = $3 WHERE id = $1 AND status = 'requested'
         RETURNING id, attempt_id)
       UPDATE gateway_attempts SET open_resolution_id = NULL FROM closed
        WHERE gateway_attempts.id = closed.attempt_id RETURNING gateway_attempts.id`,
      [id, status, now],
      tx,
    );
    return row !== null;
  }
}
