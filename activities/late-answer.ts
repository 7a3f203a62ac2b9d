import { newAttemptId } from '../src/domain/ids';
import { attemptReference, type AttemptOperation } from '../src/domain/payment';
import type { Accepted } from '../src/gateways/gateway';
import type { Tx } from '../src/persistence/transaction';
import type { PaymentStep } from '../workflows/messages';
import { advance, describeNews, type ChargeNews, type Situation } from './advance-payment';
import { isCharge, isOpen } from './attempt-kind';
import type { PaymentDeps } from './payment-deps';
import { settledStep, summarize, unknownStep } from './payment-step';

/**
 * News of an attempt that already has its result. Only one kind matters: an attempt given up as absent was charged
 * after all. It is taken up when nothing else was tried meanwhile; else its money goes back, by a tracked operation.
 */
export async function recordLateAnswer(
  deps: PaymentDeps,
  tx: Tx,
  situation: Situation,
  news: ChargeNews,
): Promise<PaymentStep> {
  const accepted = acceptedOutcome(news);
  if (situation.attempt.status !== 'abandoned' || accepted === null) return asItStands(deps, situation);
  const { payment, attempts, attempt } = situation;
  const others = attempts.filter((other) => isCharge(other) && other.id !== attempt.id);
  const superseded = others.some((other) => other.attempt > attempt.attempt);
  if (payment.status === 'processing' && !superseded) {
    const change = describeNews(attempt, news);
    await deps.attempts.adopt(tx, attempt.id, change, deps.now());
    return advance(deps, tx, { payment, attempts, attempt: { ...attempt, ...change } }, news, 0);
  }
  await requestReversal(deps, tx, situation, accepted);
  return asItStands(deps, situation);
}

function acceptedOutcome(news: ChargeNews): Accepted | null {
  if (news.kind !== 'outcome' || news.outcome.kind === 'declined') return null;
  const { kind } = news.outcome;
  return kind === 'approved' || kind === 'authorized' || kind === 'pending' ? news.outcome : null;
}

function asItStands(deps: PaymentDeps, { payment, attempts, attempt }: Situation): PaymentStep {
  if (payment.status !== 'processing') {
    return settledStep(payment.status, payment.message, attempts, summarize(attempt));
  }
  const open = attempts.find((other) => isCharge(other) && isOpen(other));
  return open === undefined ? { kind: 'try_next', attempt: summarize(attempt) } : unknownStep(deps, open);
}

/** Asked for once, however often the news comes; the payment is woken to carry it out. */
async function requestReversal(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts, attempt }: Situation,
  accepted: Accepted,
): Promise<void> {
  if (
    attempts.some(
      (other) => other.targetAttemptId === attempt.id && !isCharge(other) && other.operation !== 'inquiry',
    )
  ) {
    return;
  }
  const operation: AttemptOperation = accepted.kind === 'approved' ? 'refund' : 'cancel';
  const now = deps.now();
  await deps.attempts.insert(tx, {
    id: newAttemptId(),
    paymentId: payment.id,
    companyId: payment.companyId,
    attempt: attempt.attempt,
    operation,
    gatewaySlug: attempt.gatewaySlug,
    accountFingerprint: attempt.accountFingerprint,
    reference: attemptReference(payment.transactionId, attempt.attempt, operation),
    status: 'requested',
    amountCents: accepted.amountCents,
    targetAttemptId: attempt.id,
    gatewayTransactionId: accepted.gatewayTransactionId,
    createdAt: now,
    updatedAt: now,
  });
  await deps.payments.wakeNow(tx, payment.id, now);
  const { companyId, transactionId } = payment;
  deps.log.warn(
    { company_id: companyId, transaction_id: transactionId, gateway: attempt.gatewaySlug, operation },
    'a charge that was given up came through, and its money goes back',
  );
}
