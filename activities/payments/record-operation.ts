import { assertNever } from '../../src/domain/shared/assert-never';
import { isAccepted, isUnfinished, openOperations } from '../../src/domain/payments/charge-operations';
import { compareWithRecorded } from '../../src/domain/payments/reported-charge-state';
import { canOperationBecome } from '../../src/domain/payments/operation-lifecycle';
import { operationRefusal } from '../../src/domain/payments/operation-refusal';
import { CHARGE_WINDOW_MS } from '../../src/domain/payments/payment';
import { isOutdatedAnswer } from '../../src/domain/payments/repeated-charge';
import { applyFact, type PaymentFact } from '../../src/domain/payments/payment-lifecycle';
import { paymentNow } from '../../src/domain/payments/payment-clock';
import { operationFact } from '../../src/domain/payments/payment-operation';
import { okAnswer, refusedAnswer } from '../../src/domain/shared/http-answer';
import type { Outcome } from '../../src/gateways/gateway';
import type { AttemptRecord, AttemptResult } from '../../src/persistence/payments/gateway-attempt-repository';
import type { UnprocessedCallback } from '../../src/persistence/payments/gateway-callback-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import { presentPayment, type PaymentBody } from '../../src/presenters/payment';
import type { PaymentStep } from '../../workflows/messages';
import {
  awaitsOperator,
  isCaptureOrCancel,
  isNotMade,
  isOpen,
  mayChangeCharge,
  operationOf,
  type SentAttempt,
} from './attempt-predicates';
import { declineClass, isNotSentLocally } from './attempt-result-mapper';
import type { GatewayAnswer } from './call-gateway';
import { listInquiry } from './list-inquiry';
import { lockPayment } from './load-payment';
import { applyPaymentTransition, personalOf } from './apply-payment-transition';
import type { PaymentDeps } from './payment-deps';
import { toPaymentStep, type PaymentContext } from './payment-step';
import type { UpdateSource } from './record-charge';
import { recordResolution } from './record-resolution';
import { recoveryScheduleOf } from './recovery-schedule';

/** What is known of a capture, cancel or refund: a gateway's answer, proof of absence, or an operator's confirmation. */
export type OperationUpdate =
  | GatewayAnswer
  | { readonly kind: 'absent'; readonly message: string }
  | { readonly kind: 'confirmed'; readonly message: string };

/** How often an operation is sent that provably never arrived. */
const MAX_SENDS = 3;
/**
 * The same limit for requests that this service did not send in time. It is higher, because they say nothing about the
 * gateway. Each one may take the whole send window.
 */
const MAX_LOCAL_RETRIES = 10;

/**
 * Records the result of an operation and applies it to the payment, in one transaction under the payment's lock: status,
 * amounts and the answer to repeated requests. A recorded result is never overwritten, except for an operation
 * that was made after all. An update about an earlier sending says nothing about the current one.
 */
export async function recordOperation(
  deps: PaymentDeps,
  transactionId: string,
  sent: SentAttempt,
  update: OperationUpdate,
  source: UpdateSource,
): Promise<PaymentStep> {
  return deps.db.inTransaction(async (tx) => {
    const { payment, attempts } = await lockPayment(deps, tx, transactionId);
    const attempt = attempts.find(({ id }) => id === sent.id);
    if (attempt === undefined) throw new Error('the operation does not exist');
    const isLate = wasMadeAfterAll({ payment, attempts }, attempt, update);
    if (source.kind === 'operator' && !awaitsOperator(attempt))
      return toPaymentStep(deps, { payment, attempts }, attempt);
    if (!isLate && (!awaits(attempt, update, source) || isOutdated(sent, attempt, update)))
      return toPaymentStep(deps, { payment, attempts }, attempt);
    const now = deps.now();
    const result = resultOf(payment, attempt, update, now);
    if (!canOperationBecome(attempt.status, result.status))
      return toPaymentStep(deps, { payment, attempts }, attempt);
    if (source.kind === 'operator' && !(await recordResolution(deps, tx, payment, source.resolution)))
      return toPaymentStep(deps, { payment, attempts }, attempt);
    // The duration of an inquiry is recorded on its own row.
    const change = {
      ...result,
      ...(source.kind === 'inquiry' && { requestMs: attempt.requestMs }),
      // A decline that another sending got is not the result.
      ...(isLate && { declineType: null }),
    };
    const finished = { ...attempt, ...change, updatedAt: now };
    const current = attempts.map((other) => (other.id === attempt.id ? finished : other));
    const isKnown = finished.status !== 'unknown' && finished.status !== 'requested';
    if (source.kind === 'inquiry' && isKnown)
      current.push(await listInquiry(deps, tx, finished, source.requestMs, listedStatus(finished)));
    if (isLate) await deps.attempts.recordLateResult(tx, attempt.id, change, now);
    else await deps.attempts.recordResult(tx, attempt.id, change, now);
    return applyOperationResult(deps, tx, { payment, attempts: current }, finished);
  });
}

/** Whether an update can be the result of an attempt: of an accepted one, only the gateway's result or an operator's word. */
function awaits(attempt: AttemptRecord, update: OperationUpdate, source: UpdateSource): boolean {
  if (!isAccepted(attempt)) return isOpen(attempt);
  switch (update.kind) {
    case 'confirmed':
      return true;
    case 'absent':
      return source.kind === 'operator';
    case 'error':
      return false;
    case 'outcome':
      return update.outcome.kind === 'declined' || update.outcome.kind === successStatus(attempt);
    default:
      return assertNever(update);
  }
}

/** An inquiry is no operation itself, so it is not listed as one without a result. */
function listedStatus(attempt: AttemptRecord): Pick<AttemptResult, 'status'> | undefined {
  return isAccepted(attempt) ? { status: 'pending' } : undefined;
}

/**
 * Whether an operation that was recorded as not made was made after all, or will be: an operator resolved it wrongly, or an earlier
 * sending succeeded after the repeated one was refused. It counts whatever its request was answered, unless the payment's
 * state, or another capture or cancel, leaves no room for it: then the gateway's report about the charge decides.
 */
function wasMadeAfterAll(
  { payment, attempts }: PaymentContext,
  attempt: AttemptRecord,
  update: OperationUpdate,
): boolean {
  const operation = operationOf(attempt);
  if (operation === null || !isNotMade(attempt)) return false;
  if (update.kind !== 'outcome') return false;
  const { kind } = update.outcome;
  if (kind !== 'pending' && kind !== successStatus(attempt)) return false;
  if (isCaptureOrCancel(attempt) && openOperations(attempts).captureOrCancel !== null) return false;
  return applyFact(payment, operationFact(operation, attempt.amountCents)).applied;
}

function isOutdated(sent: SentAttempt, attempt: AttemptRecord, update: OperationUpdate): boolean {
  const succeeded =
    update.kind === 'confirmed' ||
    (update.kind === 'outcome' && update.outcome.kind === successStatus(attempt));
  return isOutdatedAnswer(sent.sendCount, attempt.sendCount, succeeded);
}

/** Applies the result of an operation to its payment. `attempts` already hold the result. */
export async function applyOperationResult(
  deps: PaymentDeps,
  tx: Tx,
  context: PaymentContext,
  attempt: AttemptRecord,
): Promise<PaymentStep> {
  const next = await applyResult(deps, tx, context, attempt);
  const step = toPaymentStep(deps, next, attempt);
  const { id, stuckAt } = next.payment;
  await recordAnswer(deps, tx, next, attempt);
  // A transition has already saved the recovery schedule.
  if (next === context)
    await deps.payments.saveRecoverySchedule(tx, id, recoveryScheduleOf(step, stuckAt, deps.now()));
  if (next.attempts.some(mayChangeCharge)) return step;
  const isExplained = await markRecordedCallbacks(deps, tx, next);
  return isExplained ? step : { ...step, pollAt: paymentNow(next.payment, deps.now()).getTime() };
}

/**
 * Marks signed callbacks as processed if they report a state that is recorded now. False if others are left: what they
 * report may have waited for this operation, so the gateway must be asked.
 */
async function markRecordedCallbacks(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: PaymentContext,
): Promise<boolean> {
  const waiting = await deps.callbacks.listUnprocessed(payment.transactionId, tx);
  const isRecorded = ({ trusted, reportedState, attemptId }: UnprocessedCallback): boolean =>
    trusted &&
    reportedState !== null &&
    compareWithRecorded(reportedState, { payment, attempts }, attemptId) === 'recorded';
  const recorded = waiting.filter(isRecorded);
  await deps.callbacks.markProcessed(
    recorded.map(({ id }) => id),
    deps.now(),
    tx,
  );
  return recorded.length === waiting.length;
}

/** The payment after the operation's result; the same `context` object if the payment did not change. */
async function applyResult(
  deps: PaymentDeps,
  tx: Tx,
  context: PaymentContext,
  attempt: AttemptRecord,
): Promise<PaymentContext> {
  const fact = factOf(attempt);
  if (fact === null) return context;
  if (fact !== 'reversed') return applyPaymentTransition(deps, tx, context, fact);
  const status = attempt.operation === 'refund' ? 'refunded' : 'canceled';
  await deps.attempts.markReversed(tx, attempt.id, status, deps.now());
  return context;
}

/** The fact of a successful operation; `reversed` for a reversal, whose charge never was part of the payment. */
function factOf(attempt: AttemptRecord): PaymentFact | 'reversed' | null {
  const { status, purpose, amountCents } = attempt;
  if (status !== 'approved' && status !== 'canceled' && status !== 'refunded') return null;
  if (purpose === 'reversal') return 'reversed';
  const operation = operationOf(attempt);
  return operation && operationFact(operation, amountCents);
}

/** Records the answer to repeated requests of this operation, unless its result is still open. */
async function recordAnswer(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: PaymentContext,
  attempt: AttemptRecord,
): Promise<void> {
  const { idempotencyKey: key, companyId } = attempt;
  if (key === null || isUnfinished(attempt)) return;
  const refusal = operationRefusal(attempt);
  const answer =
    refusal === null
      ? okAnswer(await presentCurrent(deps, tx, { payment, attempts }))
      : refusedAnswer(refusal);
  await deps.idempotency.recordAnswer(tx, { companyId, key }, answer, personalOf(payment));
}

async function presentCurrent(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: PaymentContext,
): Promise<PaymentBody> {
  return presentPayment(payment, attempts, await deps.deliveries.listBySubject(payment.transactionId, tx));
}

function resultOf(
  payment: PaymentRecord,
  attempt: AttemptRecord,
  update: OperationUpdate,
  now: Date,
): AttemptResult {
  switch (update.kind) {
    case 'absent':
      return { status: statusAfterAbsence(attempt, now), responseMessage: update.message };
    case 'confirmed':
      return { status: successStatus(attempt), responseMessage: update.message };
    case 'error':
      return {
        status: statusAfterError(attempt, update),
        errorFamily: update.family,
        responseCode: update.code,
        responseMessage: update.message,
        requestMs: update.requestMs,
      };
    case 'outcome':
      return { ...resultOfOutcome(payment, attempt, update.outcome, now), requestMs: update.requestMs };
    default:
      return assertNever(update);
  }
}

function successStatus({ operation }: AttemptRecord): 'approved' | 'canceled' | 'refunded' {
  if (operation === 'capture') return 'approved';
  return operation === 'refund' ? 'refunded' : 'canceled';
}

/**
 * The status of an operation that never arrived. It is sent again with the same key while the company's request is
 * recent; an older request must be repeated by the company. Any other operation, such as a reversal, stays `unknown`
 * until an operator resolves it.
 */
function statusAfterAbsence(attempt: AttemptRecord, now: Date): AttemptResult['status'] {
  const isRecent = now.getTime() - attempt.createdAt.getTime() < CHARGE_WINDOW_MS;
  if (attempt.sendCount < MAX_SENDS && (isRecent || attempt.purpose !== 'merchant_request'))
    return 'requested';
  return attempt.purpose === 'merchant_request' ? 'abandoned' : 'unknown';
}

/** An unknown outcome never counts as a failure. A failed reversal stays `unknown` until an operator resolves it. */
function statusAfterError(
  attempt: AttemptRecord,
  answer: GatewayAnswer & { kind: 'error' },
): AttemptResult['status'] {
  if (answer.family === 'ambiguous') return 'unknown';
  if (isNotSentLocally(answer) && attempt.sendCount < MAX_LOCAL_RETRIES) return 'requested';
  return attempt.purpose === 'merchant_request' ? 'error' : 'unknown';
}

function resultOfOutcome(
  payment: PaymentRecord,
  attempt: AttemptRecord,
  outcome: Outcome,
  now: Date,
): AttemptResult {
  if (outcome.kind === 'declined') {
    const { code, message } = outcome;
    const status = attempt.purpose === 'merchant_request' ? 'declined' : 'unknown';
    const declineType = declineClass(payment, outcome);
    return { status, responseCode: code, responseMessage: message, declineType };
  }
  const { kind, responseCode, responseMessage } = outcome;
  const answer = { responseCode, responseMessage, errorFamily: null };
  if (kind === 'pending') return { ...answer, status: 'accepted', awaitedSince: paymentNow(payment, now) };
  const success = successStatus(attempt);
  return { ...answer, status: kind === success ? success : 'unknown' };
}
