import type { TriedAttempt } from '../../src/domain/payments/payment';
import type { PaymentOperation } from '../../src/domain/payments/payment-operation';
import { NOT_SENT_LOCALLY } from '../../src/gateways/errors';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';

export function isCharge(attempt: Pick<AttemptRecord, 'operation'>): boolean {
  return attempt.operation === 'charge' || attempt.operation === 'authorize';
}

export function isCaptureOrCancel(attempt: Pick<AttemptRecord, 'operation'>): boolean {
  return attempt.operation === 'capture' || attempt.operation === 'cancel';
}

/** Whether an attempt may have reached the gateway without anybody knowing its result. */
export function isOpen(attempt: Pick<AttemptRecord, 'status'>): boolean {
  return attempt.status === 'sent' || attempt.status === 'unknown';
}

/** Whether an operation on a charge is still to be made, or to be known of. */
export function isUnfinishedOperation(attempt: Pick<AttemptRecord, 'operation' | 'status'>): boolean {
  return !isCharge(attempt) && (attempt.status === 'requested' || isOpen(attempt));
}

/** What the company, or the end of an authorization's time, wants done to a charge; reversals are no concern of its state. */
export function operationOf({ operation, purpose }: AttemptRecord): PaymentOperation | null {
  if (purpose === 'reversal') return null;
  return operation === 'capture' || operation === 'cancel' || operation === 'refund' ? operation : null;
}

export function asTried(attempt: AttemptRecord): TriedAttempt {
  const { gatewaySlug: gateway, status, responseCode, declineType, adviceCode } = attempt;
  const notSent =
    status === 'abandoned' && attempt.errorFamily === 'not_sent' && responseCode === NOT_SENT_LOCALLY;
  return { gateway, status, responseCode, declineType, adviceCode, notSent };
}
