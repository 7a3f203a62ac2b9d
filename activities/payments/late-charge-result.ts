import { newAttemptId } from '../../src/domain/shared/ids';
import type { Accepted } from '../../src/gateways/gateway';
import { newOperation } from '../../src/application/payments/new-operation';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { PaymentStep } from '../../workflows/messages';
import {
  acceptedOutcome,
  applyChargeResult,
  toAttemptResult,
  type ChargeUpdate,
  type ChargeContext,
} from './apply-charge-result';
import { isCharge } from './attempt-predicates';
import type { PaymentDeps } from './payment-deps';
import { stepOf } from './payment-step';

/**
 * News of an attempt that already has its result. Only one kind matters: an attempt given up as absent was charged
 * after all. It is taken up when nothing else was tried meanwhile; else its money goes back, by a tracked operation.
 */
export async function handleLateChargeResult(
  deps: PaymentDeps,
  tx: Tx,
  situation: ChargeContext,
  news: ChargeUpdate,
): Promise<PaymentStep> {
  const accepted = acceptedOutcome(news);
  const { payment, attempts, attempt } = situation;
  if (attempt.status !== 'abandoned' || accepted === null) return stepOf(deps, situation, attempt);
  const others = attempts.filter((other) => isCharge(other) && other.id !== attempt.id);
  const superseded = others.some((other) => other.attempt > attempt.attempt);
  if (payment.status === 'processing' && !superseded) {
    const change = toAttemptResult(deps, attempt, news);
    await deps.attempts.adopt(tx, attempt.id, change, deps.now());
    return applyChargeResult(deps, tx, { payment, attempts, attempt: { ...attempt, ...change } }, news, 0);
  }
  return requestReversal(deps, tx, situation, accepted);
}

/** Asked for once, however often the news comes; the payment is woken to carry it out. */
async function requestReversal(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts, attempt }: ChargeContext,
  accepted: Accepted,
): Promise<PaymentStep> {
  const asked = attempts.some(
    ({ targetAttemptId, purpose }) => targetAttemptId === attempt.id && purpose === 'reversal',
  );
  if (asked) return stepOf(deps, { payment, attempts }, attempt);
  const operation = accepted.kind === 'approved' ? 'refund' : 'cancel';
  const now = deps.now();
  const reversal = newOperation(payment, attempts, attempt, {
    id: newAttemptId(),
    operation,
    purpose: 'reversal',
    amountCents: accepted.amountCents,
    gatewayTransactionId: accepted.gatewayTransactionId,
    // Whoever got a part gives it back.
    splits: operation === 'refund' ? attempt.splits : null,
  });
  await deps.attempts.insert(tx, { ...reversal, createdAt: now, updatedAt: now });
  await deps.payments.rest(tx, payment.id, { recoverAfter: now, stuckAt: payment.stuckAt });
  const { companyId, transactionId } = payment;
  deps.log.warn(
    { company_id: companyId, transaction_id: transactionId, gateway: attempt.gatewaySlug, operation },
    'a charge that was given up came through, and its money goes back',
  );
  return stepOf(deps, { payment, attempts: await deps.attempts.ofPayment(payment.id, tx) }, attempt);
}
