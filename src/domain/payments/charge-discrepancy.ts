import { assertNever } from '../shared/assert-never';
import { isPaidLater, type AttemptOperation } from './payment';
import {
  isAmountWithin,
  paidCents,
  receivedCents,
  refundableCents,
  type PaymentFact,
  type PaymentState,
} from './payment-lifecycle';
import type { PaymentOperation } from './payment-operation';
import type { ReportedChargeState } from './reported-charge-state';

/** An operation that the gateway shows and nobody requested here, for example one made on the gateway's own pages. */
export interface FoundOperation {
  readonly operation: PaymentOperation;
  readonly amountCents: number;
  /** Null for a refund of what was paid beyond the amount: it is not part of the payment. */
  readonly fact: PaymentFact | null;
  /** Whether a person must confirm it. False for an expected one: an authorization that the gateway released at its expiry. */
  readonly needsReview: boolean;
}

/**
 * What a gateway's report about a payment's charge means. `contradiction`: no operation explains the difference to the
 * records, so nothing can be corrected and a person must look.
 */
export type ChargeComparison =
  | { readonly kind: 'same' }
  | { readonly kind: 'found'; readonly operations: readonly FoundOperation[] }
  | { readonly kind: 'contradiction' };

const SAME: ChargeComparison = { kind: 'same' };
const CONTRADICTION: ChargeComparison = { kind: 'contradiction' };

/** The records of a payment whose operations have all ended. Amounts in cents. */
export interface RecordedCharge {
  readonly payment: PaymentState;
  /** The sum of the charge's refunds, including those of what was paid beyond the amount. */
  readonly refundedCents: number;
  /** Whether the authorization's capture window is over, so that its release is expected. */
  readonly captureWindowOver: boolean;
}

/** Compares the gateway's report about a payment's charge with the records. A paid amount has been recorded before. */
export function compareCharge(recorded: RecordedCharge, reported: ReportedChargeState): ChargeComparison {
  return isPaidLater(recorded.payment.paymentMethod)
    ? comparePaidLater(recorded, reported)
    : compareCard(recorded, withReversal(recorded.payment, reported));
}

function compareCard(recorded: RecordedCharge, reported: ReportedChargeState): ChargeComparison {
  const { payment } = recorded;
  const { capturedCents, refundedCents } = reported;
  switch (payment.status) {
    case 'authorized':
      return compareAuthorization(recorded, reported);
    case 'approved':
    case 'refunded':
      if (capturedCents !== payment.capturedAmountCents || reported.status === 'authorized')
        return CONTRADICTION;
      return compareRefunds(recorded, refundedCents);
    case 'canceled':
      return reported.status === 'authorized' || capturedCents > refundedCents ? CONTRADICTION : SAME;
    case 'processing':
    case 'pending':
    case 'failed':
      return SAME;
    default:
      return assertNever(payment.status);
  }
}

function compareAuthorization(
  { payment, captureWindowOver }: RecordedCharge,
  { status, capturedCents, refundedCents }: ReportedChargeState,
): ChargeComparison {
  const { amountCents } = payment;
  if (status === 'authorized' && capturedCents === 0) return SAME;
  if (capturedCents === 0 && (status === 'canceled' || status === 'expired')) {
    const needsReview = status !== 'expired' && !captureWindowOver;
    return found({ operation: 'cancel', amountCents, fact: { kind: 'canceled' }, needsReview });
  }
  if (status === 'authorized' || !isAmountWithin(capturedCents, amountCents)) return CONTRADICTION;
  if (refundedCents > capturedCents) return CONTRADICTION;
  const capture = operationOf('capture', capturedCents, { kind: 'captured', amountCents: capturedCents });
  if (refundedCents === 0) return found(capture);
  return found(
    capture,
    operationOf('refund', refundedCents, { kind: 'refunded', amountCents: refundedCents }),
  );
}

function comparePaidLater(recorded: RecordedCharge, reported: ReportedChargeState): ChargeComparison {
  const { payment } = recorded;
  const { status, refundedCents } = reported;
  if (reportedPaidCents(payment, reported) < paidCents(payment)) return CONTRADICTION;
  if (payment.status === 'pending' && status === 'declined') return CONTRADICTION;
  if (payment.status === 'canceled' && status === 'pending') return CONTRADICTION;
  const refunds = compareRefunds(recorded, refundedCents);
  // An expired one is left to the payment's own deadline.
  if (payment.status !== 'pending' || status !== 'canceled' || refunds.kind === 'contradiction')
    return refunds;
  const cancel = operationOf('cancel', payment.amountCents, { kind: 'canceled' });
  return refunds.kind === 'found' ? found(cancel, ...refunds.operations) : found(cancel);
}

/** Refunds that are not recorded: first of what was paid beyond the amount, which can be refunded at the gateway only. */
function compareRefunds({ payment, refundedCents }: RecordedCharge, reportedCents: number): ChargeComparison {
  const unrecorded = reportedCents - refundedCents;
  if (unrecorded < 0) return CONTRADICTION;
  if (unrecorded === 0) return SAME;
  const ofExcess = refundedCents - payment.refundedAmountCents;
  const excess = Math.max(0, paidCents(payment) - receivedCents(payment) - ofExcess);
  const amountCents = unrecorded - Math.min(unrecorded, excess);
  if (amountCents > refundableCents(payment)) return CONTRADICTION;
  const fact: PaymentFact | null = amountCents === 0 ? null : { kind: 'refunded', amountCents };
  return found({ operation: 'refund', amountCents: unrecorded, fact, needsReview: fact !== null });
}

/** A charge that was captured and then reversed as a whole, as if its capture had been refunded. */
function withReversal(payment: PaymentState, reported: ReportedChargeState): ReportedChargeState {
  const { status } = reported;
  if (status !== 'canceled' && status !== 'refunded') return reported;
  const capturedCents = reported.capturedCents > 0 ? reported.capturedCents : payment.capturedAmountCents;
  return { ...reported, capturedCents, refundedCents: capturedCents };
}

/** Not every gateway reports the amount of a payment in full. */
function reportedPaidCents(payment: PaymentState, reported: ReportedChargeState): number {
  const isPaid = reported.status === 'approved' || reported.status === 'refunded';
  return reported.paidCents === 0 && isPaid ? payment.amountCents : reported.paidCents;
}

function operationOf(operation: PaymentOperation, amountCents: number, fact: PaymentFact): FoundOperation {
  return { operation, amountCents, fact, needsReview: true };
}

function found(...operations: readonly FoundOperation[]): ChargeComparison {
  return { kind: 'found', operations };
}

/**
 * Whether operations that the gateway has accepted explain its report: it shows nothing else than the records, or what some
 * of them do. A gateway may show a refund before it says that it is done.
 */
export function isExplainedBy(
  comparison: ChargeComparison,
  accepted: ReadonlyArray<Pick<FoundOperation, 'amountCents'> & { readonly operation: AttemptOperation }>,
): boolean {
  if (comparison.kind !== 'found') return comparison.kind === 'same';
  return comparison.operations.every(({ operation, amountCents }) => {
    const same = accepted.filter((other) => other.operation === operation);
    return same.reduce((sum, other) => sum + other.amountCents, 0) >= amountCents;
  });
}
