import type { PaymentMethod } from '../../domain/payments/payment';
import type { ReportedCharge, ReportedOperation } from '../../domain/payments/restored/reported-charge';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { REQUEST_PART_LENGTH, type GatewaySecretId, type TransactionId } from '../../domain/shared/ids';
import type { Database, Tx } from '../sql/transaction';

/** A charge that a gateway reports after a restore. */
export interface GatewayCharge extends ReportedCharge {
  readonly gateway: GatewaySlug;
}

/** What the database has of a reported charge. */
export interface ChargeInDatabase {
  readonly companyId: number;
  readonly paymentMethod: PaymentMethod;
  readonly status: string;
  readonly capturedCents: number;
  readonly refundedCents: number;
  /** Whether the payment has the attempt, and the gateway's id that the attempt has. */
  readonly hasAttempt: boolean;
  /** Whether an operation is to be sent, which waits for the end of the restore. */
  readonly hasRequested: boolean;
  readonly gatewayTransactionId: string | null;
}

export interface RestoredOperations {
  readonly operations: readonly ReportedOperation[];
  /** A report did not tell them. */
  readonly isIncomplete: boolean;
}

/** How a reported charge and the database agree. */
export type Comparison =
  | { readonly state: 'matched' }
  | { readonly state: 'waiting'; readonly problem: string }
  /** What remains is done without a person. */
  | { readonly state: 'settled'; readonly reason: string };

/** A charge that the database lost. */
export interface LostCharge {
  readonly id: number;
  readonly restoreId: number;
  readonly gateway: GatewaySlug;
  readonly gatewayTransactionId: string;
  readonly reference: string;
  readonly status: GatewayCharge['status'];
  readonly capturedCents: number;
  readonly refundedCents: number;
  /** The secret that the company uses at the gateway; null for the platform's. */
  readonly secretId: GatewaySecretId | null;
}

export interface WaitingCharge {
  readonly id: number;
  readonly gateway: GatewaySlug;
  readonly gatewayTransactionId: string;
  readonly reference: string;
  readonly amountCents: number;
  readonly problem: string;
}

/**
 * Charges that no payment has again: also what was returned to the customer since, because the request that made it would otherwise be
 * charged anew.
 */
export const LOST = `state IN ('waiting', 'settled') AND (holds = 'money' OR status IN ('refunded', 'canceled'))`;
const UUID_LENGTH = 36;

/** Owns `restored_charges`. */
export class RestoredChargeRepository {
  constructor(private readonly db: Database) {}

  /** What the database has of the charge; null without its payment. */
  async findRecorded(transactionId: TransactionId, reference: string): Promise<ChargeInDatabase | null> {
    return this.db.queryOne<ChargeInDatabase>(
      `SELECT p.company_id::float8 AS "companyId", p.status, p.payment_method AS "paymentMethod", p.captured_amount_cents::float8 AS "capturedCents",
         p.refunded_amount_cents::float8 AS "refundedCents", a.id IS NOT NULL AS "hasAttempt",
         EXISTS (SELECT FROM gateway_attempts r WHERE r.payment_id = p.id AND r.status = 'requested') AS "hasRequested",
         a.gateway_transaction_id AS "gatewayTransactionId"
         FROM payments p
         LEFT JOIN gateway_attempts a ON a.payment_id = p.id AND a.reference = $2 AND a.operation IN ('charge', 'authorize')
        WHERE p.transaction_id = $1`,
      [transactionId, reference],
    );
  }

  /** A charge that was reported before is compared again, unless a person has settled it or a payment has it again. */
  async save(
    restoreId: number,
    reported: GatewayCharge,
    { companyId, requestPart }: { readonly companyId: number | null; readonly requestPart: string | null },
    comparison: Comparison,
    now: Date,
  ): Promise<void> {
    const holds = ['pending', 'authorized', 'approved'].includes(reported.status) ? 'money' : 'none';
    await this.db.query(
      `INSERT INTO restored_charges (restore_id, company_id, gateway_slug, gateway_transaction_id, reference, request_part, holds,
         amount_cents, captured_cents, refunded_cents, changed_at, state, problem, settled_reason, settled_at, status, operations)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
       ON CONFLICT (restore_id, gateway_slug, gateway_transaction_id) DO UPDATE SET holds = $7, captured_cents = $9,
         refunded_cents = $10, changed_at = $11, status = $16, operations = COALESCE($17, restored_charges.operations),
         (state, problem, settled_reason, settled_at) = (SELECT kept.*
           FROM (SELECT $12, $13, $14, $15::timestamptz WHERE restored_charges.state = 'waiting' OR $12 = 'matched'
                 UNION ALL
                 SELECT restored_charges.state, restored_charges.problem, restored_charges.settled_reason,
                        restored_charges.settled_at
                  WHERE restored_charges.state <> 'waiting' AND $12 <> 'matched') AS kept)`,
      [
        restoreId,
        companyId,
        reported.gateway,
        reported.gatewayTransactionId,
        reported.reference,
        requestPart,
        holds,
        reported.amountCents,
        reported.capturedCents,
        reported.refundedCents,
        reported.changedAt,
        comparison.state,
        comparison.state === 'waiting' ? comparison.problem : null,
        comparison.state === 'settled' ? comparison.reason : null,
        comparison.state === 'settled' ? now : null,
        reported.status,
        reported.operations && JSON.stringify(reported.operations),
      ],
    );
  }

  /** The payment of a lost charge that was made for a request with one of these parts. */
  async findLostPayment(companyId: number, parts: readonly string[], tx?: Tx): Promise<TransactionId | null> {
    const row = await this.db.queryOne<{ reference: string }>(
      `SELECT reference FROM restored_charges
        WHERE ${LOST} AND request_part = ANY($2) AND (company_id IS NULL OR company_id = $1)
          AND NOT EXISTS (SELECT FROM payments WHERE transaction_id
                = CASE WHEN request_part IS NOT NULL THEN left(reference, ${UUID_LENGTH})::uuid END)
        ORDER BY id LIMIT 1`,
      [companyId, parts],
      tx,
    );
    return row && (row.reference.slice(0, UUID_LENGTH) as TransactionId);
  }

  /** A lost charge of this payment. Locked until `tx` ends. */
  async lockLost(
    tx: Tx,
    { companyId, transactionId }: { readonly companyId: number; readonly transactionId: string },
    requestPart: string,
  ): Promise<LostCharge | null> {
    return this.db.queryOne<LostCharge>(
      `SELECT r.id::float8 AS id, r.restore_id::float8 AS "restoreId", r.gateway_slug AS gateway, r.gateway_transaction_id AS "gatewayTransactionId", r.reference,
         COALESCE(r.status, 'approved') AS status, r.captured_cents::float8 AS "capturedCents", r.refunded_cents::float8 AS "refundedCents",
         (SELECT secret_id FROM gateway_credentials c WHERE c.company_id = $1 AND c.gateway_slug = r.gateway_slug) AS "secretId"
         FROM restored_charges r
        WHERE ${LOST} AND request_part = $3 AND left(reference, ${UUID_LENGTH}) = $2 AND (company_id IS NULL OR company_id = $1)
        ORDER BY id LIMIT 1 FOR UPDATE OF r`,
      [companyId, transactionId, requestPart],
      tx,
    );
  }

  /** What gateways carried out on the charges of a payment before a restore. */
  async findOperations(tx: Tx, transactionId: string): Promise<RestoredOperations> {
    const rows = await this.db.query<{ operations: readonly ReportedOperation[] | null }>(
      `SELECT operations FROM restored_charges
        WHERE request_part = right(replace($1, '-', ''), ${REQUEST_PART_LENGTH}) AND left(reference, ${UUID_LENGTH}) = $1`,
      [transactionId],
      tx,
    );
    return {
      operations: rows.flatMap(({ operations }) => operations ?? []),
      isIncomplete: rows.some(({ operations }) => operations === null),
    };
  }

  async markAdopted(tx: Tx, id: number): Promise<void> {
    await this.db.query(
      `UPDATE restored_charges SET state = 'adopted', problem = NULL, settled_reason = NULL, settled_at = NULL WHERE id = $1`,
      [id],
      tx,
    );
  }

  /** At most `limit` that wait for a person, oldest first. */
  async listWaiting(restoreId: number, limit: number): Promise<WaitingCharge[]> {
    return this.db.query<WaitingCharge>(
      `SELECT id::float8 AS id, gateway_slug AS gateway, gateway_transaction_id AS "gatewayTransactionId", reference,
         amount_cents::float8 AS "amountCents", problem
         FROM restored_charges WHERE restore_id = $1 AND state = 'waiting' ORDER BY id LIMIT $2`,
      [restoreId, limit],
    );
  }

  async countByState(restoreId: number): Promise<Array<{ readonly state: string; readonly count: number }>> {
    return this.db.query(
      `SELECT state, count(*)::int AS count FROM restored_charges WHERE restore_id = $1 GROUP BY state ORDER BY state`,
      [restoreId],
    );
  }

  /** Records a person's decision about one waiting charge, or about all with null. Returns how many. */
  async settle(restoreId: number, id: number | null, reason: string, now: Date): Promise<number> {
    return this.db.execute(
      `UPDATE restored_charges SET state = 'settled', settled_reason = $3, settled_at = $4
        WHERE restore_id = $1 AND state = 'waiting' AND ($2::bigint IS NULL OR id = $2)`,
      [restoreId, id, reason, now],
    );
  }
}
