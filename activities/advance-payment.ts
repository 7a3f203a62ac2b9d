import {
  afterCharge,
  attemptStatusOf,
  type AfterCharge,
  type ChargeResult,
} from '../src/domain/charge-outcome';
import type { AttemptRecord, AttemptResult } from '../src/persistence/gateway-attempt-repository';
import type { PaymentRecord } from '../src/persistence/payment-repository';
import type { Tx } from '../src/persistence/transaction';
import { NEVER_LEFT } from '../src/gateways/errors';
import type { Outcome } from '../src/gateways/gateway';
import type { PaymentStep } from '../workflows/messages';
import { asTried, isCharge } from './attempt-kind';
import type { GatewayAnswer } from './call-gateway';
import type { PaymentDeps } from './payment-deps';
import { settledStep, summarize, unknownStep } from './payment-step';
import { settlePayment } from './settle-payment';

/** What is known of a charge attempt now: a gateway's answer, proof that it never arrived, or a person's word that it did. */
export type ChargeNews =
  | GatewayAnswer
  | { readonly kind: 'absent'; readonly message: string }
  | { readonly kind: 'confirmed'; readonly message: string };

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
  /** Gateway time not noted on the payment yet. */
  requestMs: number,
): Promise<PaymentStep> {
  const now = deps.now();
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
    if (neverLeft(news)) return { kind: 'abandoned' };
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

/** Our own doing, which says nothing of the gateway: nothing left, and it may be tried again. */
export function neverLeft(news: ChargeNews): boolean {
  return news.kind === 'error' && news.family === 'not_sent' && news.code === NEVER_LEFT;
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
