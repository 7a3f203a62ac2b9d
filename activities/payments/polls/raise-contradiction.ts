import { isDeepStrictEqual } from 'node:util';
import { refundedCentsOf } from '../../../src/domain/payments/charge-operations';
import { paidCents, type PaymentState } from '../../../src/domain/payments/payment-lifecycle';
import { isPaidLater, type AttemptStatus } from '../../../src/domain/payments/payment';
import type { ReportedChargeState } from '../../../src/domain/payments/reported-charge-state';
import { formatMoney } from '../../../src/domain/shared/money';
import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import type { Tx } from '../../../src/persistence/sql/transaction';
import { listInquiry } from '../list-inquiry';
import type { PaymentDeps } from '../payment-deps';
import type { PaymentContext } from '../payment-step';

/** What a gateway says about the payment's charge that the records do not explain. */
export interface Contradiction {
  readonly charge: AttemptRecord;
  /** Null if the gateway does not know the charge. */
  readonly reported: ReportedChargeState | null;
  readonly requestMs: number;
}

/**
 * Lists the inquiry and lets a person look. The same report is raised once: a person who has looked at it is not asked
 * again. Under the payment's lock.
 */
export async function raiseContradiction(
  deps: PaymentDeps,
  tx: Tx,
  context: PaymentContext,
  { charge, reported, requestMs }: Contradiction,
): Promise<PaymentContext> {
  const { payment, attempts } = context;
  const last = attempts.findLast(
    (attempt) => isContradiction(attempt) && attempt.targetAttemptId === charge.id,
  );
  if (last !== undefined && isDeepStrictEqual(last.reportedState, reported)) return context;
  await listInquiry(deps, tx, charge, requestMs, {
    purpose: 'found_at_gateway',
    status: statusOf(reported),
    reportedState: reported,
    responseCode: null,
    responseMessage: describe(payment, refundedCentsOf(attempts, charge.id), reported),
    escalatedAt: deps.now(),
  });
  const { companyId, transactionId } = payment;
  deps.log.warn(
    { company_id: companyId, transaction_id: transactionId, gateway: charge.gatewaySlug },
    'the gateway contradicts the records of a charge',
  );
  return { ...context, attempts: await deps.attempts.listByPayment(payment.id, tx) };
}

function isContradiction({ operation, purpose }: AttemptRecord): boolean {
  return operation === 'inquiry' && purpose === 'found_at_gateway';
}

function statusOf(reported: ReportedChargeState | null): AttemptStatus {
  if (reported === null) return 'abandoned';
  return reported.status === 'expired' ? 'canceled' : reported.status;
}

/** Both sides, for the operator. */
function describe(
  payment: PaymentState & { readonly currency: string },
  refundedCents: number,
  reported: ReportedChargeState | null,
): string {
  const recorded = {
    status: payment.status,
    capturedCents: payment.capturedAmountCents,
    refundedCents,
    paidCents: paidCents(payment),
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
