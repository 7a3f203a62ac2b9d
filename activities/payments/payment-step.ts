import { activeCharge } from '../../src/domain/payments/charge-operations';
import { expiryDecidedAt, nextPollAt } from '../../src/domain/payments/pending-schedule';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { NewDelivery } from '../../src/persistence/webhooks/event-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { AttemptSummary, TestClockState, PaymentStep, UnknownOperation } from '../../workflows/messages';
import { isCaptureOrCancel, isCharge, isOpen, isUnfinishedOperation } from './attempt-predicates';
import type { PaymentDeps } from './payment-deps';

/** How long a payment may go without a sign of its workflow before the sweeper starts one. */
const RECOVERY_DELAY_MS = 120_000;
/** The same once a person is asked, since the gateway is then asked once an hour. */
const SIGN_OF_LIFE_ON_DESK_MS = 3_720_000;

/** After its time is over, a gateway that cannot tell whether it was paid is waited for so long. */
const SILENCE_MS = 3_600_000;

/** A payment with every operation tried for it, as one transaction sees them. */
export interface PaymentContext {
  readonly payment: PaymentRecord;
  /** In the order they were made. */
  readonly attempts: readonly AttemptRecord[];
  /** Of the events that this transaction tells; none when left out. */
  readonly deliveries?: readonly NewDelivery[];
}

/** How many charges may be tried for a payment: fewer where its card's network caps them. */
export function maxAttemptsOf(
  { settings }: Pick<PaymentDeps, 'settings'>,
  { attemptsAllowed }: PaymentRecord,
): number {
  return Math.min(settings.maxAttempts, attemptsAllowed ?? Infinity);
}

/** What the workflow is told of a payment as it stands: all it needs to choose its next step. */
export function stepOf(
  deps: Pick<PaymentDeps, 'now' | 'settings'>,
  { payment, attempts }: PaymentContext,
  attempt: AttemptRecord | null = null,
): PaymentStep {
  const unfinished = attempts.filter(isUnfinishedOperation);
  return {
    status: payment.status,
    message: payment.message,
    attempt: attempt && summarize(attempt),
    ready: isReady(payment, attempts),
    openOperations: unfinished.map(({ id }) => id),
    unknown: attempts.filter(isOpen).map((open) => unknownOperation(deps, open)),
    stuckAfterMs: deps.settings.stuckAfterMs,
    pollAt: pollAtOf({ payment, attempts })?.getTime() ?? null,
    needsPerson: needsPerson(payment) ? (activeCharge(attempts)?.id ?? null) : null,
    clock: clockOf(payment),
  };
}

/** How a payment goes on without anybody's doing, as its row says. */
export type RecoverySchedule = Pick<PaymentRecord, 'recoverAfter' | 'stuckAt'>;

/** How a payment rests after a step; `stuckAt` as it was until then. It is on the desk as long as there is a question. */
export function recoveryScheduleOf(step: PaymentStep, stuckAt: Date | null, now: Date): RecoverySchedule {
  const stillStuckAt =
    step.needsPerson === null ? (step.unknown.length === 0 ? null : stuckAt) : (stuckAt ?? now);
  return { stuckAt: stillStuckAt, recoverAfter: wakeByOf(step, stillStuckAt !== null, now) };
}

/** When a sweeper should see to it that a workflow runs, by everybody's clock; null when there is nothing left to do. */
function wakeByOf(step: PaymentStep, isOnDesk: boolean, now: Date): Date | null {
  const { ready, unknown, pollAt, needsPerson, clock } = step;
  if (!ready && unknown.length === 0 && pollAt === null && needsPerson === null) return null;
  if (!ready && isOnDesk) return new Date(now.getTime() + SIGN_OF_LIFE_ON_DESK_MS);
  const waits = !ready && unknown.length === 0 && pollAt !== null;
  const next = waits ? Math.max(now.getTime(), pollAt - clock.offsetMs) : now.getTime();
  return new Date(next + RECOVERY_DELAY_MS);
}

/** Money that goes back comes before money that is taken. */
function isReady({ status }: PaymentRecord, attempts: readonly AttemptRecord[]): boolean {
  if (attempts.some((attempt) => !isCharge(attempt) && attempt.status === 'requested')) return true;
  return status === 'processing' && !attempts.some((attempt) => isOpen(attempt));
}

function unknownOperation(
  deps: Pick<PaymentDeps, 'now' | 'settings'>,
  attempt: AttemptRecord,
): UnknownOperation {
  const sinceSentMs = deps.now().getTime() - (attempt.sentAt ?? attempt.createdAt).getTime();
  return { ...summarize(attempt), provableInMs: deps.settings.absenceProvenAfterMs - sinceSentMs };
}

/** When the gateway is to be asked how the payment stands, or its authorization lapses, by the payment's own clock. */
export function pollAtOf({ payment, attempts }: PaymentContext): Date | null {
  if (payment.status !== 'pending' && payment.status !== 'authorized') return null;
  // While it is being captured or canceled, what comes of that is the question, and nothing else.
  if (attempts.some((attempt) => isCaptureOrCancel(attempt) && isUnfinishedOperation(attempt))) return null;
  const refused = refusedSinceLook(payment, attempts);
  if (refused !== null) return refused;
  const { paymentMethod, createdAt, expiresAt, lastPolledAt, captureBefore } = payment;
  if (payment.status === 'authorized') return captureBefore;
  return nextPollAt({ paymentMethod, createdAt, expiresAt, lastPolledAt });
}

/** A gateway that refuses a capture or cancel may know something of the charge that we do not: it is asked at once. */
export function refusedSinceLook(
  { lastPolledAt, clockOffsetMs }: Pick<PaymentRecord, 'lastPolledAt' | 'clockOffsetMs'>,
  attempts: readonly AttemptRecord[],
): Date | null {
  const refusals = attempts
    .filter(
      (attempt) =>
        isCaptureOrCancel(attempt) && (attempt.status === 'declined' || attempt.status === 'error'),
    )
    .map((attempt) => new Date(attempt.updatedAt.getTime() + clockOffsetMs));
  return refusals.find((at) => lastPolledAt === null || at > lastPolledAt) ?? null;
}

/** Its time is over, and it is paid in part: neither paid nor free of money; or its gateway has not told for long. */
function needsPerson({ status, paidAmountCents, expiresAt, lastPolledAt }: PaymentRecord): boolean {
  if (status !== 'pending' || expiresAt === null || lastPolledAt === null) return false;
  const lateMs = lastPolledAt.getTime() - expiryDecidedAt(expiresAt).getTime();
  return lateMs >= ((paidAmountCents ?? 0) > 0 ? 0 : SILENCE_MS);
}

function clockOf({ clockOffsetMs, clockNow, clockTarget }: PaymentRecord): TestClockState {
  const arrived = clockTarget === null || (clockNow !== null && clockNow >= clockTarget);
  return { offsetMs: clockOffsetMs, target: arrived ? null : clockTarget.getTime() };
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
