import { activeCharge, isUnfinished, refundedCentsOf } from '../../../src/domain/payments/charge-operations';
import { applyFact, paidCents } from '../../../src/domain/payments/payment-lifecycle';
import { operationFact } from '../../../src/domain/payments/payment-operation';
import { isPaidLater } from '../../../src/domain/payments/payment';
import {
  furthestReport,
  isBehind,
  matches,
  REPORTED_BY_CALLBACK,
  reportsMoney,
  type ReportedChargeState,
} from '../../../src/domain/payments/reported-charge-state';
import type { Accepted, Outcome } from '../../../src/gateways/gateway';
import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import type { UnprocessedCallback } from '../../../src/persistence/payments/gateway-callback-repository';
import { isCharge, mayChangeCharge, operationOf } from '../attempt-predicates';
import { successStatus } from '../operations/operation-result';
import type { PaymentContext } from '../payment-step';

/**
 * What signed callbacks say about an attempt at a gateway that answers no inquiries. Null if they say nothing about it.
 * Only callbacks whose signature covers their body have a reported state.
 */
export function statedByCallbacks(
  context: PaymentContext,
  attempt: AttemptRecord,
  callbacks: readonly UnprocessedCallback[],
): Outcome | null {
  const subject = isCharge(attempt) ? named(attempt, callbacks) : attempt;
  const about = callbacks.filter((callback) => !isAboutAnotherCharge(context, subject, callback));
  const reports = statesOf(about, attempt.id);
  const own = furthestReport(reports);
  if (operationOf(attempt) === null && attempt.purpose !== 'reversal')
    return chargeOutcome(context, subject, own, toldRefundCents(about, attempt.id));
  if (own !== null) return operationOutcome(attempt, reports);
  const ofCharge = furthestReport(statesOf(about, attempt.targetAttemptId));
  return ofCharge !== null && explainsExactly(context, attempt, ofCharge) ? statedOperation(attempt) : null;
}

function statesOf(callbacks: readonly UnprocessedCallback[], id: string | null): ReportedChargeState[] {
  return callbacks
    .filter(({ trusted, kind, attemptId }) => trusted && kind === 'status' && attemptId === id)
    .flatMap(({ reportedState }) => reportedState ?? []);
}

/** The sum of the refunds that callbacks report one by one. An event may have come several times. */
function toldRefundCents(callbacks: readonly UnprocessedCallback[], chargeId: string): number {
  const events = callbacks
    .filter(({ trusted, attemptId }) => trusted && attemptId === chargeId)
    .flatMap(({ eventId, refundCents }) => (refundCents === null ? [] : [[eventId, refundCents] as const]));
  return [...new Map(events).values()].reduce((sum, cents) => sum + cents, 0);
}

/**
 * With the gateway's id that a signed callback names, if the answer to the charge was lost. If they name several charges, one
 * that holds money.
 */
function named(attempt: AttemptRecord, callbacks: readonly UnprocessedCallback[]): AttemptRecord {
  const signed = callbacks.filter(
    ({ trusted, attemptId, gatewayTransactionId }) =>
      trusted && attemptId === attempt.id && gatewayTransactionId !== null,
  );
  const holding = signed.find(({ reportedState }) => reportedState !== null && reportsMoney(reportedState));
  const said = (holding ?? signed.at(-1))?.gatewayTransactionId ?? null;
  return { ...attempt, gatewayTransactionId: attempt.gatewayTransactionId ?? said };
}

/**
 * Whether a callback is about another charge of a card than the attempt's, or than the one that the operation is on, although it has our
 * reference: the gateway, or somebody on its own pages, has charged the card again. Of a pix or boleto the answer may have another id than
 * its payment.
 */
export function isAboutAnotherCharge(
  { payment, attempts }: PaymentContext,
  { gatewayTransactionId: own }: Pick<AttemptRecord, 'gatewayTransactionId'>,
  { attemptId, gatewayTransactionId: said }: UnprocessedCallback,
): boolean {
  if (isPaidLater(payment.paymentMethod) || own === null || said === null || own === said) return false;
  return attempts.some((attempt) => attempt.id === attemptId && isCharge(attempt));
}

/** What a signed callback says about another charge than the attempt's. Null if it holds no money. */
export function statedCharge(attempt: AttemptRecord, reported: ReportedChargeState | null): Accepted | null {
  if (reported === null || !reportsMoney(reported)) return null;
  const kind = reported.capturedCents > 0 ? 'approved' : 'authorized';
  return { ...accepted(attempt, kind), amountCents: chargedCents(attempt, reported) };
}

/** A callback may arrive after later ones: what it reports is part of the records then. */
function chargeOutcome(
  context: PaymentContext,
  attempt: AttemptRecord,
  reported: ReportedChargeState | null,
  refundCents: number,
): Outcome | null {
  if (reported === null && refundCents === 0) return null;
  const recorded = recordedState(context, attempt);
  const isOld = reported === null || (recorded !== null && isPartOf(reported, recorded));
  const state = isOld ? recorded : reported;
  if (state === null) return null;
  const refunded = refundCents === 0 ? null : withRefunds(context, state, refundCents);
  // They wait until they can be added.
  if (refundCents !== 0 && refunded === null && !isUnfinished(attempt)) return null;
  const chargeState = refunded ?? state;
  if (chargeState.status === 'declined') return declined(attempt);
  const isCard = !isPaidLater(context.payment.paymentMethod);
  // Its code must still come from the gateway.
  if (!isCard && chargeState.status === 'pending' && isUnfinished(attempt)) return null;
  return {
    ...accepted(attempt, chargeState.status === 'expired' ? 'canceled' : chargeState.status),
    amountCents: isCard ? chargedCents(attempt, chargeState) : attempt.amountCents,
    paidAmountCents: isCard ? null : chargeState.paidCents,
    // What is old agrees with nothing that was said since.
    chargeState: isOld && refunded === null ? null : chargeState,
  };
}

/** Of a card. A part of what was asked for is not the charge. */
function chargedCents(attempt: AttemptRecord, reported: ReportedChargeState): number {
  if (reported.capturedCents > 0) return reported.capturedCents;
  return reported.authorizedCents ?? attempt.amountCents;
}

/** Null of a charge that is not the payment's, or has no result yet. */
function recordedState(
  { payment, attempts }: PaymentContext,
  attempt: AttemptRecord,
): ReportedChargeState | null {
  const { status } = payment;
  if (activeCharge(attempts)?.id !== attempt.id || status === 'processing') return null;
  return {
    status: status === 'failed' ? 'expired' : status,
    capturedCents: payment.capturedAmountCents,
    refundedCents: refundedCentsOf(attempts, attempt.id),
    paidCents: paidCents(payment),
  };
}

/** The rest of an authorization expires after a part of it was captured. */
function isPartOf(reported: ReportedChargeState, recorded: ReportedChargeState): boolean {
  return isBehind(reported, recorded) || (reported.status === 'expired' && recorded.capturedCents > 0);
}

/** Null if the charge holds no money yet, or an operation under way may be one of the refunds. */
function withRefunds(
  { attempts }: PaymentContext,
  state: ReportedChargeState,
  refundCents: number,
): ReportedChargeState | null {
  if (state.status !== 'approved' && state.status !== 'refunded') return null;
  if (attempts.some(mayChangeCharge)) return null;
  const refundedCents = state.refundedCents + refundCents;
  const isWhole = refundedCents >= Math.max(state.capturedCents, state.paidCents);
  return { ...state, refundedCents, status: isWhole ? 'refunded' : 'approved' };
}

/** A gateway reports a failure after a success, so the failure counts, in whatever order the two arrive. */
function operationOutcome(attempt: AttemptRecord, reports: readonly ReportedChargeState[]): Outcome | null {
  if (reports.some(({ status }) => status === 'declined')) return declined(attempt);
  return reports.some(({ status }) => status === successStatus(attempt)) ? statedOperation(attempt) : null;
}

/** Whether the report about the charge is what this operation does, the only one without a result. */
function explainsExactly(
  { payment, attempts }: PaymentContext,
  attempt: AttemptRecord,
  reported: ReportedChargeState,
): boolean {
  const operation = operationOf(attempt);
  const isOnly = attempts.every((other) => other.id === attempt.id || !isUnfinished(other));
  if (operation === null || !isOnly) return false;
  const after = applyFact(payment, operationFact(operation, attempt.amountCents));
  // It only matters that the authorization is void, not whether our cancel or its expiry has ended it.
  const status = operation === 'cancel' && reported.status === 'expired' ? 'canceled' : reported.status;
  return after.applied && matches(after.state, { ...reported, status });
}

/** The outcome of an operation that was made. */
export function statedOperation(attempt: AttemptRecord): Accepted {
  return accepted(attempt, successStatus(attempt));
}

function accepted(attempt: AttemptRecord, kind: Accepted['kind']): Accepted {
  return {
    kind,
    gatewayTransactionId: attempt.gatewayTransactionId ?? '',
    amountCents: attempt.amountCents,
    responseCode: '00',
    responseMessage: REPORTED_BY_CALLBACK,
    authorizationCode: null,
    networkIds: null,
    captureBefore: null,
    paidAmountCents: null,
    pix: null,
    billet: null,
    chargeState: null,
  };
}

function declined({ gatewayTransactionId }: AttemptRecord): Outcome {
  return {
    kind: 'declined',
    code: null,
    declineClass: 'soft',
    message: REPORTED_BY_CALLBACK,
    adviceCode: null,
    gatewayTransactionId,
  };
}
