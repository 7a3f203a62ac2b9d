import type { Outcome } from '../src/gateways/gateway';
import type { AttemptRecord, AttemptResult } from '../src/persistence/gateway-attempt-repository';
import type { PaymentRecord } from '../src/persistence/payment-repository';
import type { PaymentStep } from '../workflows/messages';
import { assertNever } from '../src/domain/assert-never';
import { gatewayContext, timed, type GatewayAnswer } from './call-gateway';
import { findGateway } from './find-gateway';
import type { PaymentDeps } from './payment-deps';
import { settledStep, summarize, unknownStep } from './payment-step';

/** An operation that gives back a charge which came too late, by the same rule as a charge: committed as sent, then sent. */
export async function runFollowUp(
  deps: PaymentDeps,
  payment: PaymentRecord,
  attempt: AttemptRecord,
): Promise<PaymentStep> {
  const now = deps.now();
  const claimed = await deps.db.inTransaction((tx) => deps.attempts.claimRequested(tx, attempt.id, now));
  if (!claimed) return unknownStep(deps, attempt);
  const answer = await sendFollowUp(deps, attempt, new Date(now.getTime() + deps.settings.sendWindowMs));
  return recordFollowUp(deps, payment, attempt.id, answer);
}

export async function recordFollowUp(
  deps: PaymentDeps,
  payment: PaymentRecord,
  attemptId: string,
  answer: FollowUpNews,
): Promise<PaymentStep> {
  return deps.db.inTransaction(async (tx) => {
    const locked = await deps.payments.lock(tx, payment.transactionId);
    await deps.attempts.finish(tx, attemptId, describe(answer), deps.now());
    const attempts = await deps.attempts.ofPayment(payment.id, tx);
    const attempt = attempts.find(({ id }) => id === attemptId);
    if (attempt === undefined) throw new Error('the operation does not exist');
    if (attempt.status === 'unknown') return unknownStep(deps, attempt);
    if (locked.status === 'processing') return { kind: 'try_next', attempt: summarize(attempt) };
    return settledStep(locked.status, locked.message, attempts, summarize(attempt));
  });
}

export type FollowUpNews =
  | GatewayAnswer
  | { readonly kind: 'absent'; readonly message: string }
  | { readonly kind: 'confirmed'; readonly status: 'canceled' | 'refunded'; readonly message: string };

/** Sends it, or sends it again under the same key. */
export async function sendFollowUp(
  deps: PaymentDeps,
  attempt: AttemptRecord,
  sendBefore: Date,
): Promise<GatewayAnswer> {
  const gateway = await findGateway(deps, attempt);
  const context = await gatewayContext(deps, attempt.companyId, attempt.id, gateway, sendBefore);
  const driver = deps.registry.driver(gateway.slug);
  const operation = {
    reference: attempt.reference,
    gatewayTransactionId: attempt.gatewayTransactionId ?? '',
    amountCents: attempt.amountCents,
    splits: [],
  };
  return timed(() =>
    attempt.operation === 'refund' ? driver.refund(context, operation) : driver.cancel(context, operation),
  );
}

function describe(news: FollowUpNews): AttemptResult {
  switch (news.kind) {
    case 'absent':
      // Certainly not done: it may be sent again, under the same key.
      return { status: 'requested', responseMessage: news.message };
    case 'confirmed':
      return { status: news.status, responseMessage: news.message };
    case 'error':
      return {
        status: statusOfError(news.family),
        errorFamily: news.family,
        responseCode: news.code,
        responseMessage: news.message,
        requestMs: news.requestMs,
      };
    case 'outcome':
      return { ...describeOutcome(news.outcome), requestMs: news.requestMs };
    default:
      return assertNever(news);
  }
}

function statusOfError(family: string): AttemptResult['status'] {
  if (family === 'ambiguous') return 'unknown';
  return family === 'not_sent' || family === 'rate_limited' ? 'requested' : 'error';
}

function describeOutcome(outcome: Outcome): AttemptResult {
  if (outcome.kind === 'declined') {
    return {
      status: 'declined',
      responseCode: outcome.code,
      responseMessage: outcome.message,
      declineType: outcome.class,
    };
  }
  return {
    status: outcome.kind,
    responseCode: outcome.responseCode,
    responseMessage: outcome.responseMessage,
  };
}
