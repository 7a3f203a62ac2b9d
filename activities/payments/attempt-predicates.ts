import { isAccepted, isUnfinished } from '../../src/domain/payments/charge-operations';
import type { ChargeAttempt } from '../../src/domain/payments/payment';
import type { PaymentOperation } from '../../src/domain/payments/payment-operation';
import { NOT_SENT_LOCALLY } from '../../src/gateways/errors';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';

/** One sending of an attempt. An attempt may be sent again with the same row and key. */
export type SentAttempt = Pick<AttemptRecord, 'id' | 'sendCount'>;

export function isCharge(attempt: Pick<AttemptRecord, 'operation'>): boolean {
  return attempt.operation === 'charge' || attempt.operation === 'authorize';
}

/** Whether it is a charge that was approved or authorized. */
export function holdsMoney(attempt: Pick<AttemptRecord, 'operation' | 'status'>): boolean {
  return isCharge(attempt) && (attempt.status === 'approved' || attempt.status === 'authorized');
}

/** Whether it is a capture or cancel of the payment's charge. The cancel of a reversal is about another charge. */
export function isCaptureOrCancel({
  operation,
  purpose,
}: Pick<AttemptRecord, 'operation' | 'purpose'>): boolean {
  return purpose !== 'reversal' && (operation === 'capture' || operation === 'cancel');
}

/** Whether an attempt was sent and its result is not known. */
export function isOpen(attempt: Pick<AttemptRecord, 'status'>): boolean {
  return attempt.status === 'sent' || attempt.status === 'unknown';
}

/** Whether an operator may resolve it. An attempt that was sent again since is not escalated: it may be in flight. */
export function awaitsOperator(attempt: Pick<AttemptRecord, 'status' | 'escalatedAt'>): boolean {
  return (isOpen(attempt) || isAccepted(attempt)) && attempt.escalatedAt !== null;
}

/** Whether the gateway said that it has returned the charge: it holds no money. */
export function wasReturnedByGateway(
  attempt: Pick<AttemptRecord, 'operation' | 'status' | 'errorFamily' | 'gatewayTransactionId'>,
): boolean {
  const { status, errorFamily, gatewayTransactionId } = attempt;
  return isCharge(attempt) && status === 'error' && errorFamily === null && gatewayTransactionId !== null;
}

/** Whether an operation on a charge is still to be sent, or has no result. */
export function isUnfinishedOperation(attempt: Pick<AttemptRecord, 'operation' | 'status'>): boolean {
  return !isCharge(attempt) && isUnfinished(attempt);
}

/** Whether an operation may still change the payment's charge. A reversal acts on another charge. */
export function mayChangeCharge(attempt: Pick<AttemptRecord, 'operation' | 'status' | 'purpose'>): boolean {
  return attempt.purpose !== 'reversal' && isUnfinishedOperation(attempt);
}

/** The operation that affects the payment's state: requested by the company or after expiry. Null for a reversal. */
export function operationOf({ operation, purpose }: AttemptRecord): PaymentOperation | null {
  if (purpose === 'reversal') return null;
  return operation === 'capture' || operation === 'cancel' || operation === 'refund' ? operation : null;
}

/** False if this service certainly did not send it. */
export function wasSent({ errorFamily, responseCode }: AttemptRecord): boolean {
  return errorFamily !== 'not_sent' || responseCode !== NOT_SENT_LOCALLY;
}

/** Whether it is recorded as not made, so that a success of it would come late. */
export function isNotMade({ status }: Pick<AttemptRecord, 'status'>): boolean {
  return status === 'abandoned' || status === 'declined' || status === 'error';
}

export function toChargeAttempt(attempt: AttemptRecord): ChargeAttempt {
  const { gatewaySlug: gateway, status, responseCode, adviceCode } = attempt;
  const notSent = status === 'abandoned' && !wasSent(attempt);
  const badCredentials = attempt.errorFamily === 'bad_credentials';
  return { gateway, status, responseCode, adviceCode, notSent, badCredentials };
}
