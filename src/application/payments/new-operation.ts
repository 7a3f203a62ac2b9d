import { attemptReference } from '../../domain/payments/payment';
import type { PaymentOperation } from '../../domain/payments/payment-operation';
import type { AttemptRecord, NewAttempt } from '../../persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../persistence/payments/payment-repository';

/** The requested operation. `gatewayTransactionId` defaults to the charge's. */
export type RequestedOperation = Pick<NewAttempt, 'id' | 'amountCents' | 'reason' | 'sealedBankAccount'> &
  Pick<Partial<AttemptRecord>, 'gatewayTransactionId' | 'splits'> & {
    readonly operation: PaymentOperation;
    readonly purpose: Exclude<AttemptRecord['purpose'], 'charge'>;
  };

/**
 * The row of a capture, cancel or refund before it is sent. It goes to the charge's gateway and account, under a reference
 * that no earlier operation has. `attempts` are all attempts of the payment.
 */
export function newOperation(
  payment: Pick<PaymentRecord, 'id' | 'companyId' | 'transactionId'>,
  attempts: readonly AttemptRecord[],
  charge: AttemptRecord,
  requested: RequestedOperation,
): NewAttempt {
  const { attempt } = charge;
  const earlier = attempts.filter((a) => a.operation === requested.operation && a.attempt === attempt);
  return {
    gatewayTransactionId: charge.gatewayTransactionId,
    ...requested,
    paymentId: payment.id,
    companyId: payment.companyId,
    attempt,
    gatewaySlug: charge.gatewaySlug,
    secretId: charge.secretId,
    reference: attemptReference(payment.transactionId, attempt, requested.operation, earlier.length + 1),
    status: 'requested',
    targetAttemptId: charge.id,
  };
}
