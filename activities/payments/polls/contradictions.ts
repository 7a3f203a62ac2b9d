import { isDeepStrictEqual } from 'node:util';
import {
  activeCharge,
  isContradiction,
  refundedCentsOf,
} from '../../../src/domain/payments/charge-operations';
import { paidCents } from '../../../src/domain/payments/payment-lifecycle';
import { isPaidLater, type AttemptStatus } from '../../../src/domain/payments/payment';
import {
  compareWithRecorded,
  reportsMoney,
  type ReportedChargeState,
} from '../../../src/domain/payments/reported-charge-state';
import { formatMoney } from '../../../src/domain/shared/money';
import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import type { UnprocessedCallback } from '../../../src/persistence/payments/gateway-callback-repository';
import type { Tx } from '../../../src/persistence/sql/transaction';
import { isCharge, isOpen } from '../attempt-predicates';
import { listInquiry } from '../list-inquiry';
import type { PaymentDeps } from '../payment-deps';
import type { PaymentContext } from '../payment-step';

/** A report of a gateway that the records do not explain. */
interface Contradiction {
  readonly charge: AttemptRecord;
  /** Null if the gateway does not know the charge. */
  readonly reported: ReportedChargeState | null;
  readonly requestMs: number;
}

/**
 * Lists the inquiry and lets a person look. The same report is raised once: a person who has looked at it is not asked
 * again, unless the gateway agreed with the records in between. Under the payment's lock.
 */
export async function raiseContradiction(
  deps: PaymentDeps,
  tx: Tx,
  context: PaymentContext,
  { charge, reported, requestMs }: Contradiction,
): Promise<PaymentContext> {
  const { payment, attempts } = context;
  const last = contradictionsOf(attempts, charge).at(-1);
  if (last !== undefined && isDeepStrictEqual(last.reportedState, reported)) return context;
  await listInquiry(deps, tx, charge, requestMs, {
    purpose: 'found_at_gateway',
    status: statusOf(reported),
    reportedState: reported,
    responseCode: null,
    responseMessage: describe(context, charge, reported),
    escalatedAt: deps.now(),
  });
  const { companyId, transactionId } = payment;
  deps.log.warn(
    { company_id: companyId, transaction_id: transactionId, gateway: charge.gatewaySlug },
    'the gateway contradicts the records of a charge',
  );
  return { ...context, attempts: await deps.attempts.listByPayment(payment.id, tx) };
}

/** The gateway agrees with the records of the charge, so nobody needs to look any more. */
export async function endContradictions(
  deps: PaymentDeps,
  tx: Tx,
  context: PaymentContext,
  charge: AttemptRecord,
): Promise<PaymentContext> {
  const raised = contradictionsOf(context.attempts, charge);
  if (raised.length === 0) return context;
  for (const { id } of raised) await deps.attempts.recordAgreement(tx, id, deps.now());
  return { ...context, attempts: await deps.attempts.listByPayment(context.payment.id, tx) };
}

/**
 * A signed callback is not dropped in silence: a person looks at what its gateway could not confirm, unless it is recorded.
 * Of a charge that is not the payment's, only money matters.
 */
export async function raiseDropped(
  deps: PaymentDeps,
  tx: Tx,
  context: PaymentContext,
  dropped: readonly UnprocessedCallback[],
): Promise<PaymentContext> {
  const active = activeCharge(context.attempts);
  let raised = context;
  for (const charge of context.attempts.filter((attempt) => isCharge(attempt) && !isOpen(attempt))) {
    const reported = lastReport(context.attempts, charge, dropped);
    if (reported === null) continue;
    const isNews =
      charge.id === active?.id
        ? compareWithRecorded(reported, context, charge.id) !== 'recorded'
        : reportsMoney(reported);
    if (isNews) raised = await raiseContradiction(deps, tx, raised, { charge, reported, requestMs: 0 });
  }
  return raised;
}

/** The last state of the charge that signed callbacks about it, or about an operation on it, report. */
function lastReport(
  attempts: readonly AttemptRecord[],
  charge: AttemptRecord,
  callbacks: readonly UnprocessedCallback[],
): ReportedChargeState | null {
  const ids = attempts
    .filter(({ id, targetAttemptId }) => id === charge.id || targetAttemptId === charge.id)
    .map(({ id }) => id);
  const signed = callbacks.findLast(
    ({ trusted, reportedState, attemptId }) => trusted && reportedState !== null && ids.includes(attemptId),
  );
  return signed?.reportedState ?? null;
}

function contradictionsOf(attempts: readonly AttemptRecord[], charge: AttemptRecord): AttemptRecord[] {
  return attempts.filter((attempt) => isContradiction(attempt) && attempt.targetAttemptId === charge.id);
}

function statusOf(reported: ReportedChargeState | null): AttemptStatus {
  if (reported === null) return 'abandoned';
  return reported.status === 'expired' ? 'canceled' : reported.status;
}

/** Both sides, for the operator. */
function describe(
  { payment, attempts }: PaymentContext,
  charge: AttemptRecord,
  reported: ReportedChargeState | null,
): string {
  const isActive = activeCharge(attempts)?.id === charge.id;
  const recorded = {
    status: isActive ? payment.status : charge.status,
    capturedCents: isActive ? payment.capturedAmountCents : 0,
    refundedCents: refundedCentsOf(attempts, charge.id),
    paidCents: isActive ? paidCents(payment) : 0,
  };
  const amounts = (state: typeof recorded | ReportedChargeState): string =>
    [
      state.status,
      `captured ${formatMoney(state.capturedCents, payment.currency)}`,
      `refunded ${formatMoney(state.refundedCents, payment.currency)}`,
      ...(isPaidLater(payment.paymentMethod)
        ? [`paid ${formatMoney(state.paidCents, payment.currency)}`]
        : []),
    ].join(', ');
  const gateway = reported === null ? 'no such charge' : amounts(reported);
  return `Gateway: ${gateway}. Records: ${amounts(recorded)}.`;
}
