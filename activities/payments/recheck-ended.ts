import { refundedCentsOf } from '../../src/domain/payments/charge-operations';
import type { ReportedChargeState } from '../../src/domain/payments/reported-charge-state';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { UnprocessedCallback } from '../../src/persistence/payments/gateway-callback-repository';
import { isCharge, isNotMade } from './attempt-predicates';
import { queryChargeStatus, rejectAmountMismatch } from './inquire-attempt';
import type { PaymentDeps } from './payment-deps';
import { mayFollowHints, type PaymentPoll } from './payment-poll';
import { recheckAttemptAt } from './payment-step';
import { recordCharge } from './record-charge';
import { recordOperation } from './record-operation';

/** A charge attempt that is not the payment's charge: the records say that it holds no money. */
const ENDED: readonly AttemptRecord['status'][] = ['abandoned', 'declined', 'error', 'canceled', 'refunded'];

/**
 * Inquires ended charges that callbacks name, and abandoned ones when that is due. If such a charge holds money after all,
 * it is adopted or reversed. Returns whether a gateway was asked, and the callbacks about such charges that must be followed
 * later: the gateway was inconclusive, or an unsigned callback arrived too soon after the last poll.
 */
export async function recheckEndedCharges(
  deps: PaymentDeps,
  poll: PaymentPoll,
): Promise<{ readonly inquired: boolean; readonly unanswered: readonly UnprocessedCallback[] }> {
  const { payment, attempts, callbacks } = poll;
  const unanswered: UnprocessedCallback[] = [];
  const hintsAllowed = mayFollowHints(poll, deps.settings);
  let inquired = false;
  for (const attempt of attempts) {
    const about = callbacks.filter(({ attemptId }) => attemptId === attempt.id);
    const isDue = isRecheckDue(poll, attempt);
    if (!isCharge(attempt) || !ENDED.includes(attempt.status) || (about.length === 0 && !isDue)) continue;
    if (!hintsAllowed && !isDue && !about.some(({ trusted }) => trusted)) {
      unanswered.push(...about);
      continue;
    }
    inquired = true;
    const inquiry = await queryChargeStatus(deps, attempt, callbacks);
    if (inquiry.kind === 'inconclusive') unanswered.push(...about);
    if (inquiry.kind !== 'found') continue;
    const source = { kind: 'inquiry', requestMs: inquiry.requestMs } as const;
    await recordCharge(deps, payment.transactionId, attempt, inquiry.answer, source);
  }
  return { inquired, unanswered };
}

/** What inquiries say about refunds that were recorded as not made. */
interface RefundRecheck {
  /** Whether a gateway was asked. */
  readonly inquired: boolean;
  /** False if one of them may have succeeded nevertheless. */
  readonly isConclusive: boolean;
}

/** Refunds that are inquired again at most per poll, the newest ones. */
const MAX_RECHECKED_REFUNDS = 10;

/**
 * Inquires refunds of the payment's charge that were recorded as not made: one of them may have succeeded. All of them if
 * the gateway has refunded more than is recorded; those that are due if it does not tell.
 */
export async function recheckRefunds(
  deps: PaymentDeps,
  poll: PaymentPoll,
  charge: AttemptRecord,
  reported: ReportedChargeState | null,
): Promise<RefundRecheck> {
  const refunds = refundsToRecheck(poll, charge, reported);
  let isConclusive = refunds.length <= MAX_RECHECKED_REFUNDS;
  for (const attempt of refunds.slice(-MAX_RECHECKED_REFUNDS)) {
    const answer = await queryChargeStatus(deps, attempt, []);
    const inquiry = rejectAmountMismatch(answer, attempt);
    if (inquiry.kind === 'inconclusive') isConclusive = false;
    // A gateway that does not answer is not asked about the others: the poll must end in time.
    if (answer.kind === 'inconclusive') break;
    if (inquiry.kind !== 'found') continue;
    const source = { kind: 'inquiry', requestMs: inquiry.requestMs } as const;
    await recordOperation(deps, poll.payment.transactionId, attempt, inquiry.answer, source);
  }
  return { inquired: refunds.length > 0, isConclusive };
}

function refundsToRecheck(
  poll: PaymentPoll,
  charge: AttemptRecord,
  reported: ReportedChargeState | null,
): readonly AttemptRecord[] {
  const notMade = poll.attempts.filter(
    (attempt) =>
      attempt.operation === 'refund' && attempt.targetAttemptId === charge.id && isNotMade(attempt),
  );
  if (reported === null) return notMade.filter((attempt) => isRecheckDue(poll, attempt));
  return reported.refundedCents > refundedCentsOf(poll.attempts, charge.id) ? notMade : [];
}

/** Whether it is time to ask again about an abandoned attempt. */
export function isRecheckDue(poll: PaymentPoll, attempt: AttemptRecord): boolean {
  const recheckAt = recheckAttemptAt(poll, attempt);
  return recheckAt !== null && recheckAt.getTime() <= poll.input.at;
}
