import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { ResolveInput } from '../../workflows/messages';
import type { PaymentDeps } from './payment-deps';

/**
 * Records an operator's resolution in the audit log, in the transaction that applies it. Returns false if it was already
 * applied, so that a retried activity changes nothing.
 */
export async function recordResolution(
  deps: Pick<PaymentDeps, 'audit'>,
  tx: Tx,
  { companyId, transactionId }: Pick<PaymentRecord, 'companyId' | 'transactionId'>,
  { attemptId, resolution }: ResolveInput,
): Promise<boolean> {
  const { resolutionId, outcome, reason, gatewayTransactionId, resolvedBy, requestId } = resolution;
  return deps.audit.insert(tx, {
    companyId,
    userId: Number(resolvedBy),
    action: 'payment.resolve',
    subjectType: 'payment',
    subjectId: transactionId,
    changes: {
      attempt_id: attemptId,
      outcome,
      reason,
      ...(gatewayTransactionId !== undefined && { gateway_transaction_id: gatewayTransactionId }),
    },
    requestId,
    operationId: resolutionId,
  });
}
