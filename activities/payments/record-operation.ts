import { assertNever } from '../../src/domain/shared/assert-never';
import { compareWithRecorded } from '../../src/domain/payments/reported-charge-state';
import { operationRefusal } from '../../src/domain/payments/operation-refusal';
import { CHARGE_WINDOW_MS } from '../../src/domain/payments/payment';
import { leftCents, type PaymentFact } from '../../src/domain/payments/payment-lifecycle';
import { operationFact } from '../../src/domain/payments/payment-operation';
import type { Outcome } from '../../src/gateways/gateway';
import type { AttemptRecord, AttemptResult } from '../../src/persistence/payments/gateway-attempt-repository';
import type { WaitingCallback } from '../../src/persistence/payments/gateway-callback-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import { presentPayment, type PaymentBody } from '../../src/presenters/payment';
import type { PaymentStep } from '../../workflows/messages';
import { notSent } from './apply-charge-result';
import { isOpen, operationOf } from './attempt-predicates';
import type { GatewayAnswer } from './call-gateway';
import { lockPayment } from './load-payment';
import { applyPaymentTransition } from './apply-payment-transition';
import type { PaymentDeps } from './payment-deps';
import { recoveryScheduleOf, stepOf, type PaymentContext } from './payment-step';
import { recordResolution } from './record-resolution';
import { listInquiry, type UpdateSource } from './record-charge';

/** What is known of a capture, cancel or refund now: an answer, proof that it never arrived, or a person's word that it was done. */
export type OperationUpdate =
  | GatewayAnswer
  | { readonly kind: 'absent'; readonly message: string }
  | { readonly kind: 'confirmed'; readonly message: string };

/** An operation that provably never arrived is sent again, but not for ever. */
const MAX_SENDS = 3;
/**
 * What we ourselves were too slow to send says nothing of the gateway, and is no reason to refuse what was asked for.
 * So many tries in all, each of which takes the whole send window when it is time that was missing.
 */
const MAX_TRIES = 10;

/** One sending of an operation: what provably never arrived is sent again, as the same row. */
export type SentOperation = Pick<AttemptRecord, 'id' | 'tries'>;

/**
 * Records what became of an operation on a charge and what that means for the payment, in one transaction under the
 * payment's lock: amounts and status, and the answer that every resent request gets. An operation that has its result
 * keeps it, but for a refund that was given up too early, and news of an earlier sending tells nothing of the one that is under way.
 */
export async function recordOperation(
  deps: PaymentDeps,
  transactionId: string,
  sent: SentOperation,
  news: OperationUpdate,
  source: UpdateSource,
): Promise<PaymentStep> {
  return deps.db.inTransaction(async (tx) => {
    const { payment, attempts } = await lockPayment(deps, tx, transactionId);
    const attempt = attempts.find(({ id }) => id === sent.id);
    if (attempt === undefined) throw new Error('the operation does not exist');
    const isLate = isDoneAfterAll(attempt, payment, news);
    if (!isLate && (!isOpen(attempt) || isOutdated(sent, attempt, news)))
      return stepOf(deps, { payment, attempts }, attempt);
    if (source.kind === 'person' && !(await recordResolution(deps, tx, payment, source.said)))
      return stepOf(deps, { payment, attempts }, attempt);
    const now = deps.now();
    const result = resultOf(attempt, news, now);
    // The time an inquiry took is its own, not the operation's.
    const change = source.kind === 'inquiry' ? { ...result, requestMs: attempt.requestMs } : result;
    const finished = { ...attempt, ...change, updatedAt: now };
    const current = attempts.map((other) => (other.id === attempt.id ? finished : other));
    const isKnown = finished.status !== 'unknown' && finished.status !== 'requested';
    if (source.kind === 'inquiry' && isKnown)
      current.push(await listInquiry(deps, tx, finished, source.requestMs));
    const [step] = await Promise.all([
      concludeOperation(deps, tx, { payment, attempts: current }, finished),
      isLate
        ? deps.attempts.adopt(tx, attempt.id, change, now)
        : deps.attempts.finish(tx, attempt.id, change, now),
    ]);
    return step;
  });
}

/**
 * A refund that was given up as absent, say by a person's mistake, and was carried out after all: the money has gone back,
 * whatever its request was answered. What became of a capture or a cancel the charge itself tells.
 */
function isDoneAfterAll(attempt: AttemptRecord, payment: PaymentRecord, news: OperationUpdate): boolean {
  return (
    attempt.operation === 'refund' &&
    attempt.purpose === 'command' &&
    attempt.status === 'abandoned' &&
    news.kind === 'outcome' &&
    news.outcome.kind === 'refunded' &&
    attempt.amountCents <= leftCents(payment)
  );
}

/** A worker or an inquiry that slept while the operation was sent again. Only that it was carried out is still true then. */
function isOutdated(sent: SentOperation, attempt: AttemptRecord, news: OperationUpdate): boolean {
  if (sent.tries === attempt.tries || news.kind === 'confirmed') return false;
  return news.kind !== 'outcome' || news.outcome.kind !== doneStatus(attempt);
}

/** What an operation's result means for its payment. `attempts` hold that result. */
export async function concludeOperation(
  deps: PaymentDeps,
  tx: Tx,
  situation: PaymentContext,
  attempt: AttemptRecord,
): Promise<PaymentStep> {
  const current = await applyResult(deps, tx, situation, attempt);
  const step = stepOf(deps, current, attempt);
  const { id, stuckAt } = current.payment;
  await Promise.all([
    recordAnswer(deps, tx, current, attempt),
    // Where the payment was moved, how it rests was noted with that.
    current === situation
      ? deps.payments.rest(tx, id, recoveryScheduleOf(step, stuckAt, deps.now()))
      : settleKnownCallbacks(deps, tx, current),
  ]);
  return step;
}

/** The gateway's own word on what its answer has told us by now has served. */
async function settleKnownCallbacks(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: PaymentContext,
): Promise<void> {
  const waiting = await deps.callbacks.waiting(payment.transactionId, tx);
  const isKnown = ({ trusted, standing, attemptId }: WaitingCallback): boolean =>
    trusted &&
    standing !== null &&
    compareWithRecorded(standing, { payment, attempts }, attemptId) === 'known';
  const ids = waiting.filter(isKnown).map(({ id }) => id);
  await deps.callbacks.markProcessed(ids, deps.now(), tx);
}

/** The payment as the operation's result has moved it; the very same `situation` where it was not moved. */
async function applyResult(
  deps: PaymentDeps,
  tx: Tx,
  situation: PaymentContext,
  attempt: AttemptRecord,
): Promise<PaymentContext> {
  const fact = factOf(attempt);
  if (fact === null) return situation;
  if (fact !== 'reversed') return applyPaymentTransition(deps, tx, situation, fact);
  const status = attempt.operation === 'refund' ? 'refunded' : 'canceled';
  await deps.attempts.markReversed(tx, attempt.id, status, deps.now());
  return situation;
}

/** The fact a finished operation tells; `reversed` when the charge it gave back never was the payment's. */
function factOf(attempt: AttemptRecord): PaymentFact | 'reversed' | null {
  const { status, purpose, amountCents } = attempt;
  if (status !== 'approved' && status !== 'canceled' && status !== 'refunded') return null;
  if (purpose === 'reversal') return 'reversed';
  const operation = operationOf(attempt);
  return operation && operationFact(operation, amountCents);
}

/** What everybody who resends the request of this operation is answered from now on; nothing while it is open. */
async function recordAnswer(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: PaymentContext,
  attempt: AttemptRecord,
): Promise<void> {
  const { idempotencyKey, companyId } = attempt;
  const operation = operationOf(attempt);
  if (idempotencyKey === null || operation === null || attempt.status === 'requested' || isOpen(attempt))
    return;
  const refusal = operationRefusal({ ...attempt, operation });
  const answer =
    refusal === null
      ? { status: 200, body: await presentNow(deps, tx, { payment, attempts }) }
      : { status: refusal.code === 'invalid_state' ? 409 : 422, body: refusal };
  const recorded = deps.idempotency.recordAnswer(tx, { companyId, key: idempotencyKey, ...answer });
  deps.db.awaitBeforeCommit(tx, recorded);
}

async function presentNow(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: PaymentContext,
): Promise<PaymentBody> {
  return presentPayment(payment, attempts, await deps.deliveries.ofResource(payment.transactionId, tx));
}

function resultOf(attempt: AttemptRecord, news: OperationUpdate, now: Date): AttemptResult {
  switch (news.kind) {
    case 'absent':
      return { status: afterAbsence(attempt, now), responseMessage: news.message };
    case 'confirmed':
      return { status: doneStatus(attempt), responseMessage: news.message };
    case 'error':
      return {
        status: afterError(attempt, news),
        errorFamily: news.family,
        responseCode: news.code,
        responseMessage: news.message,
        requestMs: news.requestMs,
      };
    case 'outcome':
      return { ...afterOutcome(attempt, news.outcome), requestMs: news.requestMs };
    default:
      return assertNever(news);
  }
}

function doneStatus({ operation }: AttemptRecord): 'approved' | 'canceled' | 'refunded' {
  if (operation === 'capture') return 'approved';
  return operation === 'refund' ? 'refunded' : 'canceled';
}

/**
 * Certainly not done. It may be sent again, under the same key, while somebody still waits for it; what the company
 * asked for long ago it must ask for again. Money that must go back stays a question, for a person in the end.
 */
function afterAbsence(attempt: AttemptRecord, now: Date): AttemptResult['status'] {
  const inTime = now.getTime() - attempt.createdAt.getTime() < CHARGE_WINDOW_MS;
  if (attempt.tries < MAX_SENDS && (inTime || attempt.purpose !== 'command')) return 'requested';
  return attempt.purpose === 'command' ? 'abandoned' : 'unknown';
}

/** An unknown outcome is never a failure; and what must go back has not failed either as long as it has not gone back. */
function afterError(
  attempt: AttemptRecord,
  news: GatewayAnswer & { kind: 'error' },
): AttemptResult['status'] {
  if (news.family === 'ambiguous') return 'unknown';
  if (notSent(news) && attempt.tries < MAX_TRIES) return 'requested';
  return attempt.purpose === 'command' ? 'error' : 'unknown';
}

function afterOutcome(attempt: AttemptRecord, outcome: Outcome): AttemptResult {
  if (outcome.kind === 'declined') {
    const { code, message } = outcome;
    const status = attempt.purpose === 'command' ? 'declined' : 'unknown';
    return { status, responseCode: code, responseMessage: message, declineType: outcome.class };
  }
  const { kind, responseCode, responseMessage } = outcome;
  const done = doneStatus(attempt);
  return { status: kind === done ? done : 'unknown', responseCode, responseMessage, errorFamily: null };
}
