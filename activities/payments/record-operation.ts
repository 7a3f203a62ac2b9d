import { isAccepted, isUnfinished, openOperations } from '../../src/domain/payments/charge-operations';
import { compareWithRecorded } from '../../src/domain/payments/reported-charge-state';
import { canOperationBecome } from '../../src/domain/payments/operations/operation-lifecycle';
import { operationRefusal } from '../../src/domain/payments/operation-refusal';
import { isOutdatedAnswer } from '../../src/domain/payments/repeated-charge';
import { applyFact, type PaymentFact } from '../../src/domain/payments/payment-lifecycle';
import { paymentNow } from '../../src/domain/payments/payment-clock';
import { operationFact } from '../../src/domain/payments/payment-operation';
import { okAnswer, refusedAnswer } from '../../src/domain/shared/http-answer';
import type { AttemptRecord, AttemptResult } from '../../src/persistence/payments/gateway-attempt-repository';
import type { UnprocessedCallback } from '../../src/persistence/payments/gateway-callback-repository';
import { changeJointly, type JointChange } from '../../src/persistence/sql/joint-changes';
import type { Tx } from '../../src/persistence/sql/transaction';
import { presentPayment, type PaymentBody } from '../../src/presenters/payment';
import type { PaymentStep } from '../../workflows/messages';
import {
  awaitsOperator,
  isCaptureOrCancel,
  isNotMade,
  mayChangeCharge,
  operationOf,
  type SentAttempt,
} from './attempt-predicates';
import { listInquiry } from './list-inquiry';
import { lockPayment } from './load-payment';
import { awaits, resultOf, successStatus, type OperationUpdate } from './operations/operation-result';
import { applyPaymentTransition, personalOf } from './apply-payment-transition';
import type { PaymentDeps } from './payment-deps';
import { toPaymentStep, type PaymentContext } from './payment-step';
import type { UpdateSource } from './record-charge';
import { recordResolution } from './record-resolution';
import { recoveryScheduleOf } from './recovery-schedule';

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
    const results = isLate ? [] : [deps.attempts.recordedResult(attempt.id, change, now)];
    return applyOperationResult(deps, tx, { payment, attempts: current }, finished, results);
  });
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
  // It was accepted before it was refused, so the gateway may have said so before: only a success is news.
  if (kind === 'pending' && attempt.awaitedSince !== null) return false;
  if (isCaptureOrCancel(attempt) && openOperations(attempts).captureOrCancel !== null) return false;
  return applyFact(payment, operationFact(operation, attempt.amountCents)).applied;
}

function isOutdated(sent: SentAttempt, attempt: AttemptRecord, update: OperationUpdate): boolean {
  const succeeded =
    update.kind === 'confirmed' ||
    (update.kind === 'outcome' && update.outcome.kind === successStatus(attempt));
  return isOutdatedAnswer(sent.sendCount, attempt.sendCount, succeeded);
}

/**
 * Applies the result of an operation to its payment. `attempts` already hold the result.
 *
 * @param results the changes that record it, made together with the payment's; none if it is recorded already
 */
export async function applyOperationResult(
  deps: PaymentDeps,
  tx: Tx,
  context: PaymentContext,
  attempt: AttemptRecord,
  results: readonly JointChange[] = [],
): Promise<PaymentStep> {
  const next = await applyResult(deps, tx, context, attempt, results);
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
  const isRecorded = ({ trusted, reportedState, ...callback }: UnprocessedCallback): boolean => {
    const { attemptId, gatewayTransactionId: id } = callback;
    if (!trusted || reportedState === null) return false;
    return compareWithRecorded(reportedState, { payment, attempts }, attemptId, id) === 'recorded';
  };
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
  results: readonly JointChange[],
): Promise<PaymentContext> {
  const fact = factOf(attempt);
  if (fact !== null && fact !== 'reversed') {
    const refund = fact.kind === 'refunded' ? { refund: attempt } : {};
    return applyPaymentTransition(deps, tx, context, fact, { ...refund, results });
  }
  if (results.length > 0) await changeJointly(deps.db, results, tx);
  if (fact === null) return context;
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

/** Records the answer to repeated requests of this operation and answers the callers in this process, unless its result is open. */
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
  tx.afterCommit(() => {
    deps.failpoint('answer-committed', companyId);
    deps.callers.answer(attempt.id, answer);
  });
}

async function presentCurrent(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: PaymentContext,
): Promise<PaymentBody> {
  return presentPayment(payment, attempts, await deps.deliveries.listBySubject(payment.transactionId, tx));
}
