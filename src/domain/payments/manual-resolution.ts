import { activeCharge, awaitsReview, isUnfinished } from './charge-operations';
import type { GatewaySlug } from '../shared/gateway-slug';
import { formatMoney } from '../shared/money';
import { OPERATION_NAMES } from './operation-names';
import { undecidedCents, type PaymentState } from './payment-lifecycle';
import type { AttemptOperation, AttemptPurpose, AttemptStatus } from './payment';

/** An operator's decision about an attempt; `retry` restarts its inquiry schedule. */
export type ResolutionOutcome = 'paid' | 'absent' | 'retry';

/** The question that an operator answers with `resolve` (docs/decisions/manual-review.md). */
export interface ManualResolutionRequest {
  /** The attempt to resolve. */
  readonly attemptId: string;
  readonly gateway: GatewaySlug;
  readonly operation: Exclude<AttemptOperation, 'inquiry'>;
  readonly since: Date;
  /** Text for the operator. */
  readonly question: string;
}

interface StuckPayment extends PaymentState {
  /** Since when the payment waits for an operator; null when it does not. */
  readonly stuckAt: Date | null;
  readonly currency: string;
}

interface StuckPaymentAttempt {
  readonly id: string;
  readonly operation: AttemptOperation;
  readonly purpose: AttemptPurpose;
  readonly gatewaySlug: GatewaySlug;
  readonly reference: string;
  readonly status: AttemptStatus;
  readonly amountCents: number;
  /** Since when it may be resolved; null if its gateway is still expected to answer. */
  readonly escalatedAt: Date | null;
  /** The charge that an operation or inquiry is about. */
  readonly targetAttemptId: string | null;
  readonly responseMessage: string | null;
}

/**
 * The question for the operator: whether what was found at the gateway is right; else the outcome of the first escalated
 * attempt; else whether an expired or canceled pix or boleto counts as paid. Null when there is nothing to decide: the
 * payment does not wait for an operator, or it makes no progress. `attempts` in the order they were made.
 */
export function manualResolutionFor(
  payment: StuckPayment,
  attempts: readonly StuckPaymentAttempt[],
): ManualResolutionRequest | null {
  const { stuckAt } = payment;
  if (stuckAt === null) return null;
  const found = attempts.find(awaitsReview);
  if (found !== undefined) return askAboutFound(payment, attempts, found, stuckAt);
  const unresolved = attempts.find(
    ({ operation, status, escalatedAt }) =>
      operation !== 'inquiry' && isUnfinished({ status }) && escalatedAt !== null,
  );
  const subject = unresolved ?? unpaidCharge(attempts);
  if (subject === null || subject.operation === 'inquiry') return null;
  const { id: attemptId, gatewaySlug: gateway, operation } = subject;
  const question =
    unresolved === undefined ? askWhetherPaid(payment, gateway) : askForOutcome(payment, unresolved);
  return { attemptId, gateway, operation, since: stuckAt, question };
}

/** About an operation that was made at the gateway, or about a report of the gateway that contradicts the records. */
function askAboutFound(
  { currency }: StuckPayment,
  attempts: readonly StuckPaymentAttempt[],
  found: StuckPaymentAttempt,
  since: Date,
): ManualResolutionRequest | null {
  const { id: attemptId, gatewaySlug: gateway, operation, amountCents, responseMessage } = found;
  if (operation !== 'inquiry') {
    const what = `${OPERATION_NAMES[operation]} of ${formatMoney(amountCents, currency)}`;
    const question = `A ${what} was made at ${gateway} and not requested here. It is recorded. Is it right?`;
    return { attemptId, gateway, operation, since, question };
  }
  const charge = attempts.find(({ id }) => id === found.targetAttemptId);
  if (charge === undefined || charge.operation === 'inquiry') return null;
  const question = `${gateway} contradicts the records. ${responseMessage ?? ''} Which of them is right?`;
  return { attemptId, gateway, operation: charge.operation, since, question };
}

/** The pix or boleto that the customer has not paid, or not in full. */
function unpaidCharge(attempts: readonly StuckPaymentAttempt[]): StuckPaymentAttempt | null {
  const charge = activeCharge(attempts);
  return charge?.status === 'pending' ? charge : null;
}

function askForOutcome({ currency }: StuckPayment, attempt: StuckPaymentAttempt): string {
  const { operation, amountCents, gatewaySlug, reference } = attempt;
  const what = `the ${OPERATION_NAMES[operation]} of ${formatMoney(amountCents, currency)}`;
  return `What is the outcome of ${what} at ${gatewaySlug}? Its reference is ${reference}.`;
}

function askWhetherPaid(payment: StuckPayment, gateway: GatewaySlug): string {
  const { status, amountCents, currency } = payment;
  const undecided = undecidedCents(payment);
  if (undecided === 0) return `Was it paid in time? Inquiries to ${gateway} are inconclusive.`;
  const [paid, total] = [formatMoney(undecided, currency), formatMoney(amountCents, currency)];
  if (status === 'pending') return `It expired with ${paid} of ${total} paid. Does it count as paid?`;
  const end = status === 'canceled' ? 'was canceled' : 'expired';
  return `${paid} of ${total} was paid after it ${end}. Does it count as paid? If not, refund it.`;
}
