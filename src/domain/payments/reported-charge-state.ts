import { activeCharge, isContradiction, isUnfinished } from './charge-operations';
import type { AttemptOperation, AttemptPurpose, AttemptStatus } from './payment';
import { applyFact, paidCents, type PaymentState } from './payment-lifecycle';
import { operationFact } from './payment-operation';

/** The response message of a result that a signed callback reported, of a gateway without inquiries. */
export const REPORTED_BY_CALLBACK = 'reported by a signed callback';

/** The state of a charge as its gateway reports it. Cents. */
export interface ReportedChargeState {
  readonly status: 'approved' | 'authorized' | 'pending' | 'canceled' | 'refunded' | 'expired' | 'declined';
  readonly capturedCents: number;
  readonly refundedCents: number;
  /** The amount paid of a pix or boleto; 0 for a card. */
  readonly paidCents: number;
  /** What is reserved of an authorization, if the report tells it. */
  readonly authorizedCents?: number;
}

/** What the charge holds of the customer's money: captured and not refunded. */
export function heldCents({ capturedCents, refundedCents }: ReportedChargeState): number {
  return Math.max(0, capturedCents - refundedCents);
}

/** Whether the charge holds the customer's money, or a reservation of it. */
export function reportsMoney(state: ReportedChargeState): boolean {
  return state.status === 'authorized' || heldCents(state) > 0 || state.paidCents > state.refundedCents;
}

interface RecordedAttempt {
  readonly id: string;
  readonly operation: AttemptOperation;
  readonly purpose: AttemptPurpose;
  readonly status: AttemptStatus;
  readonly amountCents: number;
  readonly agreedAt: Date | null;
  /** The gateway's id of the charge, if it is known. */
  readonly gatewayTransactionId?: string | null;
}

/**
 * Compares the gateway-reported state of the charge `chargeId` with the recorded one. `recorded`: they are equal.
 * `expected`: they will be equal once the only unfinished operation succeeds, whose own answer is still to come.
 * `new`: anything else, so the gateway must be asked. The equal state of another charge with our reference is `new`, too.
 *
 * @param reportedId the gateway's id of the charge that the report is about; null if it names none
 */
export function compareWithRecorded(
  reported: ReportedChargeState,
  { payment, attempts }: { readonly payment: PaymentState; readonly attempts: readonly RecordedAttempt[] },
  chargeId: string,
  reportedId: string | null = null,
): 'recorded' | 'expected' | 'new' {
  const charge = activeCharge(attempts);
  if (charge?.id !== chargeId) return 'new';
  const { gatewayTransactionId: recordedId = null } = charge;
  if (reportedId !== null && recordedId !== null && reportedId !== recordedId) return 'new';
  // That the gateway agrees is news, because it has contradicted the records.
  if (attempts.some(isContradiction)) return 'new';
  const [unfinished, ...others] = attempts.filter(isUnfinished);
  if (unfinished === undefined) return matches(payment, reported) ? 'recorded' : 'new';
  if (others.length > 0 || unfinished.status !== 'sent' || unfinished.purpose === 'reversal') return 'new';
  const { operation, amountCents } = unfinished;
  if (operation !== 'capture' && operation !== 'cancel' && operation !== 'refund') return 'new';
  const expected = applyFact(payment, operationFact(operation, amountCents));
  return expected.applied && matches(expected.state, reported) ? 'expected' : 'new';
}

/** The report that shows most: callbacks may arrive in any order. Null without one. */
export function furthestReport(reports: readonly ReportedChargeState[]): ReportedChargeState | null {
  return reports.reduce<ReportedChargeState | null>(
    (furthest, report) =>
      furthest !== null && (isBehind(report, furthest) || endsWithLess(report, furthest)) ? furthest : report,
    null,
  );
}

/** Whether a report ends the charge with less money than the other shows: a charge may be paid after that. */
function endsWithLess({ status, ...reported }: ReportedChargeState, other: ReportedChargeState): boolean {
  if (status !== 'declined' && status !== 'expired' && status !== 'canceled') return false;
  return reported.capturedCents < other.capturedCents || reported.paidCents < other.paidCents;
}

/** Whether a report shows an earlier state than this: no more money, and nothing that ends a charge. */
export function isBehind(
  reported: ReportedChargeState,
  current: Omit<ReportedChargeState, 'status'>,
): boolean {
  const { status, capturedCents, refundedCents, paidCents: paid } = reported;
  if (status !== 'pending' && status !== 'authorized' && status !== 'approved') return false;
  return (
    capturedCents <= current.capturedCents &&
    refundedCents <= current.refundedCents &&
    paid <= current.paidCents
  );
}

/** Whether the report shows the payment to the cent. */
export function matches(payment: PaymentState, reported: ReportedChargeState): boolean {
  return (
    payment.status === reported.status &&
    payment.capturedAmountCents === reported.capturedCents &&
    payment.refundedAmountCents === reported.refundedCents &&
    paidCents(payment) === reported.paidCents
  );
}
