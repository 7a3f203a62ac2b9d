import { compareWithRecorded } from '../../src/domain/payments/reported-charge-state';
import { isAbsenceProven } from '../../src/domain/payments/inquiry-schedule';
import type { InquiryOutcomeCode } from '../../src/domain/payments/operations/requested-inquiry';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { UnprocessedCallback } from '../../src/persistence/payments/gateway-callback-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { PaymentStep } from '../../workflows/messages';
import type { GatewayAnswer } from './call-gateway';
import type { ChargeContext } from './apply-charge-result';
import { isCharge, isOpen } from './attempt-predicates';
import { absenceProvenAfterMs } from './gateways/absence';
import { findChargedAccount, inquireAccount, type ChargedAccount } from './gateways/charged-account';
import { firstOutcome } from './gateways/first-outcome';
import { statedByCallbacks } from './gateways/stated-by-callbacks';
import { answerAfterInquiry } from './polls/requested-inquiries';
import { loadPayment } from './load-payment';
import type { PaymentDeps } from './payment-deps';
import { toPaymentStep, type PaymentContext } from './payment-step';
import { recordCharge } from './record-charge';
import { recordOperation } from './record-operation';
import { repeatCharge, repeatOperation, type Repetition } from './gateways/repeat-charge';

/** The result of one inquiry to a gateway. `requestMs`: its duration. */
export type InquiryOutcome = { readonly requestMs: number } & (
  | { readonly kind: 'found'; readonly answer: GatewayAnswer & { readonly kind: 'outcome' } }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'inconclusive' }
);

/** An inquiry, and the sending of the attempt that it is about. */
interface AttemptInquiry {
  readonly about: AttemptRecord;
  readonly outcome: InquiryOutcome;
}

/** How many gateway ids named by callbacks are looked up per inquiry. A charge has only one id, but callbacks may be forged. */
const MAX_CALLBACK_IDS = 3;

const ABSENT = { kind: 'absent', message: 'the gateway never received it' } as const;
const INCONCLUSIVE = { kind: 'inconclusive', requestMs: 0 } as const;

/** Asks the gateway once for the outcome of an attempt, and records what it answers. */
export async function inquireAttempt(
  deps: PaymentDeps,
  transactionId: string,
  attemptId: string,
): Promise<PaymentStep> {
  const { payment, attempts, callbacks } = await loadPayment(deps, transactionId);
  const attempt = attempts.find(({ id }) => id === attemptId);
  if (attempt === undefined) throw new Error('the attempt does not exist');
  if (!isOpen(attempt)) return toPaymentStep(deps, { payment, attempts }, attempt);
  const { about, outcome } = await inquireOutcome(deps, { payment, attempts, attempt }, callbacks);
  const inquiry = rejectAmountMismatch(withFirstOutcome(outcome, attempt), attempt);
  await deps.payments.recordInquiry(transactionId, inquiry.requestMs, deps.now());
  const step = await recordInquiryOutcome(deps, { payment, attempts, attempt: about }, inquiry);
  const isKnown = step.unknown.every((open) => open.attemptId !== attemptId);
  await answerAfterInquiry(deps, payment, isKnown ? 'changed' : unresolvedOutcome(inquiry));
  if (isKnown)
    await markAnswered(
      deps,
      transactionId,
      callbacks.filter((each) => each.attemptId === attemptId),
    );
  return step;
}

/** What an inquiry says that has not settled the attempt. */
function unresolvedOutcome({ kind }: InquiryOutcome): InquiryOutcomeCode {
  return kind === 'not_found' ? 'not_found' : 'no_answer';
}

/** Marks callbacks about an attempt as processed. A signed one that reports more than the result is left to the next poll. */
async function markAnswered(
  deps: PaymentDeps,
  transactionId: string,
  callbacks: readonly UnprocessedCallback[],
): Promise<void> {
  if (callbacks.length === 0) return;
  const recorded = await loadPayment(deps, transactionId);
  const reportsMore = ({ reportedState: state, ...callback }: UnprocessedCallback): boolean => {
    const { trusted, refundCents, attemptId, gatewayTransactionId: id } = callback;
    const isRecorded = state === null || compareWithRecorded(state, recorded, attemptId, id) === 'recorded';
    return trusted && (refundCents !== null || !isRecorded);
  };
  const ids = callbacks.filter((callback) => !reportsMore(callback)).map(({ id }) => id);
  await deps.callbacks.markProcessed(ids, deps.now());
}

async function recordInquiryOutcome(
  deps: PaymentDeps,
  { payment, attempts, attempt }: ChargeContext,
  inquiry: InquiryOutcome,
): Promise<PaymentStep> {
  if (inquiry.kind === 'inconclusive') await deps.attempts.resetNotFound(attempt.id);
  const isAbsent = inquiry.kind === 'not_found' && (await countTowardsAbsence(deps, attempt));
  if (inquiry.kind !== 'found' && !isAbsent) return toPaymentStep(deps, { payment, attempts }, attempt);
  const update = inquiry.kind === 'found' ? inquiry.answer : ABSENT;
  const source = { kind: 'inquiry', requestMs: inquiry.requestMs } as const;
  return isCharge(attempt)
    ? recordCharge(deps, payment.transactionId, attempt, update, source)
    : recordOperation(deps, payment.transactionId, attempt, update, source);
}

async function inquireOutcome(
  deps: PaymentDeps,
  { payment, attempts, attempt }: ChargeContext,
  callbacks: readonly UnprocessedCallback[],
): Promise<AttemptInquiry> {
  const account = await findChargedAccount(deps, attempt);
  const context = { payment, attempts };
  const fromCallback = await answerByCallbacks(deps, context, attempt, account, callbacks);
  if (fromCallback !== null)
    return withReason(deps, payment, { about: attempt, outcome: fromCallback }, account);
  if (isCharge(attempt)) return inquireCharge(deps, payment, attempt, account);
  return inquireOperation(deps, context, attempt, account);
}

/**
 * A callback tells that a charge was declined, but not in signed words why. A gateway that replays keys answers the same request
 * with the whole decline.
 */
async function withReason(
  deps: PaymentDeps,
  payment: PaymentRecord,
  stated: AttemptInquiry,
  account: ChargedAccount,
): Promise<AttemptInquiry> {
  const { about, outcome } = stated;
  const { truth, idempotency } = account.capabilities;
  const isDecline = outcome.kind === 'found' && outcome.answer.outcome.kind === 'declined';
  if (!isDecline || !isCharge(about) || truth !== 'signed_callback' || idempotency !== 'replay')
    return stated;
  const repetition = await repeatCharge(deps, payment, about, account);
  return repetition === null ? stated : inquiryOf(repetition);
}

/** Looks the operation up. A gateway that answers no inquiries gets it again while it replays its idempotency key. */
async function inquireOperation(
  deps: PaymentDeps,
  { payment, attempts }: PaymentContext,
  attempt: AttemptRecord,
  account: ChargedAccount,
): Promise<AttemptInquiry> {
  if (account.capabilities.truth === 'signed_callback') {
    const repetition = await repeatOperation(deps, payment, attempt, account);
    return repetition === null ? { about: attempt, outcome: INCONCLUSIVE } : inquiryOf(repetition);
  }
  return { about: attempt, outcome: await lookUpOperation(deps, attempts, attempt, account) };
}

async function lookUpOperation(
  deps: PaymentDeps,
  attempts: readonly AttemptRecord[],
  attempt: AttemptRecord,
  account: ChargedAccount,
): Promise<InquiryOutcome> {
  const inquiry = await queryCharge(deps, attempt, account);
  if (inquiry.kind !== 'not_found' || !isOwnCancel(attempt)) return inquiry;
  const charge = attempts.find(({ id }) => id === attempt.targetAttemptId);
  return (charge && (await findVoidByGateway(deps, charge, attempt, account))) ?? inquiry;
}

/** A cancel that no company requested. It only matters that the charge is voided, not by whom. */
function isOwnCancel({ operation, purpose }: AttemptRecord): boolean {
  return operation === 'cancel' && purpose !== 'merchant_request';
}

/**
 * A gateway may void an expired authorization by itself and then reject our cancel. The charge that a reversal cancels is
 * another one than its attempt's, if the gateway has made two for one request.
 */
async function findVoidByGateway(
  deps: PaymentDeps,
  charge: AttemptRecord,
  { gatewayTransactionId: canceledId }: AttemptRecord,
  account: ChargedAccount,
): Promise<InquiryOutcome | null> {
  const inquiry = await queryCharge(deps, { ...charge, gatewayTransactionId: canceledId }, account);
  if (inquiry.kind !== 'found' || inquiry.answer.outcome.kind !== 'canceled') return null;
  const { gatewayTransactionId } = inquiry.answer.outcome;
  return canceledId === null || gatewayTransactionId === canceledId ? inquiry : null;
}

/** Looks the charge up. If the gateway cannot, repeats the request while the gateway still replays its idempotency key. */
async function inquireCharge(
  deps: PaymentDeps,
  payment: PaymentRecord,
  attempt: AttemptRecord,
  account: ChargedAccount,
): Promise<AttemptInquiry> {
  const { idempotency } = account.capabilities;
  if (idempotency === 'both' || idempotency === 'lookup' || attempt.gatewayTransactionId !== null) {
    return { about: attempt, outcome: await queryCharge(deps, attempt, account) };
  }
  const repetition = idempotency === 'replay' ? await repeatCharge(deps, payment, attempt, account) : null;
  return repetition === null ? { about: attempt, outcome: INCONCLUSIVE } : inquiryOf(repetition);
}

function inquiryOf({ attempt, answer }: Repetition): AttemptInquiry {
  const { requestMs } = answer;
  // An error is about the repeated request and says nothing about the first one.
  const outcome: InquiryOutcome =
    answer.kind === 'outcome' ? { kind: 'found', answer, requestMs } : { kind: 'inconclusive', requestMs };
  return { about: attempt, outcome };
}

/** Asks the gateway that was charged for the current status of an attempt. */
export async function queryChargeStatus(
  deps: PaymentDeps,
  context: PaymentContext,
  attempt: AttemptRecord,
  callbacks: readonly UnprocessedCallback[],
): Promise<InquiryOutcome> {
  const account = await findChargedAccount(deps, attempt);
  return (
    (await answerByCallbacks(deps, context, attempt, account, callbacks)) ??
    queryCharge(deps, attempt, account)
  );
}

/** Signed callbacks are the answer of a gateway without inquiries. At any other one they only tell which charge to look up. */
async function answerByCallbacks(
  deps: PaymentDeps,
  context: PaymentContext,
  attempt: AttemptRecord,
  account: ChargedAccount,
  callbacks: readonly UnprocessedCallback[],
): Promise<InquiryOutcome | null> {
  if (account.capabilities.truth !== 'signed_callback')
    return queryChargeFromCallback(deps, attempt, account, callbacks);
  const outcome = statedByCallbacks(context, attempt, callbacks);
  if (outcome === null) return null;
  return { kind: 'found', answer: { kind: 'outcome', outcome, requestMs: 0 }, requestMs: 0 };
}

/**
 * Looks a charge up by the gateway ids that callbacks name, if our own row has none. Callbacks may be forged, so only an
 * answer that the gateway gives for our reference under such an id counts; otherwise the result is null.
 */
async function queryChargeFromCallback(
  deps: PaymentDeps,
  attempt: AttemptRecord,
  account: ChargedAccount,
  callbacks: readonly UnprocessedCallback[],
): Promise<InquiryOutcome | null> {
  if (attempt.gatewayTransactionId !== null) return null;
  const about = callbacks.filter(({ attemptId }) => attemptId === attempt.id);
  const ids = new Set(about.map(({ gatewayTransactionId }) => gatewayTransactionId));
  for (const gatewayTransactionId of [...ids].slice(0, MAX_CALLBACK_IDS)) {
    if (gatewayTransactionId === null) continue;
    const inquiry = await queryCharge(deps, { ...attempt, gatewayTransactionId }, account);
    if (inquiry.kind === 'found') return inquiry;
  }
  return null;
}

/** Asks by our reference, and by the gateway's id if it is known. */
async function queryCharge(
  deps: PaymentDeps,
  attempt: AttemptRecord,
  account: ChargedAccount,
): Promise<InquiryOutcome> {
  const startedAt = performance.now();
  const result = await inquireAccount(deps, attempt, account);
  const requestMs = Math.round(performance.now() - startedAt);
  switch (result.kind) {
    case 'found':
      return { kind: 'found', answer: { kind: 'outcome', outcome: result.outcome, requestMs }, requestMs };
    case 'not_found':
    case 'inconclusive':
      return { kind: result.kind, requestMs };
  }
}

function withFirstOutcome(inquiry: InquiryOutcome, attempt: AttemptRecord): InquiryOutcome {
  if (inquiry.kind !== 'found') return inquiry;
  const { answer } = inquiry;
  return { ...inquiry, answer: { ...answer, outcome: firstOutcome(answer.outcome, attempt) } };
}

/** Treats an answer with another amount than requested as inconclusive, so that an operator decides. */
export function rejectAmountMismatch(inquiry: InquiryOutcome, attempt: AttemptRecord): InquiryOutcome {
  if (inquiry.kind !== 'found') return inquiry;
  const { outcome } = inquiry.answer;
  if (outcome.kind === 'declined' || outcome.amountCents === attempt.amountCents) return inquiry;
  // The paid amount of a pix or boleto may differ from the requested one.
  const mayDiffer = isCharge(attempt) && outcome.paidAmountCents !== null;
  return mayDiffer ? inquiry : { kind: 'inconclusive', requestMs: inquiry.requestMs };
}

/** Counts one more "not found"; true when the answers prove that the gateway never received the request. */
async function countTowardsAbsence(deps: PaymentDeps, attempt: AttemptRecord): Promise<boolean> {
  const { count, sinceSentMs } = await deps.attempts.incrementNotFound(attempt.id);
  const provenAfterMs = absenceProvenAfterMs(deps, attempt);
  return isAbsenceProven({ notFoundCount: count, sinceSentMs, absenceProvenAfterMs: provenAfterMs });
}
