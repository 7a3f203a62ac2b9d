import { captureWindowEnd } from '../src/domain/payment';
import type { SettleOutcome } from '../src/domain/charge-outcome';
import type { VaultCardId } from '../src/domain/ids';
import type { AttemptRecord } from '../src/persistence/gateway-attempt-repository';
import type { PaymentRecord } from '../src/persistence/payment-repository';
import type { Tx } from '../src/persistence/transaction';
import { presentPayment } from '../src/presenters/payment';
import { isUnfinishedFollowUp } from './attempt-kind';
import type { PaymentDeps } from './payment-deps';

interface Decided {
  readonly payment: PaymentRecord;
  readonly attempts: readonly AttemptRecord[];
}

/**
 * Ends `processing`, in the caller's transaction and under the payment's lock: the status, the card's secrets, a card
 * the customer wanted saved, and the answer every resent request will get. All of it happens, or nothing.
 */
export async function settlePayment(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: Decided,
  outcome: SettleOutcome,
  last: { readonly requestMs: number; readonly captureBefore: Date | null },
): Promise<PaymentRecord> {
  const now = deps.now();
  const card = await settleCard(deps, tx, payment, outcome.status);
  const settled = await deps.payments.settle(
    tx,
    payment,
    {
      status: outcome.status,
      message: outcome.message,
      code: outcome.code,
      card,
      capturedAmountCents: outcome.status === 'approved' ? payment.amountCents : 0,
      requestMs: last.requestMs,
      captureBefore: outcome.status === 'authorized' ? (last.captureBefore ?? captureWindowEnd(now)) : null,
      openOperations: attempts.some(isUnfinishedFollowUp),
    },
    now,
  );
  if (settled.idempotencyKey !== null) {
    await deps.idempotency.recordAnswer(tx, {
      companyId: settled.companyId,
      key: settled.idempotencyKey,
      status: 200,
      body: presentPayment(settled, attempts, []),
    });
  }
  return settled;
}

/** The number is kept only where the customer asked for it; the CVV never is. Returns the card as the payment shows it. */
async function settleCard(
  deps: PaymentDeps,
  tx: Tx,
  payment: PaymentRecord,
  status: PaymentRecord['status'],
): Promise<PaymentRecord['card']> {
  const { card, vaultCardId, companyId } = payment;
  if (card === null || vaultCardId === null || card.token !== null) return card;
  const id = vaultCardId as VaultCardId;
  if (payment.saveCard && (status === 'approved' || status === 'authorized')) {
    await deps.vault.forgetCvv(tx, companyId, id);
    const token = await deps.customerCards.saveCustomerCard(tx, {
      companyId,
      customerId: payment.customerId,
      vaultCardId: id,
      card,
      fingerprint: payment.cardFingerprint ?? '',
      billingAddress: payment.billingAddress,
    });
    return { ...card, token };
  }
  await deps.vault.discard(tx, companyId, id);
  return card;
}
