import {
  afterCharge,
  attemptStatusOf,
  type AfterCharge,
  type ChargeResult,
} from '../../src/domain/payments/charge-outcome';
import { billetExpiresAt } from '../../src/domain/payments/billet-calendar';
import type { PaymentFact } from '../../src/domain/payments/payment-lifecycle';
import type { AttemptRecord, AttemptResult } from '../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import { NOT_SENT_LOCALLY } from '../../src/gateways/errors';
import type { Accepted, Outcome } from '../../src/gateways/gateway';
import type { PaymentStep } from '../../workflows/messages';
import { asTried, isCharge } from './attempt-predicates';
import type { GatewayAnswer } from './call-gateway';
import { applyPaymentTransition, type FactDetails } from './apply-payment-transition';
import type { PaymentDeps } from './payment-deps';
import { maxAttemptsOf, stepOf, type PaymentContext } from './payment-step';

/** What is known of a charge attempt now: a gateway's answer, proof that it never arrived, or a person's word that it did. */
export type ChargeUpdate =
  | GatewayAnswer
  | { readonly kind: 'absent'; readonly message: string }
  | {
      readonly kind: 'confirmed';
      readonly message: string;
      /** The gateway's id of it, where the person saw it. */
      readonly gatewayTransactionId?: string | undefined;
    };

export interface ChargeContext extends PaymentContext {
  /** The attempt the news is about, as it is now; `attempts` hold it as it was before. */
  readonly attempt: AttemptRecord;
}

/** Moves a processing payment on, now that one of its charge attempts has a (new) result. */
export async function applyChargeResult(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts, attempt }: ChargeContext,
  news: ChargeUpdate,
  /** Gateway time not noted on the payment yet. */
  requestMs: number,
): Promise<PaymentStep> {
  const current = attempts.map((other) => (other.id === attempt.id ? attempt : other));
  const next = nextAfterCharge(deps, payment, attempts, attempt, news);
  if (next.kind !== 'settle') {
    await deps.payments.noteGatewayTime(tx, payment, requestMs, deps.now());
    return stepOf(deps, { payment, attempts: current }, attempt);
  }
  const accepted = acceptedOutcome(news);
  const fact = accepted === null ? next.fact : chargeFact(payment, accepted, next.fact);
  const details = { requestMs, ...deadlines(payment, accepted) };
  const moved = await applyPaymentTransition(deps, tx, { payment, attempts: current }, fact, details);
  return stepOf(deps, moved, attempt);
}

/** A pix or billet of which something was paid already tells how much. */
function chargeFact(payment: PaymentRecord, accepted: Accepted, otherwise: PaymentFact): PaymentFact {
  const paid = accepted.paidAmountCents ?? 0;
  return payment.paymentMethod !== 'card' && paid > 0 ? { kind: 'paid', paidAmountCents: paid } : otherwise;
}

/** Until when an authorization can be captured, or a pix or billet paid. */
function deadlines(payment: PaymentRecord, accepted: Accepted | null): FactDetails {
  if (accepted === null) return {};
  const { captureBefore, pix, billet } = accepted;
  return {
    captureBefore: captureBefore === null ? null : new Date(captureBefore),
    expiresAt:
      pix !== null ? new Date(pix.expiresAt) : billetExpiry(payment.billetDueAt ?? billet?.dueAt ?? null),
  };
}

function billetExpiry(dueAt: string | null): Date | null {
  return dueAt === null ? null : billetExpiresAt(dueAt);
}

/** The outcome of a charge that holds money, or waits for it; null for any other news. */
export function acceptedOutcome(news: ChargeUpdate): Accepted | null {
  if (news.kind !== 'outcome' || news.outcome.kind === 'declined') return null;
  const { kind } = news.outcome;
  return kind === 'approved' || kind === 'authorized' || kind === 'pending' ? news.outcome : null;
}

function nextAfterCharge(
  deps: PaymentDeps,
  payment: PaymentRecord,
  attempts: readonly AttemptRecord[],
  attempt: AttemptRecord,
  news: ChargeUpdate,
): AfterCharge {
  const earlier = attempts.filter((other) => isCharge(other) && other.attempt < attempt.attempt).map(asTried);
  return afterCharge(
    chargeResult(attempt, news),
    { gateway: attempt.gatewaySlug, earlier },
    {
      maxAttempts: maxAttemptsOf(deps, payment),
      ageMs: deps.now().getTime() - payment.createdAt.getTime(),
    },
  );
}

function chargeResult(attempt: Pick<AttemptRecord, 'operation'>, news: ChargeUpdate): ChargeResult {
  if (news.kind === 'absent') return { kind: 'abandoned', notSent: false };
  if (news.kind === 'confirmed')
    return { kind: attempt.operation === 'authorize' ? 'authorized' : 'approved' };
  if (news.kind === 'error') {
    if (news.family === 'ambiguous') return { kind: 'unknown' };
    if (notSent(news)) return { kind: 'abandoned', notSent: true };
    return { kind: 'error', code: news.code, definite: news.family === 'invalid_request' };
  }
  const { outcome } = news;
  switch (outcome.kind) {
    case 'approved':
    case 'authorized':
    case 'pending':
      return { kind: outcome.kind };
    case 'declined':
      return {
        kind: 'declined',
        code: outcome.code,
        declineType: outcome.class,
        adviceCode: outcome.adviceCode,
      };
    case 'canceled':
    case 'refunded':
      // Given back at the gateway, by itself or by somebody there: nothing is held, and nothing may be sent again.
      return { kind: 'error', code: outcome.kind, definite: true };
  }
}

/** Our own doing, which says nothing of the gateway: nothing left, and it may be tried again. */
export function notSent(news: GatewayAnswer): boolean {
  return news.kind === 'error' && news.family === 'not_sent' && news.code === NOT_SENT_LOCALLY;
}

/** The attempt row's new values. */
export function toAttemptResult(
  deps: Pick<PaymentDeps, 'settings'>,
  attempt: Pick<AttemptRecord, 'id' | 'operation'>,
  news: ChargeUpdate,
): AttemptResult {
  const status = attemptStatusOf(chargeResult(attempt, news));
  if (news.kind === 'absent') return { status, responseMessage: news.message };
  if (news.kind === 'confirmed') {
    const { message, gatewayTransactionId } = news;
    return { status, responseMessage: message, ...(gatewayTransactionId && { gatewayTransactionId }) };
  }
  if (news.kind === 'error') {
    return {
      status,
      errorFamily: news.family,
      responseCode: news.code,
      responseMessage: news.message,
      requestMs: news.requestMs,
    };
  }
  return { status, requestMs: news.requestMs, ...describeOutcome(deps, attempt.id, news.outcome) };
}

function describeOutcome(
  { settings }: Pick<PaymentDeps, 'settings'>,
  attemptId: string,
  outcome: Outcome,
): Omit<AttemptResult, 'status'> {
  if (outcome.kind === 'declined') {
    return {
      gatewayTransactionId: outcome.gatewayTransactionId,
      responseCode: outcome.code,
      responseMessage: outcome.message,
      declineType: outcome.class,
      adviceCode: outcome.adviceCode,
      errorFamily: null,
    };
  }
  return {
    gatewayTransactionId: outcome.gatewayTransactionId,
    responseCode: outcome.responseCode,
    responseMessage: outcome.responseMessage,
    authorizationCode: outcome.authorizationCode,
    networkTransactionId: outcome.networkTransactionId,
    pix: outcome.pix && { ...outcome.pix, qrCodeUrl: `${settings.publicBaseUrl}/pix/${attemptId}.png` },
    billet: outcome.billet,
    errorFamily: null,
  };
}
