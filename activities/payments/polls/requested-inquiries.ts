import {
  isInquiryOpen,
  type InquiryOutcomeCode,
} from '../../../src/domain/payments/operations/requested-inquiry';
import type { PaymentRecord } from '../../../src/persistence/payments/payment-repository';
import { answerInquiry } from '../../../src/persistence/payments/requested-inquiries';
import { isOpen } from '../attempt-predicates';
import type { PaymentDeps } from '../payment-deps';
import type { PaymentContext } from '../payment-step';

type Answer = Partial<Pick<PaymentRecord, 'inquiryAnsweredAt' | 'inquiryOutcome'>>;

/** What a poll has learned for a user who asked for it. */
interface Polled {
  /** The payment as it was when the poll began. */
  readonly read: PaymentContext;
  /** The payment with everything that the poll changed. */
  readonly context: PaymentContext;
  /** About the payment's charge; null if it was not asked about. */
  readonly inquiry: { readonly kind: 'found' | 'not_found' | 'inconclusive' } | null;
  /** False if a gateway gave no certain answer about an operation. */
  readonly isConclusive: boolean;
}

/**
 * The answer to the inquiry that a user requested; empty if none is open. An attempt of unknown outcome is inquired about
 * next, and that answers it; a request that came meanwhile is answered by the next poll.
 */
export function answerOf({ now }: Pick<PaymentDeps, 'now'>, polled: Polled): Answer {
  const { read, context } = polled;
  if (!isInquiryOpen(read.payment) || !isSameRequest(read.payment, context.payment)) return {};
  if (context.attempts.some(isOpen)) return {};
  return { inquiryAnsweredAt: now(), inquiryOutcome: outcomeOf(polled) };
}

function outcomeOf({ read, context, inquiry, isConclusive }: Polled): InquiryOutcomeCode {
  if (stateOf(read) !== stateOf(context)) return 'changed';
  if (inquiry?.kind === 'not_found') return 'not_found';
  return inquiry?.kind === 'inconclusive' || !isConclusive ? 'no_answer' : 'unchanged';
}

/** Answers the open inquiry of a payment after an attempt of unknown outcome was inquired about. */
export async function answerAfterInquiry(
  deps: Pick<PaymentDeps, 'db' | 'now'>,
  payment: PaymentRecord,
  outcome: InquiryOutcomeCode,
): Promise<void> {
  if (!isInquiryOpen(payment) || payment.inquiryRequestedAt === null) return;
  await answerInquiry(deps.db, payment.id, payment.inquiryRequestedAt, outcome, deps.now());
}

/** What a user sees change. */
function stateOf({ payment, attempts }: PaymentContext): string {
  const { status, paidAmountCents, capturedAmountCents, refundedAmountCents, stuckAt } = payment;
  const states = attempts.map(({ id, status: state }) => [id, state]);
  return JSON.stringify([status, paidAmountCents, capturedAmountCents, refundedAmountCents, stuckAt, states]);
}

function isSameRequest(a: PaymentRecord, b: PaymentRecord): boolean {
  return a.inquiryRequestedAt?.getTime() === b.inquiryRequestedAt?.getTime();
}
