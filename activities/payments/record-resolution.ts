import type { ManualResolutionRecord } from '../../src/persistence/payments/manual-resolution-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { PaymentDeps } from './payment-deps';

/**
 * Closes an operator's resolution as applied and records it in the audit log, in the transaction that applies it. Returns
 * false if it is closed already, so that a retried activity changes nothing.
 */
export async function recordResolution(
  deps: Pick<PaymentDeps, 'audit' | 'resolutions' | 'now'>,
  tx: Tx,
  { companyId, transactionId }: Pick<PaymentRecord, 'companyId' | 'transactionId'>,
  { id, attemptId, outcome, reason, gatewayTransactionId, userId, requestId }: ManualResolutionRecord,
): Promise<boolean> {
  if (!(await deps.resolutions.close(tx, id, 'applied', deps.now()))) return false;
  return deps.audit.insert(tx, {
    companyId,
    userId,
    action: 'payment.resolve',
    subjectType: 'payment',
    subjectId: transactionId,
    changes: {
      attempt_id: attemptId,
      outcome,
      reason,
      ...(gatewayTransactionId !== null && { gateway_transaction_id: gatewayTransactionId }),
    },
    requestId,
    operationId: id,
  });
}
