import type { FailureCode, PaymentStatus } from '../../domain/payments/payment';
import type { Database } from '../sql/transaction';

/** A charge of a billing cycle: its first one, or a retry. */
export interface CycleCharge {
  readonly cycleId: string;
  readonly transactionId: string;
  /** By the subscription's clock. */
  readonly billedAt: Date;
  readonly status: PaymentStatus;
  /** Why it failed; null unless it did. */
  readonly code: FailureCode | null;
  /** The gateway's own code and words of the last attempt. Null without an answer. */
  readonly responseCode: string | null;
  readonly responseMessage: string | null;
}

/** The charges of these cycles, oldest first. A cycle has at most as many as the company's dunning has days, and one. */
export function listCycleCharges(db: Database, cycleIds: readonly string[]): Promise<CycleCharge[]> {
  return db.query<CycleCharge>(
    `SELECT p.billing_cycle_id AS "cycleId", p.transaction_id AS "transactionId", p.billed_at AS "billedAt", p.status, p.code,
       a.response_code AS "responseCode", a.response_message AS "responseMessage"
     FROM payments p LEFT JOIN LATERAL (
       SELECT response_code, response_message FROM gateway_attempts
        WHERE payment_id = p.id AND operation IN ('charge', 'authorize') ORDER BY attempt DESC LIMIT 1) a ON true
     WHERE p.billing_cycle_id = ANY($1::uuid[]) ORDER BY p.id`,
    [cycleIds],
  );
}
