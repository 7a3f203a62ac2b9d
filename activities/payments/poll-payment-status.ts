import { activeCharge } from '../../src/domain/payments/charge-operations';
import { isPaidLater } from '../../src/domain/payments/payment';
import { applyFact, type PaymentFact } from '../../src/domain/payments/payment-lifecycle';
import type { Accepted } from '../../src/gateways/gateway';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { PollInput, PaymentStep } from '../../workflows/messages';
import { applyDeadlines } from './apply-deadlines';
import { applyPaymentTransition } from './apply-payment-transition';
import { isCaptureOrCancel, isUnfinishedOperation } from './attempt-predicates';
import { queryChargeStatus, type InquiryOutcome } from './inquire-attempt';
import { listInquiry } from './list-inquiry';
import { loadPayment, lockPayment } from './load-payment';
import type { PaymentDeps, PaymentSettings } from './payment-deps';
import { isDropped, mayFollowHints, type PaymentPoll } from './payment-poll';
import { pollAtOf, refusalSinceLastPoll, toPaymentStep, type PaymentContext } from './payment-step';
import { recheckAbandonedCharges, recheckAbandonedRefunds } from './recheck-abandoned';
import { recoveryScheduleOf } from './recovery-schedule';

/**
 * Polls a payment: asks its gateway for the status of its charge when the schedule or a callback requires it, records
 * the answer and applies deadlines. A callback never changes state by itself. Safe to run at any time: nothing happens
 * before it is due.
 */
export async function pollPaymentStatus(deps: PaymentDeps, input: PollInput): Promise<PaymentStep> {
  const poll: PaymentPoll = { input, ...(await loadPayment(deps, input.transactionId)) };
  const { inquired, answered } = await recheckAbandonedCharges(deps, poll);
  const charge = activeCharge(poll.attempts);
  const isDue = charge !== null && isInquiryDue(poll, deps.settings);
  if (isDue && poll.callbacks.length > 0) await recheckAbandonedRefunds(deps, poll, charge);
  const inquiry = isDue ? await queryChargeStatus(deps, charge, poll.callbacks) : null;
  return savePollResult(deps, { ...poll, callbacks: answered }, charge, {
    inquiry,
    inquired: inquired || inquiry !== null,
  });
}

/** Whether the gateway must be asked now: by schedule, after a refusal, or because of a callback. */
function isInquiryDue(poll: PaymentPoll, settings: PaymentSettings): boolean {
  const { payment, attempts, callbacks, input } = poll;
  if (input.requested === true) return true;
  const scheduled = pollAtOf({ payment, attempts });
  if (payment.status === 'pending' && scheduled !== null && scheduled.getTime() <= input.at) return true;
  if (refusalSinceLastPoll(payment, attempts) !== null) return true;
  if (callbacks.some(({ trusted }) => trusted)) return true;
  return callbacks.length > 0 && mayFollowHints(poll, settings);
}

/** Records the result and applies what is due by the payment's clock, in one transaction under the payment's lock. */
async function savePollResult(
  deps: PaymentDeps,
  poll: PaymentPoll,
  charge: AttemptRecord | null,
  { inquiry, inquired }: { readonly inquiry: InquiryOutcome | null; readonly inquired: boolean },
): Promise<PaymentStep> {
  const { transactionId, at, offsetMs } = poll.input;
  return deps.db.inTransaction(async (tx) => {
    const { payment: locked, attempts } = await lockPayment(deps, tx, transactionId);
    const clockNow = locked.clockTarget && new Date(Math.min(at, locked.clockTarget.getTime()));
    const polled = {
      lastPolledAt: inquired ? new Date(at) : locked.lastPolledAt,
      clockOffsetMs: Math.max(offsetMs, locked.clockOffsetMs),
      clockNow,
    };
    let context: PaymentContext = { payment: { ...locked, ...polled }, attempts };
    const subject = attempts.find(({ id }) => id === charge?.id);
    if (subject !== undefined && inquiry?.kind === 'found') {
      context = await applyInquiryResult(deps, tx, context, subject, inquiry);
    }
    context = await applyDeadlines(deps, tx, context, inquiry, at);
    const step = withDelayedHints(toPaymentStep(deps, context), poll, inquiry, deps.settings);
    const schedule = recoveryScheduleOf(step, context.payment.stuckAt, deps.now());
    await deps.payments.recordPoll(tx, locked.id, { ...polled, ...schedule });
    await markCallbacksProcessed(deps, tx, poll, inquiry);
    return step;
  });
}

/** Applies the status that the gateway reports for the active charge. */
async function applyInquiryResult(
  deps: PaymentDeps,
  tx: Tx,
  context: PaymentContext,
  charge: AttemptRecord,
  inquiry: InquiryOutcome & { readonly kind: 'found' },
): Promise<PaymentContext> {
  const { outcome } = inquiry.answer;
  if (outcome.kind === 'declined') return context;
  const fact = factOf(context, outcome);
  if (fact === null) return context;
  let { attempts } = context;
  if (fact.kind === 'paid' && outcome.kind === 'approved' && charge.status === 'pending') {
    const paid = {
      status: 'approved',
      responseCode: outcome.responseCode,
      responseMessage: outcome.responseMessage,
      pix: charge.pix && { ...charge.pix, endToEndId: outcome.pix?.endToEndId ?? null },
    } as const;
    await deps.attempts.markPaid(tx, charge.id, paid, deps.now());
    attempts = attempts.map((other) => (other.id === charge.id ? { ...charge, ...paid } : other));
  }
  if (!applyFact(context.payment, fact).applied) return { ...context, attempts };
  const subject = attempts.find(({ id }) => id === charge.id) ?? charge;
  const listed = await listInquiry(deps, tx, subject, inquiry.requestMs);
  return applyPaymentTransition(deps, tx, { ...context, attempts: [...attempts, listed] }, fact);
}

/** The fact that the reported status of a charge means for its payment, or null if it means nothing new. */
function factOf({ payment, attempts }: PaymentContext, outcome: Accepted): PaymentFact | null {
  const { paidAmountCents } = outcome;
  if (isPaidLater(payment.paymentMethod)) {
    if (paidAmountCents !== null && paidAmountCents > 0) return { kind: 'paid', paidAmountCents };
    return outcome.kind === 'approved' ? { kind: 'paid', paidAmountCents: payment.amountCents } : null;
  }
  if (payment.status !== 'authorized') return null;
  // An unfinished capture or cancel records its own result. Without one, the charge was changed at the gateway.
  if (attempts.some((attempt) => isCaptureOrCancel(attempt) && isUnfinishedOperation(attempt))) return null;
  if (outcome.kind === 'canceled') return { kind: 'canceled' };
  return outcome.kind === 'approved' ? { kind: 'captured', amountCents: outcome.amountCents } : null;
}

/** Marks callbacks as processed once the gateway gave a conclusive answer, or no charge is left to ask about. */
async function markCallbacksProcessed(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts, callbacks }: PaymentPoll,
  inquiry: InquiryOutcome | null,
): Promise<void> {
  const nothingToAsk = activeCharge(attempts) === null && payment.status !== 'processing';
  const answered = inquiry === null ? nothingToAsk : inquiry.kind !== 'inconclusive';
  const now = deps.now();
  const ids = callbacks.filter((callback) => answered || isDropped(callback, now)).map(({ id }) => id);
  await deps.callbacks.markProcessed(ids, now, tx);
}

/** Schedules a poll for unsigned callbacks that arrived too soon after the last poll. */
function withDelayedHints(
  step: PaymentStep,
  { payment, attempts, callbacks }: PaymentPoll,
  inquiry: InquiryOutcome | null,
  { hintPauseMs }: PaymentSettings,
): PaymentStep {
  if (inquiry !== null || callbacks.length === 0 || payment.lastPolledAt === null) return step;
  if (activeCharge(attempts) === null) return step;
  const hintsAt = payment.lastPolledAt.getTime() + hintPauseMs;
  return { ...step, pollAt: Math.min(step.pollAt ?? hintsAt, hintsAt) };
}
