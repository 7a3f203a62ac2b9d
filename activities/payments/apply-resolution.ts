import { assertNever } from '../../src/domain/shared/assert-never';
import { awaitsReview } from '../../src/domain/payments/charge-operations';
import type { ResolutionOutcome } from '../../src/domain/payments/manual-resolution';
import { paymentNow } from '../../src/domain/payments/payment-clock';
import { undecidedCents, type PaymentFact } from '../../src/domain/payments/payment-lifecycle';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { ManualResolutionRecord } from '../../src/persistence/payments/manual-resolution-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { ResolutionStep, ResolveInput } from '../../workflows/messages';
import { awaitsOperator, isCharge } from './attempt-predicates';
import { loadPayment, lockPayment } from './load-payment';
import { applyPaymentTransition } from './apply-payment-transition';
import type { PaymentDeps } from './payment-deps';
import { toPaymentStep, undecidedCharge } from './payment-step';
import { recoveryScheduleOf } from './recovery-schedule';
import { recordResolution } from './record-resolution';
import { recordCharge } from './record-charge';
import { recordOperation } from './record-operation';

/**
 * Applies an operator's resolution as its row says; the input names only the row. If the attempt got its result in another
 * way, the resolution is closed without effect. An id that names no resolution of the payment changes nothing.
 */
export async function applyResolution(
  deps: PaymentDeps,
  { transactionId, resolutionId }: ResolveInput,
): Promise<ResolutionStep> {
  const loaded = await loadPayment(deps, transactionId);
  const resolution = await deps.resolutions.find(loaded.payment.id, resolutionId);
  if (resolution === null) return { step: toPaymentStep(deps, loaded), restartedAttemptId: null };
  const attempt = loaded.attempts.find(({ id }) => id === resolution.attemptId);
  if (resolution.status === 'requested' && attempt !== undefined)
    await applyTo(deps, transactionId, attempt, resolution);
  return closeResolution(deps, transactionId, resolution);
}

/** Closes a resolution that had no effect, and plans what is left to do: an open resolution was part of it. */
async function closeResolution(
  deps: PaymentDeps,
  transactionId: string,
  { id, attemptId, outcome, status }: ManualResolutionRecord,
): Promise<ResolutionStep> {
  return deps.db.inTransaction(async (tx) => {
    const payment = await deps.payments.lock(tx, transactionId);
    const now = deps.now();
    const hadNoEffect = status === 'superseded' || (await deps.resolutions.close(tx, id, 'superseded', now));
    const attempts = await deps.attempts.listByTransaction(transactionId, tx);
    const attempt = attempts.find((other) => other.id === attemptId) ?? null;
    const step = toPaymentStep(deps, { payment, attempts }, attempt);
    const schedule = recoveryScheduleOf(step, payment.stuckAt, now);
    if (payment.recoverAfter !== null) await deps.payments.saveRecoverySchedule(tx, payment.id, schedule);
    return { step, restartedAttemptId: outcome === 'retry' && !hadNoEffect ? attemptId : null };
  });
}

async function applyTo(
  deps: PaymentDeps,
  transactionId: string,
  attempt: AttemptRecord,
  resolution: ManualResolutionRecord,
): Promise<void> {
  const { outcome, reason, gatewayTransactionId } = resolution;
  if (outcome === 'retry') return restartInquirySchedule(deps, transactionId, resolution);
  if (awaitsReview(attempt)) return confirmFound(deps, transactionId, resolution);
  if (attempt.status === 'pending') return resolvePending(deps, transactionId, resolution);
  const message = `resolved by an operator as ${outcome}: ${reason}`;
  const update =
    outcome === 'paid'
      ? ({
          kind: 'confirmed',
          message,
          ...(gatewayTransactionId !== null && { gatewayTransactionId }),
        } as const)
      : ({ kind: 'absent', message } as const);
  const source = { kind: 'operator', resolution } as const;
  if (isCharge(attempt)) await recordCharge(deps, transactionId, attempt, update, source);
  else await recordOperation(deps, transactionId, attempt, update, source);
}

/**
 * Resolves an expired or canceled pix or boleto. If it is partly paid, the operator can only accept that amount. If
 * inquiries are inconclusive, the operator decides whether it was paid.
 */
async function resolvePending(
  deps: PaymentDeps,
  transactionId: string,
  resolution: ManualResolutionRecord,
): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    const context = await lockPayment(deps, tx, transactionId);
    const { payment } = context;
    const isOpen = undecidedCharge(context)?.id === resolution.attemptId;
    const fact = isOpen ? factOf(payment, resolution.outcome) : null;
    if (fact !== null && (await recordResolution(deps, tx, payment, resolution)))
      await applyPaymentTransition(deps, tx, context, fact);
  });
}

/** A person has looked at what an inquiry had found at the gateway. The records stay as they are. */
async function confirmFound(
  deps: PaymentDeps,
  transactionId: string,
  resolution: ManualResolutionRecord,
): Promise<void> {
  const { attemptId, outcome } = resolution;
  await deps.db.inTransaction(async (tx) => {
    const { payment, attempts } = await lockPayment(deps, tx, transactionId);
    const isOpen = attempts.some((attempt) => attempt.id === attemptId && awaitsReview(attempt));
    if (!isOpen || outcome !== 'paid' || !(await recordResolution(deps, tx, payment, resolution))) return;
    await deps.attempts.markEscalated(tx, attemptId, null);
    const current = await deps.attempts.listByPayment(payment.id, tx);
    const step = toPaymentStep(deps, { payment, attempts: current });
    const schedule = recoveryScheduleOf(step, payment.stuckAt, deps.now());
    await deps.payments.saveRecoverySchedule(tx, payment.id, schedule);
  });
}

/** Restarts the inquiry schedule of an attempt, as an operator requested. */
async function restartInquirySchedule(
  deps: PaymentDeps,
  transactionId: string,
  resolution: ManualResolutionRecord,
): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    const { payment, attempts } = await lockPayment(deps, tx, transactionId);
    const { attemptId } = resolution;
    const isUnknown = attempts.some((attempt) => attempt.id === attemptId && awaitsOperator(attempt));
    const isFound = attempts.some((attempt) => attempt.id === attemptId && awaitsReview(attempt));
    if (!isUnknown && !isFound && !isPending(attempts, resolution)) return;
    if (!(await recordResolution(deps, tx, payment, resolution))) return;
    // What was found stays a question until the gateway agrees with the records or a person confirms it.
    if (!isFound) await deps.attempts.markEscalated(tx, attemptId, null);
    await deps.attempts.restartWait(tx, attemptId, paymentNow(payment, deps.now()));
    await deps.payments.markStuck(transactionId, null, deps.now(), tx);
  });
}

function isPending(attempts: readonly AttemptRecord[], { attemptId }: ManualResolutionRecord): boolean {
  return attempts.some(({ id, status }) => id === attemptId && status === 'pending');
}

/** Null if the outcome decides nothing: a partly paid payment is not absent. */
function factOf(payment: PaymentRecord, outcome: ResolutionOutcome): PaymentFact | null {
  const isPartlyPaid = undecidedCents(payment) > 0;
  switch (outcome) {
    case 'paid':
      return isPartlyPaid ? { kind: 'accepted' } : { kind: 'paid', paidAmountCents: payment.amountCents };
    case 'absent':
      return isPartlyPaid ? null : { kind: 'expired' };
    case 'retry':
      return null;
    default:
      return assertNever(outcome);
  }
}
