import { isAccepted } from '../../../src/domain/payments/charge-operations';
import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import type { Tx } from '../../../src/persistence/sql/transaction';
import { queryChargeStatus, rejectAmountMismatch } from '../inquire-attempt';
import type { PaymentDeps } from '../payment-deps';
import { mayFollowHints, type PaymentPoll } from '../payment-poll';
import { resultInquiryAt, type PaymentContext } from '../payment-step';
import { recordOperation } from '../record-operation';

/** How long one poll asks for results: the poll must end in time, whatever their number. */
const ASK_AT_MOST_MS = 60_000;

interface AwaitedResults {
  /** Whether a gateway was asked. */
  readonly inquired: boolean;
  /** False if a gateway did not answer. */
  readonly isConclusive: boolean;
}

/**
 * Asks for the results of operations that their gateways have accepted: of those that are due, or of all after a callback.
 * Only a result changes something: a gateway that does not know such an operation is asked again.
 */
export async function askForResults(deps: PaymentDeps, poll: PaymentPoll): Promise<AwaitedResults> {
  const { transactionId } = poll.payment;
  const startedAt = performance.now();
  const due = dueOperations(deps, poll);
  let isConclusive = true;
  for (const attempt of due) {
    if (performance.now() - startedAt > ASK_AT_MOST_MS) return { inquired: true, isConclusive: false };
    const answer = await queryChargeStatus(deps, poll, attempt, poll.callbacks);
    const inquiry = rejectAmountMismatch(answer, attempt);
    if (inquiry.kind === 'inconclusive') isConclusive = false;
    if (inquiry.kind !== 'found') continue;
    const source = { kind: 'inquiry', requestMs: inquiry.requestMs } as const;
    await recordOperation(deps, transactionId, attempt, inquiry.answer, source);
  }
  return { inquired: due.length > 0, isConclusive };
}

function dueOperations(deps: PaymentDeps, poll: PaymentPoll): readonly AttemptRecord[] {
  const { payment, attempts, callbacks, input } = poll;
  const isSignaled = callbacks.some(({ trusted }) => trusted || mayFollowHints(poll, deps.settings));
  const asksAll = input.requested === true || isSignaled;
  return attempts.filter((attempt) => {
    const dueAt = resultInquiryAt(payment, attempt);
    return isAccepted(attempt) && (asksAll || (dueAt !== null && dueAt.getTime() <= input.at));
  });
}

/**
 * Lets an operator decide about operations whose gateway is not asked again. Under the payment's lock. It goes by the schedule,
 * and not by this worker's clock, which may lag behind the workflow's: nothing would wake the workflow again.
 */
export async function escalateAwaited(
  deps: PaymentDeps,
  tx: Tx,
  context: PaymentContext,
): Promise<PaymentContext> {
  const { payment, attempts } = context;
  const overdue = attempts.filter(
    (attempt) =>
      isAccepted(attempt) && attempt.escalatedAt === null && resultInquiryAt(payment, attempt) === null,
  );
  if (overdue.length === 0) return context;
  for (const { id } of overdue) await deps.attempts.markEscalated(tx, id, deps.now());
  return { ...context, attempts: await deps.attempts.listByPayment(payment.id, tx) };
}
