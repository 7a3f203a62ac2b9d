import type { AttemptPurpose, AttemptStatus } from '../../domain/payments/payment';
import type { SplitAllocation } from '../../domain/payments/split';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { Database } from '../sql/transaction';

/** An operation at a gateway with what an export shows of its payment. */
export interface ExportedOperation {
  readonly id: string;
  readonly transactionId: string;
  readonly merchantOrderId: string;
  readonly subscriptionId: string | null;
  readonly operation: 'authorize' | 'charge' | 'capture' | 'cancel' | 'refund' | 'inquiry';
  readonly purpose: AttemptPurpose;
  readonly status: AttemptStatus;
  readonly amountCents: number;
  readonly currency: string;
  readonly gatewaySlug: GatewaySlug;
  readonly gatewayTransactionId: string | null;
  readonly reason: string | null;
  readonly responseCode: string | null;
  readonly responseMessage: string | null;
  readonly splits: readonly SplitAllocation[] | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** By ids of one company, newest first. */
export function listExportedOperations(db: Database, ids: readonly string[]): Promise<ExportedOperation[]> {
  return db.query<ExportedOperation>(
    `SELECT a.id, p.transaction_id AS "transactionId", p.merchant_order_id AS "merchantOrderId",
       p.subscription_id AS "subscriptionId", a.operation, a.purpose, a.status, a.amount_cents AS "amountCents", p.currency,
       a.gateway_slug AS "gatewaySlug", a.gateway_transaction_id AS "gatewayTransactionId", a.reason,
       a.response_code AS "responseCode", a.response_message AS "responseMessage", a.splits, a.created_at AS "createdAt",
       a.updated_at AS "updatedAt"
     FROM gateway_attempts a JOIN payments p ON p.id = a.payment_id
     WHERE a.id = ANY($1::uuid[]) ORDER BY a.created_at DESC, a.id DESC`,
    [ids],
  );
}
