import { newAttemptId } from '../../src/domain/shared/ids';
import type { Accepted } from '../../src/gateways/gateway';
import { newOperation } from '../../src/application/payments/new-operation';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { PaymentStep } from '../../workflows/messages';
import { acceptedOutcome, applyChargeResult, type ChargeContext } from './apply-charge-result';
import { isCharge } from './attempt-predicates';
import { toAttemptResult, type ChargeUpdate } from './attempt-result-mapper';
import type { PaymentDeps } from './payment-deps';
import { toPaymentStep } from './payment-step';

/**
 * Handles an update of an attempt that already has a result. Only one case matters: an abandoned charge succeeded after
 * all. It is accepted if no other charge was attempted since; otherwise it is reversed by a tracked operation.
 */
export async function handleLateChargeResult(
  deps: PaymentDeps,
  tx: Tx,
  context: ChargeContext,
  update: ChargeUpdate,
): Promise<PaymentStep> {
  const accepted = acceptedOutcome(update);
  const { payment, attempts, attempt } = context;
  if (attempt.status !== 'abandoned' || accepted === null) return toPaymentStep(deps, context, attempt);
  const others = attempts.filter((other) => isCharge(other) && other.id !== attempt.id);
  const isSuperseded = others.some((other) => other.attempt > attempt.attempt);
  if (payment.status === 'processing' && !isSuperseded) {
    const change = toAttemptResult(deps, payment, attempt, update);
    await deps.attempts.recordLateResult(tx, attempt.id, change, deps.now());
    return applyChargeResult(deps, tx, { payment, attempts, attempt: { ...attempt, ...change } }, update, 0);
  }
  return requestReversal(deps, tx, context, accepted);
}

/** Inserts the reversal at most once. The payment's workflow, or else the sweeper, sends it. */
async function requestReversal(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts, attempt }: ChargeContext,
  accepted: Accepted,
): Promise<PaymentStep> {
  const isRequested = attempts.some(
    ({ targetAttemptId, purpose }) => targetAttemptId === attempt.id && purpose === 'reversal',
  );
  if (isRequested) return toPaymentStep(deps, { payment, attempts }, attempt);
  const operation = accepted.kind === 'approved' ? 'refund' : 'cancel';
  const now = deps.now();
  const reversal = newOperation(payment, attempts, attempt, {
    id: newAttemptId(),
    operation,
    purpose: 'reversal',
    amountCents: accepted.amountCents,
    gatewayTransactionId: accepted.gatewayTransactionId,
    // Each recipient returns exactly what it received.
    splits: operation === 'refund' ? attempt.splits : null,
  });
  await deps.attempts.insert(tx, { ...reversal, createdAt: now, updatedAt: now });
  await deps.payments.saveRecoverySchedule(tx, payment.id, { recoverAfter: now, stuckAt: payment.stuckAt });
  const { companyId, transactionId } = payment;
  deps.log.warn(
    { company_id: companyId, transaction_id: transactionId, gateway: attempt.gatewaySlug, operation },
    'abandoned charge succeeded late; reversal requested',
  );
  return toPaymentStep(
    deps,
    { payment, attempts: await deps.attempts.listByPayment(payment.id, tx) },
    attempt,
  );
}
