import { attemptReference } from '../../domain/payments/payment';
import type { PaymentOperation } from '../../domain/payments/payment-operation';
import type { AttemptRecord, NewAttempt } from '../../persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../persistence/payments/payment-repository';

/** The requested operation. `gatewayTransactionId` defaults to the charge's. */
export type RequestedOperation = Pick<NewAttempt, 'id' | 'amountCents' | 'reason' | 'sealedBankAccount'> &
  Pick<Partial<AttemptRecord>, 'gatewayTransactionId' | 'splits'> & {
    readonly operation: PaymentOperation;
    readonly purpose: Exclude<AttemptRecord['purpose'], 'charge'>;
    /** In its reference: of a request's idempotency key. By default the operations of its kind are counted. */
    readonly number?: number | undefined;
  };

/**
 * The row of a capture, cancel or refund before it is sent. It goes to the charge's gateway and account, under a reference
 * that no earlier operation has. `attempts` are all attempts of the payment.
 */
export function newOperation(
  payment: Pick<PaymentRecord, 'id' | 'companyId' | 'transactionId'>,
  attempts: readonly AttemptRecord[],
  charge: AttemptRecord,
  { number, ...requested }: RequestedOperation,
): NewAttempt {
  const { attempt } = charge;
  const { operation } = requested;
  const earlier = attempts.filter((a) => a.operation === operation && a.attempt === attempt);
  const numbered = (nth: number) => attemptReference(payment.transactionId, attempt, operation, nth);
  const counted = numbered(earlier.length + 1);
  const ofKey = number === undefined ? counted : numbered(number);
  return {
    gatewayTransactionId: charge.gatewayTransactionId,
    ...requested,
    paymentId: payment.id,
    companyId: payment.companyId,
    attempt,
    gatewaySlug: charge.gatewaySlug,
    secretId: charge.secretId,
    reference: earlier.some(({ reference }) => reference === ofKey) ? counted : ofKey,
    status: 'requested',
    targetAttemptId: charge.id,
  };
}
