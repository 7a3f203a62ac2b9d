import { assertNever } from '../../src/domain/shared/assert-never';
import { refundedCentsOf } from '../../src/domain/payments/charge-operations';
import type { ReportedChargeState } from '../../src/domain/payments/reported-charge-state';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { UnprocessedCallback } from '../../src/persistence/payments/gateway-callback-repository';
import { isCharge, isNotMade, operationOf } from './attempt-predicates';
import { queryChargeStatus, rejectAmountMismatch } from './inquire-attempt';
import type { PaymentDeps } from './payment-deps';
import { mayFollowHints, type PaymentPoll } from './payment-poll';
import { recheckAttemptAt } from './payment-step';
import { recordCharge } from './record-charge';
import { recordOperation } from './record-operation';

/** A charge attempt that is not the payment's charge: the records say that it holds no money. */
const ENDED: readonly AttemptRecord['status'][] = ['abandoned', 'declined', 'error', 'canceled', 'refunded'];

interface EndedRecheck {
  /** Whether a gateway was asked. */
  readonly inquired: boolean;
  /** Callbacks about ended charges whose gateway has answered, whatever is known of the payment's own charge. */
  readonly answered: readonly UnprocessedCallback[];
  /** Those that must be followed later: the gateway was inconclusive, or an unsigned one arrived too soon after the last poll. */
  readonly unanswered: readonly UnprocessedCallback[];
}

/**
 * Inquires ended charges that callbacks name, and abandoned ones when that is due. If such a charge holds money after all,
 * it is adopted or reversed.
 */
export async function recheckEndedCharges(deps: PaymentDeps, poll: PaymentPoll): Promise<EndedRecheck> {
  const { payment, attempts, callbacks } = poll;
  const answered: UnprocessedCallback[] = [];
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
    const inquiry = await queryChargeStatus(deps, poll, attempt, callbacks);
    (inquiry.kind === 'inconclusive' ? unanswered : answered).push(...about);
    if (inquiry.kind !== 'found') continue;
    const source = { kind: 'inquiry', requestMs: inquiry.requestMs } as const;
    await recordCharge(deps, payment.transactionId, attempt, inquiry.answer, source);
  }
  return { inquired, answered, unanswered };
}

/** What inquiries say about operations that were recorded as not made. */
interface OperationRecheck {
  /** Whether a gateway was asked. */
  readonly inquired: boolean;
  /** False if one of them may have succeeded all the same. */
  readonly isConclusive: boolean;
}

/** Operations that are inquired again at most per poll, the newest ones. */
const MAX_RECHECKED_OPERATIONS = 10;

/**
 * Inquires operations on the payment's charge that were recorded as not made: one of them may have succeeded. Those that
 * would explain what the gateway reports about the charge, or those that are due if it does not tell.
 */
export async function recheckOperations(
  deps: PaymentDeps,
  poll: PaymentPoll,
  charge: AttemptRecord,
  reported: ReportedChargeState | null,
): Promise<OperationRecheck> {
  const operations = operationsToRecheck(poll, charge, reported);
  let isConclusive = operations.length <= MAX_RECHECKED_OPERATIONS;
  for (const attempt of operations.slice(-MAX_RECHECKED_OPERATIONS)) {
    const answer = await queryChargeStatus(deps, poll, attempt, []);
    const inquiry = rejectAmountMismatch(answer, attempt);
    if (inquiry.kind === 'inconclusive') isConclusive = false;
    // A gateway that does not answer is not asked about the others: the poll must end in time.
    if (answer.kind === 'inconclusive') break;
    if (inquiry.kind !== 'found') continue;
    const source = { kind: 'inquiry', requestMs: inquiry.requestMs } as const;
    await recordOperation(deps, poll.payment.transactionId, attempt, inquiry.answer, source);
  }
  return { inquired: operations.length > 0, isConclusive };
}

function operationsToRecheck(
  poll: PaymentPoll,
  charge: AttemptRecord,
  reported: ReportedChargeState | null,
): readonly AttemptRecord[] {
  const notMade = poll.attempts.filter(
    (attempt) => operationOf(attempt) !== null && attempt.targetAttemptId === charge.id && isNotMade(attempt),
  );
  if (reported === null) return notMade.filter((attempt) => isRecheckDue(poll, attempt));
  return notMade.filter((attempt) => explains(poll, charge, attempt, reported));
}

/** Whether the success of an operation would explain what the gateway reports and the records do not have. */
function explains(
  { payment, attempts }: PaymentPoll,
  charge: AttemptRecord,
  attempt: AttemptRecord,
  reported: ReportedChargeState,
): boolean {
  const operation = operationOf(attempt);
  switch (operation) {
    case 'capture':
      return payment.status === 'authorized' && reported.capturedCents > 0;
    case 'cancel':
      return payment.status !== 'canceled' && reported.status === 'canceled';
    case 'refund':
      return reported.refundedCents > refundedCentsOf(attempts, charge.id);
    case null:
      return false;
    default:
      return assertNever(operation);
  }
}

/** Whether it is time to ask again about an abandoned attempt. */
export function isRecheckDue(poll: PaymentPoll, attempt: AttemptRecord): boolean {
  const recheckAt = recheckAttemptAt(poll, attempt);
  return recheckAt !== null && recheckAt.getTime() <= poll.input.at;
}
