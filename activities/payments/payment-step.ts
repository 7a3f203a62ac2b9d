import {
  activeCharge,
  awaitsReview,
  isAccepted,
  openOperations,
} from '../../src/domain/payments/charge-operations';
import { forbiddenCode } from '../../src/domain/payments/operation-refusal';
import { undecidedCents } from '../../src/domain/payments/payment-lifecycle';
import { expiryDecidedAt, nextPollAt } from '../../src/domain/payments/pending-schedule';
import { nextResultInquiryAt } from '../../src/domain/payments/operations/pending-operation-schedule';
import { nextRecheckAt } from '../../src/domain/payments/recheck-schedule';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { NewDelivery } from '../../src/persistence/webhooks/event-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { AttemptSummary, TestClockState, PaymentStep, UnknownOperation } from '../../workflows/messages';
import {
  awaitsOperator,
  isCaptureOrCancel,
  isCharge,
  isOpen,
  isUnfinishedOperation,
  wasSent,
} from './attempt-predicates';
import { absenceProvenAfterMs } from './gateways/absence';
import type { PaymentDeps } from './payment-deps';

/** After expiry, how long inquiries may stay inconclusive before an operator is needed. */
export const INCONCLUSIVE_GRACE_MS = 3_600_000;

/** A payment with all its attempts, as one transaction sees them. */
export interface PaymentContext {
  readonly payment: PaymentRecord;
  /** In the order they were made. */
  readonly attempts: readonly AttemptRecord[];
  /** Deliveries of the events that this transaction publishes; none if omitted. */
  readonly deliveries?: readonly NewDelivery[];
}

/** The state of a payment that its workflow needs to choose the next step. */
export function toPaymentStep(
  deps: Pick<PaymentDeps, 'now' | 'settings' | 'registries'>,
  { payment, attempts }: PaymentContext,
  attempt: AttemptRecord | null = null,
): PaymentStep {
  // The caller of an accepted operation does not wait: its result may take days.
  const unfinished = attempts.filter((each) => isUnfinishedOperation(each) && !isAccepted(each));
  return {
    status: payment.status,
    message: payment.message,
    attempt: attempt && summarize(attempt),
    ready: isReady(payment, attempts),
    openOperations: unfinished.map(({ id }) => id),
    openResolutions: attempts.flatMap(({ openResolutionId }) => openResolutionId ?? []),
    unknown: attempts.filter(isOpen).map((open) => unknownOperation(deps, open)),
    stuckAfterMs: deps.settings.stuckAfterMs,
    pollAt: pollAtOf({ payment, attempts })?.getTime() ?? null,
    recheckAt: recheckAtOf({ payment, attempts })?.getTime() ?? null,
    needsOperator: questionOf({ payment, attempts })?.id ?? null,
    clock: clockOf(payment),
  };
}

/** Requested operations go first, because a reversal must not wait for another charge. */
function isReady({ status }: PaymentRecord, attempts: readonly AttemptRecord[]): boolean {
  if (attempts.some((attempt) => !isCharge(attempt) && attempt.status === 'requested')) return true;
  return status === 'processing' && !attempts.some((attempt) => isOpen(attempt));
}

function unknownOperation(
  deps: Pick<PaymentDeps, 'now' | 'settings' | 'registries'>,
  attempt: AttemptRecord,
): UnknownOperation {
  const sinceSentMs = deps.now().getTime() - (attempt.sentAt ?? attempt.createdAt).getTime();
  return {
    ...summarize(attempt),
    absenceProvenInMs: absenceProvenAfterMs(deps, attempt) - sinceSentMs,
    isEscalated: awaitsOperator(attempt),
  };
}

/** What only an operator can decide, apart from attempts of unknown outcome. */
function questionOf({ payment, attempts }: PaymentContext): AttemptRecord | null {
  const awaited = attempts.find((attempt) => isAccepted(attempt) && awaitsOperator(attempt));
  return attempts.find(awaitsReview) ?? awaited ?? undecidedCharge({ payment, attempts });
}

/** When the gateway is polled next, or the authorization expires, by the payment's clock. */
function pollAtOf(context: PaymentContext): Date | null {
  const { payment, attempts } = context;
  const results = attempts.map((attempt) => resultInquiryAt(payment, attempt));
  return earliest([chargePollAt(context), ...results]);
}

/** When the gateway is asked for the result of an accepted operation, by the payment's clock; null for any other attempt. */
export function resultInquiryAt(
  { lastPolledAt }: Pick<PaymentRecord, 'lastPolledAt'>,
  attempt: Pick<AttemptRecord, 'status' | 'awaitedSince' | 'escalatedAt'>,
): Date | null {
  const { awaitedSince, escalatedAt } = attempt;
  if (!isAccepted(attempt) || awaitedSince === null || escalatedAt !== null) return null;
  return nextResultInquiryAt({ awaitedSince, lastAskedAt: lastPolledAt });
}

/** When the gateway is asked about the payment's charge, or the authorization expires, by the payment's clock. */
export function chargePollAt({ payment, attempts }: PaymentContext): Date | null {
  if (payment.status !== 'pending' && payment.status !== 'authorized')
    return refusalSinceLastPoll(payment, attempts);
  // An unfinished capture or cancel decides the payment, so only that operation is inquired.
  if (attempts.some((attempt) => isCaptureOrCancel(attempt) && isUnfinishedOperation(attempt))) return null;
  const refusedAt = refusalSinceLastPoll(payment, attempts);
  if (refusedAt !== null) return refusedAt;
  const { paymentMethod, createdAt, expiresAt, lastPolledAt, captureBefore } = payment;
  if (payment.status === 'authorized') return captureBefore;
  return nextPollAt({ paymentMethod, createdAt, expiresAt, lastPolledAt });
}

/** When a gateway is asked again about an abandoned attempt, by the payment's clock. Null if none is. */
function recheckAtOf(context: PaymentContext): Date | null {
  return earliest(context.attempts.map((attempt) => recheckAttemptAt(context, attempt)));
}

function earliest(instants: ReadonlyArray<Date | null>): Date | null {
  const known = instants.filter((at) => at !== null);
  return known.length === 0 ? null : new Date(Math.min(...known.map(Number)));
}

/** The same for one attempt. A request that arrives late is noticed by it, also if the gateway sends no callback. */
export function recheckAttemptAt({ payment, attempts }: PaymentContext, attempt: AttemptRecord): Date | null {
  const { id, operation, status, updatedAt } = attempt;
  if (operation === 'inquiry' || status !== 'abandoned' || !wasSent(attempt)) return null;
  const isReversed = attempts.some(
    ({ purpose, targetAttemptId }) => purpose === 'reversal' && targetAttemptId === id,
  );
  if (isReversed) return null;
  const { clockOffsetMs, lastPolledAt } = payment;
  return nextRecheckAt(new Date(updatedAt.getTime() + clockOffsetMs), lastPolledAt);
}

/**
 * When the gateway refused a capture, cancel or refund since the last poll. The charge may have changed there, so it is
 * polled at once.
 */
export function refusalSinceLastPoll(
  { lastPolledAt, clockOffsetMs }: Pick<PaymentRecord, 'lastPolledAt' | 'clockOffsetMs'>,
  attempts: readonly AttemptRecord[],
): Date | null {
  const refusals = attempts
    .filter((attempt) => isCaptureOrCancel(attempt) || attempt.operation === 'refund')
    .filter(({ status }) => status === 'declined' || status === 'error')
    // A refusal of this service says nothing about the gateway.
    .filter((attempt) => forbiddenCode(attempt) === null)
    .map((attempt) => new Date(attempt.updatedAt.getTime() + clockOffsetMs));
  return refusals.find((at) => lastPolledAt === null || at > lastPolledAt) ?? null;
}

/** The charge of a pix or boleto about which only an operator can decide; null if there is none. */
export function undecidedCharge({ payment, attempts }: PaymentContext): AttemptRecord | null {
  return needsDecision(payment, attempts) ? activeCharge(attempts) : null;
}

/**
 * Whether an operator must decide: it expired partly paid, or was partly paid after it had expired or was canceled, and
 * that part is not being refunded; or its gateway stayed inconclusive for long after expiry.
 */
function needsDecision(payment: PaymentRecord, attempts: readonly AttemptRecord[]): boolean {
  const { status, expiresAt, lastPolledAt } = payment;
  const isPartlyPaid = undecidedCents(payment) > openOperations(attempts).refundingCents;
  if (status !== 'pending') return isPartlyPaid;
  if (expiresAt === null || lastPolledAt === null) return false;
  const lateMs = lastPolledAt.getTime() - expiryDecidedAt(expiresAt).getTime();
  return lateMs >= (isPartlyPaid ? 0 : INCONCLUSIVE_GRACE_MS);
}

function clockOf({ clockOffsetMs, clockNow, clockTarget }: PaymentRecord): TestClockState {
  const hasArrived = clockTarget === null || (clockNow !== null && clockNow >= clockTarget);
  return { offsetMs: clockOffsetMs, target: hasArrived ? null : clockTarget.getTime() };
}

function summarize(attempt: AttemptRecord): AttemptSummary {
  return {
    attempt: attempt.attempt,
    attemptId: attempt.id,
    operation: attempt.operation,
    gateway: attempt.gatewaySlug,
    status: attempt.status,
    responseCode: attempt.responseCode,
    responseMessage: attempt.responseMessage,
  };
}
