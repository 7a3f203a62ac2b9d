import type { TriedAttempt } from '../src/domain/payment';
import type { AttemptRecord } from '../src/persistence/gateway-attempt-repository';

export function isCharge(attempt: Pick<AttemptRecord, 'operation'>): boolean {
  return attempt.operation === 'charge' || attempt.operation === 'authorize';
}

/** Whether an attempt may have reached the gateway without anybody knowing its result. */
export function isOpen(attempt: Pick<AttemptRecord, 'status'>): boolean {
  return attempt.status === 'sent' || attempt.status === 'unknown';
}

/** Whether a follow-up operation is still to be made, or to be known of. */
export function isUnfinishedFollowUp(attempt: Pick<AttemptRecord, 'operation' | 'status'>): boolean {
  return !isCharge(attempt) && (attempt.status === 'requested' || isOpen(attempt));
}

export function asTried(attempt: AttemptRecord): TriedAttempt {
  return {
    gateway: attempt.gatewaySlug,
    status: attempt.status,
    responseCode: attempt.responseCode,
    declineType: attempt.declineType,
  };
}
