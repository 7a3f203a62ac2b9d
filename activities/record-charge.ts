import {
  afterCharge,
  attemptStatusOf,
  type AfterCharge,
  type ChargeResult,
} from '../src/domain/charge-outcome';
import { newAttemptId } from '../src/domain/ids';
import { attemptReference } from '../src/domain/payment';
import type { AttemptRecord, AttemptResult } from '../src/persistence/gateway-attempt-repository';
import type { PaymentRecord } from '../src/persistence/payment-repository';
import type { Tx } from '../src/persistence/transaction';
import type { Outcome } from '../src/gateways/gateway';
import type { AttemptSummary, PaymentStep } from '../workflows/messages';
import type { GatewayAnswer } from './call-gateway';
import { asTried, isCharge, isOpen } from './claim-attempt';
import { recordLateAnswer } from './late-answer';
import type { PaymentDeps } from './payment-deps';
import { settlePayment } from './settle-payment';

/** What is known of a charge attempt now: a gateway's answer, proof that it never arrived, or a person's word that it did. */
export type ChargeNews =
  | GatewayAnswer
  | { readonly kind: 'absent'; readonly message: string }
  | { readonly kind: 'confirmed'; readonly message: string };

/** Where the news comes from. An inquiry that changed something is listed among the payment's operations. */
export type NewsSource =
  { readonly kind: 'call' | 'person' } | { readonly kind: 'inquiry'; readonly requestMs: number };

/**
 * Records what became of a charge attempt and what that means for the payment, in one transaction under the payment's
 * lock. An attempt that has a result already keeps it: the news of a worker that wakes up late changes nothing, except
 * that money it moved after all is given back.
 */
export async function recordCharge(
  deps: PaymentDeps,
  transactionId: string,
  attemptId: string,
  news: ChargeNews,
  source: NewsSource,
): Promise<PaymentStep> {
  return deps.db.inTransaction(async (tx) => {
    const payment = await deps.payments.lock(tx, transactionId);
    const attempts = await deps.attempts.ofPayment(payment.id, tx);
    const attempt = attempts.find(({ id }) => id === attemptId);
    if (attempt === undefined) throw new Error('the attempt does not exist');
    if (!isOpen(attempt)) return recordLateAnswer(deps, tx, { payment, attempts, attempt }, news);

    const change = describeNews(attempt, news);
    await deps.attempts.finish(tx, attempt.id, change, deps.now());
    await noteTechnicalFailure(deps, tx, attempt, news);
    const finished = { ...attempt, ...change };
    const inquiries =
      source.kind === 'inquiry' ? [await listInquiry(deps, tx, finished, source.requestMs)] : [];
    return advance(deps, tx, { payment, attempts: [...attempts, ...inquiries], attempt: finished }, news);
  });
}

export interface Situation {
  readonly payment: PaymentRecord;
  /** All operations, in order, as they were before this news. */
  readonly attempts: readonly AttemptRecord[];
  /** The one the news is about, as it is now. */
  readonly attempt: AttemptRecord;
}

/** Moves a processing payment on, now that one of its charge attempts has a (new) result. */
export async function advance(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts, attempt }: Situation,
  news: ChargeNews,
): Promise<PaymentStep> {
  const now = deps.now();
  const requestMs = 'requestMs' in news ? news.requestMs : 0;
  const next = decide(deps, payment, attempts, attempt, news);
  const summary = summarize(attempt);
  if (next.kind !== 'settle') {
    await deps.payments.noteGatewayTime(tx, payment, requestMs, now);
    return next.kind === 'unknown' ? unknownStep(deps, attempt) : { kind: 'try_next', attempt: summary };
  }
  const current = attempts.map((other) => (other.id === attempt.id ? attempt : other));
  const captureBefore = captureBeforeOf(news);
  await settlePayment(deps, tx, { payment, attempts: current }, next, { requestMs, captureBefore });
  return settledStep(next.status, next.message, current, summary);
}

export function settledStep(
  status: PaymentRecord['status'],
  message: string,
  attempts: readonly AttemptRecord[],
  attempt: AttemptSummary | null,
): PaymentStep {
  const openOperations = attempts.some(
    (other) => !isCharge(other) && (other.status === 'requested' || isOpen(other)),
  );
  return { kind: 'settled', status, message, openOperations, attempt };
}

export function unknownStep(deps: PaymentDeps, attempt: AttemptRecord): PaymentStep {
  const sinceSentMs = deps.now().getTime() - (attempt.sentAt ?? attempt.createdAt).getTime();
  return {
    kind: 'unknown',
    attempt: summarize(attempt),
    provableInMs: deps.settings.absenceProvenAfterMs - sinceSentMs,
    stuckAfterMs: deps.settings.stuckAfterMs,
  };
}

function decide(
  deps: PaymentDeps,
  payment: PaymentRecord,
  attempts: readonly AttemptRecord[],
  attempt: AttemptRecord,
  news: ChargeNews,
): AfterCharge {
  const earlier = attempts.filter((other) => isCharge(other) && other.attempt < attempt.attempt).map(asTried);
  return afterCharge(
    chargeResult(attempt, news),
    { gateway: attempt.gatewaySlug, earlier },
    {
      maxAttempts: deps.settings.maxAttempts,
      ageMs: deps.now().getTime() - payment.createdAt.getTime(),
    },
  );
}

function chargeResult(attempt: Pick<AttemptRecord, 'operation'>, news: ChargeNews): ChargeResult {
  if (news.kind === 'absent') return { kind: 'abandoned' };
  if (news.kind === 'confirmed')
    return { kind: attempt.operation === 'authorize' ? 'authorized' : 'approved' };
  if (news.kind === 'error') {
    if (news.family === 'ambiguous') return { kind: 'unknown' };
    return { kind: 'error', code: news.code, definite: news.family === 'invalid_request' };
  }
  const { outcome } = news;
  switch (outcome.kind) {
    case 'approved':
    case 'authorized':
    case 'pending':
      return { kind: outcome.kind };
    case 'declined':
      return { kind: 'declined', code: outcome.code, declineType: outcome.class };
    case 'canceled':
    case 'refunded':
      // Given back at the gateway, by itself or by somebody there: nothing is held, and nothing may be sent again.
      return { kind: 'error', code: outcome.kind, definite: true };
  }
}

/** The attempt row's new values. */
export function describeNews(attempt: Pick<AttemptRecord, 'operation'>, news: ChargeNews): AttemptResult {
  const status = attemptStatusOf(chargeResult(attempt, news));
  if (news.kind === 'absent' || news.kind === 'confirmed') return { status, responseMessage: news.message };
  if (news.kind === 'error') {
    return {
      status,
      errorFamily: news.family,
      responseCode: news.code,
      responseMessage: news.message,
      requestMs: news.requestMs,
    };
  }
  return { status, requestMs: news.requestMs, ...describeOutcome(news.outcome) };
}

function describeOutcome(outcome: Outcome): Omit<AttemptResult, 'status'> {
  if (outcome.kind === 'declined') {
    return {
      gatewayTransactionId: outcome.gatewayTransactionId,
      responseCode: outcome.code,
      responseMessage: outcome.message,
      declineType: outcome.class,
      errorFamily: null,
    };
  }
  return {
    gatewayTransactionId: outcome.gatewayTransactionId,
    responseCode: outcome.responseCode,
    responseMessage: outcome.responseMessage,
    authorizationCode: outcome.authorizationCode,
    networkTransactionId: outcome.networkTransactionId,
    pix: outcome.pix,
    billet: outcome.billet,
    errorFamily: null,
  };
}

function captureBeforeOf(news: ChargeNews): Date | null {
  if (news.kind !== 'outcome' || news.outcome.kind === 'declined' || news.outcome.captureBefore === null)
    return null;
  return new Date(news.outcome.captureBefore);
}

export function summarize(attempt: AttemptRecord): AttemptSummary {
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

async function listInquiry(
  deps: PaymentDeps,
  tx: Tx,
  subject: AttemptRecord,
  requestMs: number,
): Promise<AttemptRecord> {
  const now = deps.now();
  const inquiry: AttemptRecord = {
    ...subject,
    id: newAttemptId(),
    operation: 'inquiry',
    reference: attemptReference(subject.reference.slice(0, 36), subject.attempt, 'inquiry'),
    targetAttemptId: subject.id,
    notFoundCount: 0,
    requestMs,
    sentAt: now,
    createdAt: now,
    updatedAt: now,
  };
  await deps.attempts.insert(tx, inquiry);
  return inquiry;
}

/** Technical failures, and only they, count towards the gateway's circuit. */
async function noteTechnicalFailure(
  deps: PaymentDeps,
  tx: Tx,
  attempt: AttemptRecord,
  news: ChargeNews,
): Promise<void> {
  if (news.kind !== 'error') return;
  const { family, message } = news;
  if (family === 'unsupported' || family === 'invalid_request') return;
  await deps.circuits.recordFailure(
    tx,
    { companyId: attempt.companyId, slug: attempt.gatewaySlug },
    {
      at: deps.now(),
      reason: family === 'bad_credentials' ? 'the gateway refused the credentials' : message,
      opensAtOnce: family === 'bad_credentials',
      openForMs: deps.settings.circuitOpenForMs,
    },
  );
}
