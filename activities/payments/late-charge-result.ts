import { isUnfinished } from '../../src/domain/payments/charge-operations';
import { decideLateApproval } from '../../src/domain/payments/repeated-charge';
import { heldCents } from '../../src/domain/payments/reported-charge-state';
import { newAttemptId } from '../../src/domain/shared/ids';
import type { Accepted } from '../../src/gateways/gateway';
import { newOperation } from '../../src/application/payments/new-operation';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { PaymentStep } from '../../workflows/messages';
import { acceptedOutcome, applyChargeResult, type ChargeContext } from './apply-charge-result';
import { isCharge, wasReturnedByGateway } from './attempt-predicates';
import { toAttemptResult, type ChargeUpdate } from './attempt-result-mapper';
import type { PaymentDeps } from './payment-deps';
import { toPaymentStep, type PaymentContext } from './payment-step';

/**
 * Handles an update of an attempt that already has a result. Only an approval matters: the money has moved whatever is
 * recorded. It becomes the payment's charge, or it is reversed by a tracked operation.
 */
export async function handleLateChargeResult(
  deps: PaymentDeps,
  tx: Tx,
  context: ChargeContext,
  update: ChargeUpdate,
): Promise<PaymentStep> {
  const approved = acceptedOutcome(update);
  const accepted = approved ?? holdingOutcome(update);
  if (accepted === null) return toPaymentStep(deps, context, context.attempt);
  switch (decide(context, accepted)) {
    case 'known':
      return toPaymentStep(deps, context, context.attempt);
    case 'adopt':
      // A part of a charge that has ended at the gateway cannot become the payment's charge.
      if (approved !== null) return adopt(deps, tx, context, update);
      return requestReversal(deps, tx, context, accepted);
    case 'reverse':
      return requestReversal(deps, tx, context, accepted);
  }
}

/** A canceled or expired pix or boleto of which a part was paid after all; null for any other update. */
function holdingOutcome(update: ChargeUpdate): Accepted | null {
  if (update.kind !== 'outcome' || update.outcome.kind === 'declined') return null;
  return heldBy(update.outcome) > 0 ? update.outcome : null;
}

/** 0 if the gateway does not report it. */
function heldBy({ chargeState }: Accepted): number {
  return chargeState === null ? 0 : heldCents(chargeState);
}

function decide({ payment, attempts, attempt }: ChargeContext, accepted: Accepted) {
  const { gatewayTransactionId } = accepted;
  const { status } = attempt;
  if (status === 'requested' || status === 'sent' || status === 'unknown' || status === 'accepted')
    throw new Error('the attempt has no result');
  const reversals = reversalsOf({ attempts }, attempt.id);
  return decideLateApproval({
    paymentStatus: payment.status,
    isSuperseded: attempts.some((other) => isCharge(other) && other.attempt > attempt.attempt),
    attempt: { ...attempt, status, wasReturned: wasReturnedByGateway(attempt) },
    gatewayTransactionId,
    reversedIds: reversals.map((reversal) => reversal.gatewayTransactionId),
    heldCents: reversals.some(isUnfinished) ? 0 : heldBy(accepted),
  });
}

function reversalsOf({ attempts }: Pick<PaymentContext, 'attempts'>, chargeId: string) {
  return attempts.filter(
    ({ targetAttemptId, purpose }) => targetAttemptId === chargeId && purpose === 'reversal',
  );
}

async function adopt(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts, attempt }: ChargeContext,
  update: ChargeUpdate,
): Promise<PaymentStep> {
  // A decline that another sending got is not the result.
  const change = { ...toAttemptResult(deps, payment, attempt, update), declineType: null, adviceCode: null };
  await deps.attempts.recordLateResult(tx, attempt.id, change, deps.now());
  return applyChargeResult(deps, tx, { payment, attempts, attempt: { ...attempt, ...change } }, update, 0);
}

/** Inserts the reversal. The payment's workflow, or else the sweeper, sends it. */
async function requestReversal(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts, attempt }: ChargeContext,
  accepted: Accepted,
): Promise<PaymentStep> {
  const held = heldBy(accepted);
  const operation = accepted.kind === 'approved' || held > 0 ? 'refund' : 'cancel';
  const amountCents = held > 0 ? held : accepted.amountCents;
  const now = deps.now();
  const reversal = newOperation(payment, attempts, attempt, {
    id: newAttemptId(),
    operation,
    purpose: 'reversal',
    amountCents,
    gatewayTransactionId: accepted.gatewayTransactionId,
    // Each recipient returns exactly what it received. A part of a pix or boleto is not split.
    splits: operation === 'refund' && amountCents === attempt.amountCents ? attempt.splits : null,
  });
  await deps.attempts.insert(tx, { ...reversal, createdAt: now, updatedAt: now });
  await deps.payments.saveRecoverySchedule(tx, payment.id, { recoverAfter: now, stuckAt: payment.stuckAt });
  const { companyId, transactionId } = payment;
  deps.log.warn(
    { company_id: companyId, transaction_id: transactionId, gateway: attempt.gatewaySlug, operation },
    'charge succeeded after it was recorded as not made; reversal requested',
  );
  return toPaymentStep(
    deps,
    { payment, attempts: await deps.attempts.listByPayment(payment.id, tx) },
    attempt,
  );
}
