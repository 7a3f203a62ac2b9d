import { restoredReport } from '../../../src/persistence/restore/restored-report';
import { attemptReference } from '../../../src/domain/payments/payment';
import { newAttemptId, parseTransactionId, requestPartOf } from '../../../src/domain/shared/ids';
import type { Tx } from '../../../src/persistence/sql/transaction';
import type { PaymentStep } from '../../../workflows/messages';
import { chargedCardOf } from '../../subscriptions/guard-card';
import { isCharge } from '../attempt-predicates';
import { chargeSplits } from '../charge-splits';
import { lockPayment } from '../load-payment';
import type { PaymentDeps } from '../payment-deps';
import { toPaymentStep, type PaymentContext } from '../payment-step';

const ROUTING_REASON = 'found at the gateway after a restore';

/**
 * Gives a payment the charge that was made for it and that the database lost in a restore, as an attempt of unknown outcome. It was not
 * sent under the attempt's id, so its send count is 0 and it is never sent again. Null if there is no such charge.
 */
export async function adoptLostCharge(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: PaymentContext,
): Promise<PaymentStep | null> {
  const transactionId = parseTransactionId(payment.transactionId);
  if (!deps.restoreState.hasLostCharges || transactionId === null) return null;
  const lost = await deps.restoredCharges.lockLost(tx, payment, requestPartOf(transactionId));
  if (lost === null) return null;
  const number = Number(lost.reference.slice(transactionId.length + 1));
  if (attempts.some((known) => isCharge(known) && known.attempt === number)) return null;
  const operation = payment.capture ? 'charge' : 'authorize';
  const splits = chargeSplits(payment, { subAccount: null });
  const now = deps.now();
  const attempt = {
    id: newAttemptId(),
    paymentId: payment.id,
    companyId: payment.companyId,
    attempt: number,
    operation,
    gatewaySlug: lost.gateway,
    secretId: lost.secretId,
    chargedCard: chargedCardOf(payment),
    reference: attemptReference(transactionId, number, operation),
    routingReason: ROUTING_REASON,
    status: 'unknown',
    sendCount: 0,
    splits: splits.length === 0 ? null : splits,
    amountCents: payment.amountCents,
    gatewayTransactionId: lost.gatewayTransactionId,
    sentAt: now,
    createdAt: now,
    updatedAt: now,
  } as const;
  const claim = { number, gateway: lost.gateway, ignoredFirstTry: null };
  await deps.attempts.insertWith(
    tx,
    { ...attempt, splits: attempt.splits && [...attempt.splits] },
    deps.payments.claimedBy(payment.id, claim, now),
  );
  await deps.restoredCharges.markAdopted(tx, lost.id);
  // What was captured or refunded since, which the inquiry about the charge does not record.
  const subject = {
    attemptId: attempt.id,
    chargeId: attempt.id,
    paymentId: payment.id,
    payment,
    sealedWebhookSecrets: [],
  };
  const { paymentMethod } = payment;
  await deps.callbacks.insert(
    restoredReport(lost.restoreId, lost, { subject, paymentMethod }, now),
    null,
    tx,
  );
  const current = await lockPayment(deps, tx, transactionId);
  return toPaymentStep(deps, current, current.attempts.find(({ id }) => id === attempt.id) ?? null);
}
