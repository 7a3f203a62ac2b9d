import { attemptReference } from '../../domain/payments/payment';
import type { PaymentOperation } from '../../domain/payments/payment-operation';
import type { AttemptRecord, NewAttempt } from '../../persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../persistence/payments/payment-repository';

/** What is asked for; whatever is left out is the charge's own, or nothing. */
export type RequestedOperation = Pick<NewAttempt, 'id' | 'amountCents' | 'reason' | 'sealedBankAccount'> &
  Pick<Partial<AttemptRecord>, 'gatewayTransactionId' | 'splits'> & {
    readonly operation: PaymentOperation;
    readonly purpose: Exclude<AttemptRecord['purpose'], 'charge'>;
  };

/**
 * A capture, cancel or refund of a charge as it is first written down, before it is sent: at the charge's gateway and
 * account, under a reference that no earlier one has. `attempts` are all of the payment's.
 */
export function newOperation(
  payment: Pick<PaymentRecord, 'id' | 'companyId' | 'transactionId'>,
  attempts: readonly AttemptRecord[],
  charge: AttemptRecord,
  asked: RequestedOperation,
): NewAttempt {
  const { attempt } = charge;
  const earlier = attempts.filter((a) => a.operation === asked.operation && a.attempt === attempt);
  return {
    gatewayTransactionId: charge.gatewayTransactionId,
    ...asked,
    paymentId: payment.id,
    companyId: payment.companyId,
    attempt,
    gatewaySlug: charge.gatewaySlug,
    accountFingerprint: charge.accountFingerprint,
    reference: attemptReference(payment.transactionId, attempt, asked.operation, earlier.length + 1),
    status: 'requested',
    targetAttemptId: charge.id,
  };
}
