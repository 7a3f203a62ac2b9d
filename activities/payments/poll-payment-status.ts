import { activeCharge } from '../../src/domain/payments/charge-operations';
import { isPaidLater } from '../../src/domain/payments/payment';
import { isInquiryOpen } from '../../src/domain/payments/operations/requested-inquiry';
import { applyFact, type PaymentFact } from '../../src/domain/payments/payment-lifecycle';
import type { Accepted } from '../../src/gateways/gateway';
import type { UnprocessedCallback } from '../../src/persistence/payments/gateway-callback-repository';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentPolled, PaymentRecord } from '../../src/persistence/payments/payment-repository';
import { changeJointly } from '../../src/persistence/sql/joint-changes';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { PollInput, PaymentStep } from '../../workflows/messages';
import { applyDeadlines } from './apply-deadlines';
import { applyPaymentTransition } from './apply-payment-transition';
import { isCaptureOrCancel, isCharge, isUnfinishedOperation, mayChangeCharge } from './attempt-predicates';
import { queryChargeStatus, type InquiryOutcome } from './inquire-attempt';
import { newInquiry } from './list-inquiry';
import { loadPayment, lockPayment } from './load-payment';
import type { PaymentDeps, PaymentSettings } from './payment-deps';
import { isDropped, mayFollowHints, type PaymentPoll } from './payment-poll';
import { chargePollAt, refusalSinceLastPoll, toPaymentStep, type PaymentContext } from './payment-step';
import { followReports, raiseUndone } from './polls/operation-reports';
import { askForResults, escalateAwaited } from './polls/awaited-results';
import { raiseDropped } from './polls/contradictions';
import {
  haveRecordsChanged,
  reconcileCharge,
  reportOf,
  type ChargeInquiry,
  type Reconciliation,
} from './polls/reconcile-charge';
import { answerOf } from './polls/requested-inquiries';
import { returnSecondCharges } from './polls/second-charges';
import { storeShownDisputes } from './polls/shown-disputes';
import { isRecheckDue, recheckEndedCharges, recheckOperations } from './recheck-ended';
import { recoveryScheduleOf } from './recovery-schedule';

/**
 * Polls a payment: asks its gateway for the status of its charge when the schedule or a callback requires it, records
 * the answer and applies deadlines. A callback never changes state by itself. Safe to run at any time: nothing happens
 * before it is due.
 */
export async function pollPaymentStatus(deps: PaymentDeps, polled: PollInput): Promise<PaymentStep> {
  const found = await loadPayment(deps, polled.transactionId);
  const requested = polled.requested === true || isInquiryOpen(found.payment);
  const read: PaymentPoll = { input: { ...polled, requested }, ...found };
  const second = await returnSecondCharges(deps, read);
  const { poll: loaded, undone, ...reports } = await followReports(deps, second.poll);
  const ended = await recheckEndedCharges(deps, loaded);
  const followed = [...second.followed, ...reports.followed, ...ended.answered];
  const results = await askForResults(deps, loaded);
  const inquired = ended.inquired || results.inquired;
  const poll = inquired ? await reload(deps, loaded) : loaded;
  const charge = activeCharge(poll.attempts);
  const asked =
    charge !== null && isInquiryDue(poll, deps.settings) ? await askAboutCharge(deps, poll, charge) : null;
  const unanswered = results.isConclusive ? ended.unanswered : poll.callbacks;
  const answers = { asked, inquired, isConclusive: results.isConclusive, unanswered, followed, undone };
  return savePollResult(deps, poll, read, answers);
}

/** The same callbacks, and the payment as it is now. */
async function reload(deps: PaymentDeps, poll: PaymentPoll): Promise<PaymentPoll> {
  const { payment, attempts } = await loadPayment(deps, poll.input.transactionId);
  return { ...poll, payment, attempts };
}

/** Asks about the charge, and about the operations on it that may explain the answer. */
async function askAboutCharge(
  deps: PaymentDeps,
  poll: PaymentPoll,
  charge: AttemptRecord,
): Promise<ChargeInquiry> {
  const inquiry = await queryChargeStatus(deps, poll, charge, poll.callbacks);
  const recheck = await recheckOperations(deps, poll, charge, reportOf(inquiry));
  const seen = recheck.inquired ? await reload(deps, poll) : poll;
  return { charge, inquiry, seen, isConclusive: recheck.isConclusive, at: poll.input.at };
}

/** Whether the gateway must be asked now: by schedule, after a refusal, or because of a callback. */
function isInquiryDue(poll: PaymentPoll, settings: PaymentSettings): boolean {
  const { payment, attempts, callbacks, input } = poll;
  if (input.requested === true) return true;
  const scheduled = chargePollAt({ payment, attempts });
  if (scheduled !== null && scheduled.getTime() <= input.at) return true;
  if (refusalSinceLastPoll(payment, attempts) !== null) return true;
  // An operation that was made late shows in the status of the charge.
  if (attempts.some((attempt) => !isCharge(attempt) && isRecheckDue(poll, attempt))) return true;
  if (callbacks.some(({ trusted }) => trusted)) return true;
  return callbacks.length > 0 && mayFollowHints(poll, settings);
}

interface PollAnswers {
  /** Null if the gateway was not asked about the payment's charge. */
  readonly asked: ChargeInquiry | null;
  /** Whether a gateway was asked about a charge that is not the payment's, or for the result of an operation. */
  readonly inquired: boolean;
  /** False if a gateway gave no certain answer about an operation that it had accepted. */
  readonly isConclusive: boolean;
  /** Callbacks about them that no gateway was asked about, or in vain. */
  readonly unanswered: readonly UnprocessedCallback[];
  /** Callbacks that need no inquiry about the payment's charge. */
  readonly followed: readonly UnprocessedCallback[];
  readonly undone: readonly AttemptRecord[];
}

/** Records the result and applies what is due by the payment's clock, in one transaction under the payment's lock. */
async function savePollResult(
  deps: PaymentDeps,
  poll: PaymentPoll,
  /** As it was when the poll began. */
  read: PaymentPoll,
  { asked, inquired, isConclusive: resultsAreConclusive, unanswered, followed, undone }: PollAnswers,
): Promise<PaymentStep> {
  const { transactionId, at, offsetMs } = poll.input;
  const inquiry = asked?.inquiry ?? null;
  return deps.db.inTransaction(async (tx) => {
    const { payment: locked, attempts } = await lockPayment(deps, tx, transactionId);
    const clockNow = locked.clockTarget && new Date(Math.min(at, locked.clockTarget.getTime()));
    const polled = {
      lastPolledAt: inquired || asked !== null ? new Date(at) : locked.lastPolledAt,
      clockOffsetMs: Math.max(offsetMs, locked.clockOffsetMs),
      clockNow,
    };
    let context: PaymentContext = { payment: { ...locked, ...polled }, attempts };
    let undecided = false;
    let isPollRecorded = false;
    if (asked !== null)
      ({ context, undecided, isPollRecorded } = await applyInquiry(deps, tx, context, { asked, polled }));
    if (asked !== null) await storeShownDisputes(deps, tx, context.payment, asked);
    const isConclusive = asked === null ? nothingToAsk(poll) : inquiry?.kind !== 'inconclusive';
    const open = poll.callbacks.filter((each) => !followed.includes(each));
    const answered = open.filter(
      (each) => isConclusive && !unanswered.includes(each) && !(each.trusted && undecided),
    );
    const dropped = open.filter((each) => !answered.includes(each) && isDropped(each, deps.now()));
    context = await raiseDropped(deps, tx, context, dropped);
    context = await raiseUndone(deps, tx, context, undone);
    context = await applyDeadlines(deps, tx, context, inquiry, at);
    context = await escalateAwaited(deps, tx, context);
    const next = withDelayedHints(toPaymentStep(deps, context), poll, inquiry, deps.settings);
    // The result of an operation under way polls again. Without one, the records have changed meanwhile.
    const step = undecided && !context.attempts.some(mayChangeCharge) ? { ...next, pollAt: at } : next;
    const schedule = recoveryScheduleOf(step, context.payment.stuckAt, deps.now());
    const answer = answerOf(deps, { read, context, inquiry, isConclusive: resultsAreConclusive });
    if (!isPollRecorded || Object.keys(answer).length > 0 || !hasSchedule(context.payment, schedule))
      await deps.payments.recordPoll(tx, locked.id, { ...polled, ...schedule, ...answer });
    const settled = answered.filter((each) => !awaitsDeadline(deps, context, each));
    const processed = [...settled, ...dropped, ...followed].map(({ id }) => id);
    await deps.callbacks.markProcessed(processed, deps.now(), tx);
    return step;
  });
}

/** Applies what the gateway reports about the active charge: what the customer paid, and what was done to the charge. */
async function applyInquiry(
  deps: PaymentDeps,
  tx: Tx,
  locked: PaymentContext,
  { asked, polled }: AppliedInquiry,
): Promise<Reconciliation & { readonly isPollRecorded: boolean }> {
  const isOutdated = haveRecordsChanged(asked.seen, locked);
  const context = await applyReportedStatus(deps, tx, locked, { asked, polled });
  const reconciled = await reconcileCharge(deps, tx, context, asked, isOutdated);
  return { ...reconciled, isPollRecorded: context.payment !== locked.payment };
}

interface AppliedInquiry {
  readonly asked: ChargeInquiry;
  readonly polled: PaymentPolled;
}

/** Whether the last change of the payment has recorded the schedule, too. */
function hasSchedule(
  { recoverAfter, stuckAt }: PaymentRecord,
  schedule: Pick<PaymentRecord, 'recoverAfter' | 'stuckAt'>,
): boolean {
  const isSame = (one: Date | null, other: Date | null): boolean => one?.getTime() === other?.getTime();
  return isSame(recoverAfter, schedule.recoverAfter) && isSame(stuckAt, schedule.stuckAt);
}

/** Applies the status that the gateway reports: a paid amount, and what a gateway reports that tells no amounts. */
async function applyReportedStatus(
  deps: PaymentDeps,
  tx: Tx,
  context: PaymentContext,
  { asked, polled }: AppliedInquiry,
): Promise<PaymentContext> {
  const { inquiry } = asked;
  const charge = context.attempts.find(({ id }) => id === asked.charge.id);
  if (charge === undefined || inquiry.kind !== 'found') return context;
  const { outcome } = inquiry.answer;
  if (outcome.kind === 'declined') return context;
  const fact = factOf(context, outcome);
  if (fact === null) return context;
  let { attempts } = context;
  const results = [];
  if (fact.kind === 'paid' && outcome.kind === 'approved' && charge.status === 'pending') {
    const paid = {
      status: 'approved',
      responseCode: outcome.responseCode,
      responseMessage: outcome.responseMessage,
      pix: charge.pix && { ...charge.pix, endToEndId: outcome.pix?.endToEndId ?? null },
    } as const;
    results.push(deps.attempts.markedPaid(charge.id, paid, deps.now()));
    attempts = attempts.map((other) => (other.id === charge.id ? { ...charge, ...paid } : other));
  }
  if (!applyFact(context.payment, fact).applied) {
    if (results.length > 0) await changeJointly(deps.db, results, tx);
    return { ...context, attempts };
  }
  const subject = attempts.find(({ id }) => id === charge.id) ?? charge;
  const listed = newInquiry(deps, subject, inquiry.requestMs);
  results.push(deps.attempts.inserted(listed));
  const current = { ...context, attempts: [...attempts, listed] };
  return applyPaymentTransition(deps, tx, current, fact, { results, polled });
}

/** A gateway without inquiries says once that nobody paid in time, and the payment's own deadline asks for it. */
function awaitsDeadline(
  { registries }: Pick<PaymentDeps, 'registries'>,
  { payment, attempts }: PaymentContext,
  { trusted, reportedState, attemptId }: UnprocessedCallback,
): boolean {
  if (!trusted || reportedState?.status !== 'expired' || payment.status !== 'pending') return false;
  const charge = attempts.find(({ id }) => id === attemptId);
  if (charge === undefined) return false;
  return registries.of(payment.companyId).capabilities(charge.gatewaySlug).truth === 'signed_callback';
}

/** The fact that the reported status of a charge means for its payment, or null if it means nothing new. */
function factOf({ payment, attempts }: PaymentContext, outcome: Accepted): PaymentFact | null {
  const { paidAmountCents } = outcome;
  if (isPaidLater(payment.paymentMethod)) {
    if (paidAmountCents !== null && paidAmountCents > 0) return { kind: 'paid', paidAmountCents };
    return outcome.kind === 'approved' ? { kind: 'paid', paidAmountCents: payment.amountCents } : null;
  }
  if (payment.status !== 'authorized' || outcome.chargeState !== null) return null;
  // An unfinished capture or cancel records its own result. Without one, the charge was changed at the gateway.
  if (attempts.some((attempt) => isCaptureOrCancel(attempt) && isUnfinishedOperation(attempt))) return null;
  if (outcome.kind === 'canceled') return { kind: 'canceled' };
  return outcome.kind === 'approved' ? { kind: 'captured', amountCents: outcome.amountCents } : null;
}

/** Whether callbacks can be marked as processed without an inquiry: no charge is left to ask about. */
function nothingToAsk({ payment, attempts }: PaymentPoll): boolean {
  return activeCharge(attempts) === null && payment.status !== 'processing';
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
