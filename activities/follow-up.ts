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
    const change = describe(answer);
    const finished = await deps.attempts.finish(tx, attemptId, change, deps.now());
    if (finished && (change.status === 'canceled' || change.status === 'refunded')) {
      await deps.attempts.markReversed(tx, attemptId, change.status, deps.now());
    }
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

const OTHER_ACCOUNT: GatewayAnswer = {
  kind: 'error',
  family: 'bad_credentials',
  code: null,
  message: 'the credentials of the account that was charged are gone',
  requestMs: 0,
};

/** Sends it, or sends it again under the same key. */
export async function sendFollowUp(
  deps: PaymentDeps,
  attempt: AttemptRecord,
  sendBefore: Date,
): Promise<GatewayAnswer> {
  const gateway = await findGateway(deps, attempt);
  if (gateway?.accountFingerprint !== attempt.accountFingerprint) return OTHER_ACCOUNT;
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
        status: 'unknown',
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

/** Money that must go back ends only in having gone back: whatever else is said leaves the question open, up to a person. */
function describeOutcome(outcome: Outcome): AttemptResult {
  if (outcome.kind === 'declined') {
    const { code, message } = outcome;
    return { status: 'unknown', responseCode: code, responseMessage: message, declineType: outcome.class };
  }
  const { kind, responseCode, responseMessage } = outcome;
  const done = kind === 'canceled' || kind === 'refunded';
  return { status: done ? kind : 'unknown', responseCode, responseMessage };
}
