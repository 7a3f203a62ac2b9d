import { activeCharge } from '../../src/domain/payments/charge-operations';
import { newAttemptId } from '../../src/domain/shared/ids';
import { applyFact, type PaymentFact } from '../../src/domain/payments/payment-lifecycle';
import { expiryDecidedAt } from '../../src/domain/payments/pending-schedule';
import type { Accepted } from '../../src/gateways/gateway';
import type { WaitingCallback } from '../../src/persistence/payments/gateway-callback-repository';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import { newOperation } from '../../src/application/payments/new-operation';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { PollInput, PaymentStep } from '../../workflows/messages';
import { isCaptureOrCancel, isCharge, isUnfinishedOperation } from './attempt-predicates';
import { findGateway } from './find-gateway';
import {
  queryCharge,
  queryChargeFromCallback,
  rejectAmountMismatch,
  type InquiryOutcome,
} from './inquire-attempt';
import { loadPayment, lockPayment } from './load-payment';
import { applyPaymentTransition } from './apply-payment-transition';
import type { PaymentDeps, PaymentSettings } from './payment-deps';
import { pollAtOf, refusedSinceLook, recoveryScheduleOf, stepOf, type PaymentContext } from './payment-step';
import { listInquiry, recordCharge } from './record-charge';
import { recordOperation } from './record-operation';

/** A callback about something that its gateway never tells of is let go. */
const GIVE_UP_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

interface Look extends PaymentContext {
  readonly input: PollInput;
  readonly callbacks: readonly WaitingCallback[];
}

/**
 * Looks after a payment that waits for its customer, for a capture, or for nothing any more: asks the gateway how its
 * charge stands when a callback says so or the schedule does, and does what time demands. A callback moves nothing by
 * itself. Safe to run at any time: what is not due is left alone.
 */
export async function pollPaymentStatus(deps: PaymentDeps, input: PollInput): Promise<PaymentStep> {
  const look: Look = { input, ...(await loadPayment(deps, input.transactionId)) };
  const { asked, answered } = await recheckAbandonedCharges(deps, look);
  const charge = activeCharge(look.attempts);
  const due = charge !== null && isDue(look, deps.settings);
  if (due && look.callbacks.length > 0) await recheckAbandonedRefunds(deps, look, charge);
  const news = due ? await queryChargeStatus(deps, charge, look.callbacks) : null;
  return savePollResult(deps, { ...look, callbacks: answered }, charge, {
    news,
    asked: asked || news !== null,
  });
}

/**
 * A callback about a charge that was given up as absent: if it came through after all, its money is taken up or goes
 * back. Returns whether a gateway was asked, and the callbacks without those about a charge whose gateway could not tell,
 * or was not asked because a mere hint came too soon: those come again.
 */
async function recheckAbandonedCharges(
  deps: PaymentDeps,
  look: Look,
): Promise<{ readonly asked: boolean; readonly answered: readonly WaitingCallback[] }> {
  const { payment, attempts, callbacks } = look;
  const untold = new Set<string>();
  const mayAsk = hintsMayAsk(look, deps.settings);
  let asked = false;
  for (const attempt of attempts) {
    const about = callbacks.filter(({ attemptId }) => attemptId === attempt.id);
    if (!isCharge(attempt) || attempt.status !== 'abandoned' || about.length === 0) continue;
    if (!mayAsk && !about.some(({ trusted }) => trusted)) {
      untold.add(attempt.id);
      continue;
    }
    asked = true;
    const news = await queryChargeStatus(deps, attempt, callbacks);
    if (news.kind === 'inconclusive') untold.add(attempt.id);
    if (news.kind !== 'found') continue;
    const source = { kind: 'inquiry', requestMs: news.requestMs } as const;
    await recordCharge(deps, payment.transactionId, attempt.id, news.answer, source);
  }
  const now = deps.now();
  const answered = callbacks.filter(
    (callback) => !untold.has(callback.attemptId) || isGivenUp(callback, now),
  );
  return { asked, answered };
}

/** A callback may tell of a refund of the charge that was given up as absent, and carried out after all. */
async function recheckAbandonedRefunds(
  deps: PaymentDeps,
  { payment, attempts }: Look,
  charge: AttemptRecord,
): Promise<void> {
  for (const attempt of attempts) {
    const isRefundOfIt = attempt.operation === 'refund' && attempt.targetAttemptId === charge.id;
    if (!isRefundOfIt || attempt.status !== 'abandoned') continue;
    const news = rejectAmountMismatch(await queryChargeStatus(deps, attempt, []), attempt);
    if (news.kind !== 'found') continue;
    const source = { kind: 'inquiry', requestMs: news.requestMs } as const;
    await recordOperation(deps, payment.transactionId, attempt, news.answer, source);
  }
}

async function queryChargeStatus(
  deps: PaymentDeps,
  charge: AttemptRecord,
  callbacks: readonly WaitingCallback[],
): Promise<InquiryOutcome> {
  const gateway = await findGateway(deps, charge);
  if (gateway?.accountFingerprint !== charge.accountFingerprint)
    return { kind: 'inconclusive', requestMs: 0 };
  return (
    (await queryChargeFromCallback(deps, charge, gateway, callbacks)) ?? queryCharge(deps, charge, gateway)
  );
}

/** Whether the gateway is to be asked now: the schedule, a refusal, or a callback; a mere hint not too often. */
function isDue(look: Look, settings: PaymentSettings): boolean {
  const { payment, attempts, callbacks, input } = look;
  const scheduled = pollAtOf({ payment, attempts });
  if (payment.status === 'pending' && scheduled !== null && scheduled.getTime() <= input.at) return true;
  if (refusedSinceLook(payment, attempts) !== null) return true;
  if (callbacks.some(({ trusted }) => trusted)) return true;
  return callbacks.length > 0 && hintsMayAsk(look, settings);
}

function hintsMayAsk({ payment, input }: Look, { hintPauseMs }: PaymentSettings): boolean {
  return payment.lastPolledAt === null || input.at - payment.lastPolledAt.getTime() >= hintPauseMs;
}

/** Records what was learned and what is due by the payment's own clock, in one transaction under the payment's lock. */
async function savePollResult(
  deps: PaymentDeps,
  look: Look,
  charge: AttemptRecord | null,
  { news, asked }: { readonly news: InquiryOutcome | null; readonly asked: boolean },
): Promise<PaymentStep> {
  const { transactionId, at, offsetMs } = look.input;
  return deps.db.inTransaction(async (tx) => {
    const { payment: locked, attempts } = await lockPayment(deps, tx, transactionId);
    const clockNow = locked.clockTarget && new Date(Math.min(at, locked.clockTarget.getTime()));
    const note = {
      lastPolledAt: asked ? new Date(at) : locked.lastPolledAt,
      clockOffsetMs: Math.max(offsetMs, locked.clockOffsetMs),
      clockNow,
    };
    let situation: PaymentContext = { payment: { ...locked, ...note }, attempts };
    const subject = attempts.find(({ id }) => id === charge?.id);
    if (subject !== undefined && news?.kind === 'found') {
      situation = await applyInquiryResult(deps, tx, situation, subject, news);
    }
    situation = await applyDeadlines(deps, tx, situation, news, at);
    const step = withHints(stepOf(deps, situation), look, news, deps.settings);
    const rest = recoveryScheduleOf(step, situation.payment.stuckAt, deps.now());
    deps.db.awaitBeforeCommit(tx, deps.payments.recordPoll(tx, locked.id, { ...note, ...rest }));
    deps.db.awaitBeforeCommit(tx, settleCallbacks(deps, tx, look, news));
    return step;
  });
}

/** What the gateway says of a charge that holds money or waits for it. */
async function applyInquiryResult(
  deps: PaymentDeps,
  tx: Tx,
  situation: PaymentContext,
  charge: AttemptRecord,
  news: InquiryOutcome & { readonly kind: 'found' },
): Promise<PaymentContext> {
  const { outcome } = news.answer;
  if (outcome.kind === 'declined') return situation;
  const fact = factOf(situation, outcome);
  if (fact === null) return situation;
  const before = situation.payment;
  const now = deps.now();
  let { attempts } = situation;
  if (fact.kind === 'paid' && outcome.kind === 'approved' && charge.status === 'pending') {
    const paid = {
      status: 'approved',
      responseCode: outcome.responseCode,
      responseMessage: outcome.responseMessage,
      pix: charge.pix && { ...charge.pix, endToEndId: outcome.pix?.endToEndId ?? null },
    } as const;
    await deps.attempts.confirmPaid(tx, charge.id, paid, now);
    attempts = attempts.map((other) => (other.id === charge.id ? { ...charge, ...paid } : other));
  }
  if (!applyFact(before, fact).applied) return { ...situation, attempts };
  const subject = attempts.find(({ id }) => id === charge.id) ?? charge;
  const inquiry = await listInquiry(deps, tx, subject, news.requestMs);
  return applyPaymentTransition(deps, tx, { ...situation, attempts: [...attempts, inquiry] }, fact);
}

/** The fact that a charge as it stands at the gateway tells of its payment, or null when it tells nothing new. */
function factOf({ payment, attempts }: PaymentContext, outcome: Accepted): PaymentFact | null {
  const { paidAmountCents } = outcome;
  if (payment.paymentMethod !== 'card') {
    if (paidAmountCents !== null && paidAmountCents > 0) return { kind: 'paid', paidAmountCents };
    return outcome.kind === 'approved' ? { kind: 'paid', paidAmountCents: payment.amountCents } : null;
  }
  if (payment.status !== 'authorized') return null;
  // Our own operation on it will tell; only what somebody did there is news.
  if (attempts.some((attempt) => isCaptureOrCancel(attempt) && isUnfinishedOperation(attempt))) return null;
  if (outcome.kind === 'canceled') return { kind: 'canceled' };
  return outcome.kind === 'approved' ? { kind: 'captured', amountCents: outcome.amountCents } : null;
}

/** An unpaid payment whose time is over fails, and an authorization whose time is over is released at the gateway. */
async function applyDeadlines(
  deps: PaymentDeps,
  tx: Tx,
  situation: PaymentContext,
  news: InquiryOutcome | null,
  at: number,
): Promise<PaymentContext> {
  const { payment, attempts } = situation;
  if (attempts.some((attempt) => isCaptureOrCancel(attempt) && isUnfinishedOperation(attempt)))
    return situation;
  const { status, expiresAt, captureBefore } = payment;
  const isOver = expiresAt !== null && at >= expiryDecidedAt(expiresAt).getTime();
  // The last word is the gateway's: while it cannot tell, an expired payment may have been paid.
  if (status === 'pending' && isOver && news !== null && news.kind !== 'inconclusive') {
    return applyPaymentTransition(deps, tx, situation, { kind: 'expired' });
  }
  if (status === 'authorized' && captureBefore !== null && at >= captureBefore.getTime()) {
    return { ...situation, attempts: await requestExpiryVoid(deps, tx, situation) };
  }
  return situation;
}

/** Returns the payment's operations, that one among them. */
async function requestExpiryVoid(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: PaymentContext,
): Promise<readonly AttemptRecord[]> {
  const charge = activeCharge(attempts);
  if (charge === null) throw new Error('an authorized payment has its authorization');
  const now = deps.now();
  const lapse = newOperation(payment, attempts, charge, {
    id: newAttemptId(),
    operation: 'cancel',
    purpose: 'lapse',
    amountCents: charge.amountCents,
  });
  await deps.attempts.insert(tx, { ...lapse, createdAt: now, updatedAt: now });
  return deps.attempts.ofPayment(payment.id, tx);
}

function isGivenUp({ receivedAt }: WaitingCallback, now: Date): boolean {
  return now.getTime() - receivedAt.getTime() > GIVE_UP_AFTER_MS;
}

/** Callbacks have served once the gateway was asked because of them, or there is nothing to ask about. */
async function settleCallbacks(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts, callbacks }: Look,
  news: InquiryOutcome | null,
): Promise<void> {
  const nothingToAsk = activeCharge(attempts) === null && payment.status !== 'processing';
  const answered = news === null ? nothingToAsk : news.kind !== 'inconclusive';
  const now = deps.now();
  const ids = callbacks.filter((callback) => answered || isGivenUp(callback, now)).map(({ id }) => id);
  await deps.callbacks.markProcessed(ids, now, tx);
}

/** Hints that came too soon after the last question are taken up when their time has come. */
function withHints(
  step: PaymentStep,
  { payment, attempts, callbacks }: Look,
  news: InquiryOutcome | null,
  { hintPauseMs }: PaymentSettings,
): PaymentStep {
  if (news !== null || callbacks.length === 0 || payment.lastPolledAt === null) return step;
  if (activeCharge(attempts) === null) return step;
  const hintsAt = payment.lastPolledAt.getTime() + hintPauseMs;
  return { ...step, pollAt: Math.min(step.pollAt ?? hintsAt, hintsAt) };
}
