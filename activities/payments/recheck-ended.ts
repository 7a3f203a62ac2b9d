import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { UnprocessedCallback } from '../../src/persistence/payments/gateway-callback-repository';
import { isCharge } from './attempt-predicates';
import { queryChargeStatus, rejectAmountMismatch } from './inquire-attempt';
import type { PaymentDeps } from './payment-deps';
import { isDropped, mayFollowHints, type PaymentPoll } from './payment-poll';
import type { PaymentContext } from './payment-step';
import { recordCharge } from './record-charge';
import { recordOperation } from './record-operation';

/** A charge attempt that is not the payment's charge: the records say that it holds no money. */
const ENDED: readonly AttemptRecord['status'][] = ['abandoned', 'declined', 'error', 'canceled', 'refunded'];

/**
 * Inquires ended charges that callbacks name. If such a charge holds money after all, it is adopted or reversed. Returns
 * whether a gateway was asked, and the callbacks that can be marked as processed. The others are retried: the gateway was
 * inconclusive, or an unsigned callback arrived too soon after the last poll.
 */
export async function recheckEndedCharges(
  deps: PaymentDeps,
  poll: PaymentPoll,
): Promise<{ readonly inquired: boolean; readonly answered: readonly UnprocessedCallback[] }> {
  const { payment, attempts, callbacks } = poll;
  const unanswered = new Set<string>();
  const hintsAllowed = mayFollowHints(poll, deps.settings);
  let inquired = false;
  for (const attempt of attempts) {
    const about = callbacks.filter(({ attemptId }) => attemptId === attempt.id);
    if (!isCharge(attempt) || !ENDED.includes(attempt.status) || about.length === 0) continue;
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

/** Refunds that are inquired again at most per poll, the newest ones. */
const MAX_RECHECKED_REFUNDS = 10;

/**
 * Inquires refunds of a charge that were recorded as not made, because the gateway has refunded more than is recorded: one
 * of them may have succeeded. Returns whether there was any.
 */
export async function recheckEndedRefunds(
  deps: PaymentDeps,
  { payment, attempts }: PaymentContext,
  charge: AttemptRecord,
): Promise<boolean> {
  const notMade = attempts
    .filter(({ operation, targetAttemptId }) => operation === 'refund' && targetAttemptId === charge.id)
    .filter(({ status }) => status === 'abandoned' || status === 'declined' || status === 'error')
    .slice(-MAX_RECHECKED_REFUNDS);
  for (const attempt of notMade) {
    const inquiry = rejectAmountMismatch(await queryChargeStatus(deps, attempt, []), attempt);
    if (inquiry.kind !== 'found') continue;
    const source = { kind: 'inquiry', requestMs: inquiry.requestMs } as const;
    await recordOperation(deps, payment.transactionId, attempt, inquiry.answer, source);
  }
  return notMade.length > 0;
}
