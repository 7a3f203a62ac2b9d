import type { AttemptRecord } from '../src/persistence/gateway-attempt-repository';
import type { PaymentRecord } from '../src/persistence/payment-repository';
import type { AttemptSummary, PaymentStep } from '../workflows/messages';
import { isUnfinishedFollowUp } from './attempt-kind';
import type { PaymentDeps } from './payment-deps';

export function settledStep(
  status: PaymentRecord['status'],
  message: string,
  attempts: readonly AttemptRecord[],
  attempt: AttemptSummary | null,
): PaymentStep {
  const openOperations = attempts.some(isUnfinishedFollowUp);
  return { kind: 'settled', status, message, openOperations, attempt };
}

export function unknownStep(deps: PaymentDeps, attempt: AttemptRecord): PaymentStep {
  const sinceSentMs = deps.now().getTime() - (attempt.sentAt ?? attempt.createdAt).getTime();
  return {
    kind: 'unknown',
    attempt: summarize(attempt),
    provableInMs: deps.settings.absenceProvenAfterMs - sinceSentMs,
    stuckAfterMs: deps.settings.stuckAfterMs,
  };
}

export function summarize(attempt: AttemptRecord): AttemptSummary {
  return {
    attempt: attempt.attempt,
    attemptId: attempt.id,
    operation: attempt.operation,
    gateway: attempt.gatewaySlug,
    status: attempt.status,
    responseCode: attempt.responseCode,
    responseMessage: attempt.responseMessage,
  };
}
