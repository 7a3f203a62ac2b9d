import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { UnprocessedCallback } from '../../src/persistence/payments/gateway-callback-repository';
import { isCharge, isNotMade } from './attempt-predicates';
import { queryChargeStatus, rejectAmountMismatch } from './inquire-attempt';
import type { PaymentDeps } from './payment-deps';
import { isDropped, mayFollowHints, type PaymentPoll } from './payment-poll';
import { recheckAttemptAt, type PaymentContext } from './payment-step';
import { recordCharge } from './record-charge';
import { recordOperation } from './record-operation';

/** A charge attempt that is not the payment's charge: the records say that it holds no money. */
const ENDED: readonly AttemptRecord['status'][] = ['abandoned', 'declined', 'error', 'canceled', 'refunded'];

/**
 * Inquires ended charges that callbacks name, and abandoned ones when that is due. If such a charge holds money after all,
 * it is adopted or reversed. Returns whether a gateway was asked, and the callbacks that can be marked as processed. The
 * others are retried: the gateway was inconclusive, or an unsigned callback arrived too soon after the last poll.
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
    const isDue = isRecheckDue(poll, attempt);
    if (!isCharge(attempt) || !ENDED.includes(attempt.status) || (about.length === 0 && !isDue)) continue;
    if (!hintsAllowed && !isDue && !about.some(({ trusted }) => trusted)) {
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

/** Inquires abandoned refunds when that is due. Returns whether a gateway was asked. */
export async function recheckDueRefunds(deps: PaymentDeps, poll: PaymentPoll): Promise<boolean> {
  return inquireRefunds(
    deps,
    poll,
    poll.attempts.filter((attempt) => attempt.operation === 'refund' && isRecheckDue(poll, attempt)),
  );
}

/** Refunds that are inquired again at most per poll, the newest ones. */
const MAX_RECHECKED_REFUNDS = 10;

/**
 * Inquires refunds of a charge that were recorded as not made, because the gateway has refunded more than is recorded: one
 * of them may have succeeded. Returns whether there was any.
 */
export async function recheckEndedRefunds(
  deps: PaymentDeps,
  context: PaymentContext,
  charge: AttemptRecord,
): Promise<boolean> {
  const refunds = context.attempts.filter(
    ({ operation, targetAttemptId }) => operation === 'refund' && targetAttemptId === charge.id,
  );
  return inquireRefunds(deps, context, refunds.filter(isNotMade).slice(-MAX_RECHECKED_REFUNDS));
}

async function inquireRefunds(
  deps: PaymentDeps,
  { payment }: PaymentContext,
  refunds: readonly AttemptRecord[],
): Promise<boolean> {
  for (const attempt of refunds) {
    const inquiry = rejectAmountMismatch(await queryChargeStatus(deps, attempt, []), attempt);
    if (inquiry.kind !== 'found') continue;
    const source = { kind: 'inquiry', requestMs: inquiry.requestMs } as const;
    await recordOperation(deps, payment.transactionId, attempt, inquiry.answer, source);
  }
  return refunds.length > 0;
}

/** Whether it is time to ask again about an abandoned attempt. */
export function isRecheckDue(poll: PaymentPoll, attempt: AttemptRecord): boolean {
  const recheckAt = recheckAttemptAt(poll, attempt);
  return recheckAt !== null && recheckAt.getTime() <= poll.input.at;
}
