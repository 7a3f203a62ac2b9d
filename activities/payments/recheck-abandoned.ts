import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { UnprocessedCallback } from '../../src/persistence/payments/gateway-callback-repository';
import { isCharge } from './attempt-predicates';
import { queryChargeStatus, rejectAmountMismatch } from './inquire-attempt';
import type { PaymentDeps } from './payment-deps';
import { isDropped, mayFollowHints, type PaymentPoll } from './payment-poll';
import { recordCharge } from './record-charge';
import { recordOperation } from './record-operation';

/**
 * Inquires abandoned charges that callbacks name. If such a charge succeeded, it is accepted or reversed. Returns whether
 * a gateway was asked, and the callbacks that can be marked as processed. The others are retried: the gateway was
 * inconclusive, or an unsigned callback arrived too soon after the last poll.
 */
export async function recheckAbandonedCharges(
  deps: PaymentDeps,
  poll: PaymentPoll,
): Promise<{ readonly inquired: boolean; readonly answered: readonly UnprocessedCallback[] }> {
  const { payment, attempts, callbacks } = poll;
  const unanswered = new Set<string>();
  const hintsAllowed = mayFollowHints(poll, deps.settings);
  let inquired = false;
  for (const attempt of attempts) {
    const about = callbacks.filter(({ attemptId }) => attemptId === attempt.id);
    if (!isCharge(attempt) || attempt.status !== 'abandoned' || about.length === 0) continue;
    if (!hintsAllowed && !about.some(({ trusted }) => trusted)) {
      unanswered.add(attempt.id);
      continue;
    }
    inquired = true;
    const inquiry = await queryChargeStatus(deps, attempt, callbacks);
    if (inquiry.kind === 'inconclusive') unanswered.add(attempt.id);
    if (inquiry.kind !== 'found') continue;
    const source = { kind: 'inquiry', requestMs: inquiry.requestMs } as const;
    await recordCharge(deps, payment.transactionId, attempt, inquiry.answer, source);
  }
  const now = deps.now();
  const answered = callbacks.filter(
    (callback) => !unanswered.has(callback.attemptId) || isDropped(callback, now),
  );
  return { inquired, answered };
}

/** Inquires abandoned refunds of a charge, because a callback about the charge may mean that one of them succeeded. */
export async function recheckAbandonedRefunds(
  deps: PaymentDeps,
  { payment, attempts }: PaymentPoll,
  charge: AttemptRecord,
): Promise<void> {
  for (const attempt of attempts) {
    const isRefundOfCharge = attempt.operation === 'refund' && attempt.targetAttemptId === charge.id;
    if (!isRefundOfCharge || attempt.status !== 'abandoned') continue;
    const inquiry = rejectAmountMismatch(await queryChargeStatus(deps, attempt, []), attempt);
    if (inquiry.kind !== 'found') continue;
    const source = { kind: 'inquiry', requestMs: inquiry.requestMs } as const;
    await recordOperation(deps, payment.transactionId, attempt, inquiry.answer, source);
  }
}
