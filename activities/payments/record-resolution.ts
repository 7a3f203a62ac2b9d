import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { ResolveInput } from '../../workflows/messages';
import type { PaymentDeps } from './payment-deps';

/**
 * Keeps a person's word in the audit log, in the transaction that acts on it. False when it was acted on before: then it
 * has nothing more to say, and whoever tries again changes nothing.
 */
export async function recordResolution(
  deps: Pick<PaymentDeps, 'audit'>,
  tx: Tx,
  { companyId, transactionId }: Pick<PaymentRecord, 'companyId' | 'transactionId'>,
  { attemptId, resolution }: ResolveInput,
): Promise<boolean> {
  const { resolutionId, outcome, reason, gatewayTransactionId, resolvedBy, requestId } = resolution;
  return deps.audit.record(tx, {
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
