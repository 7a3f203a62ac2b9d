import type { VaultCardId } from '../src/domain/ids';
import { captureWindowEnd } from '../src/domain/payment';
import { paymentNow } from '../src/domain/payment-clock';
import { applyFact, type PaymentFact } from '../src/domain/payment-lifecycle';
import type { TransactionEvent } from '../src/domain/transaction-event';
import type { BornDelivery } from '../src/persistence/event-repository';
import type { PaymentChange, PaymentRecord } from '../src/persistence/payment-repository';
import type { Tx } from '../src/persistence/transaction';
import { presentPayment } from '../src/presenters/payment';
import type { PaymentDeps } from './payment-deps';
import { restOf, stepOf, type Situation } from './payment-step';

/** What is known beside the fact itself. */
export interface FactDetails {
  /** Gateway time, in ms, that is not on the payment yet. */
  readonly requestMs?: number;
  /** When an authorization lapses; null where the gateway does not say. */
  readonly captureBefore?: Date | null;
  /** When a pix or billet can no longer be paid. */
  readonly expiresAt?: Date | null;
}

/**
 * Moves a payment by something that certainly happened, in the caller's transaction and under the payment's lock: its
 * status and amounts, the event that tells of it, the card's secrets, a card the customer wanted saved, and the answer
 * that every resent creation gets. All of it happens, or nothing. A fact that was known already, or comes too late to
 * matter, changes and tells nothing. `attempts` are as they are now, that fact's own result included.
 */
export async function movePayment(
  deps: PaymentDeps,
  tx: Tx,
  situation: Situation,
  fact: PaymentFact,
  details: FactDetails = {},
): Promise<Situation> {
  const { payment, attempts } = situation;
  const applied = applyFact(payment, fact);
  if (!applied.moved) return situation;
  const { state, message, event } = applied;
  const settles = payment.status === 'processing';
  const change: PaymentChange = {
    status: state.status,
    code: state.code,
    message,
    capturedAmountCents: state.capturedAmountCents,
    refundedAmountCents: state.refundedAmountCents,
    paidAmountCents: state.paidAmountCents,
    gatewaysRequestMs: payment.gatewaysRequestMs + (details.requestMs ?? 0),
    eventSequence: payment.eventSequence + (event === null ? 0 : 1),
    ...timesOf(deps, payment, state.status, details),
    ...(settles ? { settledAt: deps.now(), card: await settleCard(deps, tx, payment, state.status) } : {}),
  };
  const next = { payment: { ...payment, ...change }, attempts };
  const now = deps.now();
  const rest = restOf(stepOf(deps, next), payment.stuckAt, now);
  const moved = await deps.payments.move(tx, payment, { ...change, ...rest }, now);
  const born = event === null ? [] : await publish(deps, tx, { payment: moved, attempts }, event);
  const deliveries = [...(situation.deliveries ?? []), ...born];
  if (settles) await recordAnswer(deps, tx, { payment: moved, attempts, deliveries });
  return { payment: moved, attempts, deliveries };
}

/** The body is the payment as it now stands. Of its own deliveries it tells nothing. */
async function publish(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: Situation,
  event: TransactionEvent,
): Promise<BornDelivery[]> {
  const { companyId, transactionId, eventSequence: sequence } = payment;
  const body = { event, sequence, ...presentPayment(payment, attempts, []) };
  return deps.events.publish(tx, {
    companyId,
    resourceType: 'payment',
    resourceId: transactionId,
    sequence,
    type: event,
    payload: JSON.stringify(body),
    createdAt: deps.now(),
  });
}

/** The instants that come with a status. */
function timesOf(
  deps: PaymentDeps,
  payment: PaymentRecord,
  status: PaymentRecord['status'],
  { captureBefore, expiresAt }: FactDetails,
): PaymentChange {
  const now = paymentNow(payment, deps.now());
  switch (status) {
    case 'authorized':
      return { captureBefore: captureBefore ?? captureWindowEnd(now) };
    case 'pending':
      return { expiresAt: payment.expiresAt ?? expiresAt ?? null };
    case 'approved':
      return { captureBefore: null, paidAt: payment.paidAt ?? now };
    case 'canceled':
      return { captureBefore: null };
    case 'processing':
    case 'failed':
    case 'refunded':
      return {};
  }
}

/** What the creation of the payment is answered from now on, to whoever resends it. */
async function recordAnswer(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts, deliveries = [] }: Situation,
): Promise<void> {
  if (payment.idempotencyKey === null) return;
  await deps.idempotency.recordAnswer(tx, {
    companyId: payment.companyId,
    key: payment.idempotencyKey,
    status: 200,
    body: presentPayment(payment, attempts, deliveries),
  });
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
