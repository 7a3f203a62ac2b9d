import type { VaultCardId } from '../../src/domain/shared/ids';
import { captureWindowEnd } from '../../src/domain/payments/payment';
import { paymentNow } from '../../src/domain/payments/payment-clock';
import { applyFact, type PaymentFact } from '../../src/domain/payments/payment-lifecycle';
import type { TransactionEvent } from '../../src/domain/payments/transaction-event';
import type { NewDelivery } from '../../src/persistence/webhooks/event-repository';
import type { PaymentChange, PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import { presentPayment } from '../../src/presenters/payment';
import type { PaymentDeps } from './payment-deps';
import { recoveryScheduleOf, stepOf, type PaymentContext } from './payment-step';

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
export async function applyPaymentTransition(
  deps: PaymentDeps,
  tx: Tx,
  situation: PaymentContext,
  fact: PaymentFact,
  details: FactDetails = {},
): Promise<PaymentContext> {
  const { payment, attempts } = situation;
  const applied = applyFact(payment, fact);
  if (!applied.applied) return situation;
  const { state, message, event } = applied;
  const now = deps.now();
  const settles = payment.status === 'processing';
  const card = settles ? await saveCard(deps, tx, payment, state.status) : payment.card;
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
    ...(settles ? { settledAt: now, card } : {}),
  };
  const next = { payment: { ...payment, ...change, updatedAt: now }, attempts };
  const rest = recoveryScheduleOf(stepOf(deps, next), payment.stuckAt, now);
  const moved = { ...next.payment, ...rest };
  const [born] = await Promise.all([
    event === null ? [] : publish(deps, tx, { payment: moved, attempts }, event),
    deps.payments.move(tx, payment, { ...change, ...rest, updatedAt: now }),
    settles ? forgetCard(deps, tx, payment, card) : undefined,
    settles ? notifySubscription(deps, tx, payment) : undefined,
    updateCheckoutSession(deps, tx, payment, state.status),
  ]);
  // Whoever dies before that leaves them to the sweeper.
  if (born.length > 0) tx.afterCommit(() => deps.startDeliveries(born));
  const deliveries = [...(situation.deliveries ?? []), ...born];
  if (settles) recordAnswer(deps, tx, { payment: moved, attempts, deliveries });
  return { payment: moved, attempts, deliveries };
}

/** Its subscription has waited for this. Whoever dies before it is woken leaves it to the sweeper. */
async function notifySubscription(
  deps: PaymentDeps,
  tx: Tx,
  { subscriptionId }: PaymentRecord,
): Promise<void> {
  if (subscriptionId === null) return;
  const waiting = await deps.subscriptions.noteNews(tx, subscriptionId, deps.now());
  tx.afterCommit(() => deps.wakeSubscription(waiting));
}

/**
 * A failure that is proven opens the checkout session in which the payment was made; paid after all, it has bought. The
 * last statements of the move: a link's buyers wait for each other.
 */
async function updateCheckoutSession(
  { checkoutSessions, now }: PaymentDeps,
  tx: Tx,
  { checkoutSessionId: id, transactionId, status: before }: PaymentRecord,
  status: PaymentRecord['status'],
): Promise<void> {
  if (id === null || status === before) return;
  if (status === 'failed' || status === 'canceled') {
    await checkoutSessions.release(tx, id, { transactionId }, now());
  } else if (before === 'failed' || before === 'canceled') {
    await checkoutSessions.reclaimSession(tx, id, transactionId, now());
  }
}

/** The body is the payment as it now stands. Of its own deliveries it tells nothing. */
async function publish(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: PaymentContext,
  event: TransactionEvent,
): Promise<NewDelivery[]> {
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
function recordAnswer(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts, deliveries = [] }: PaymentContext,
): void {
  if (payment.idempotencyKey === null) return;
  const recorded = deps.idempotency.recordAnswer(tx, {
    companyId: payment.companyId,
    key: payment.idempotencyKey,
    status: 200,
    body: presentPayment(payment, attempts, deliveries),
  });
  deps.db.awaitBeforeCommit(tx, recorded);
}

/** Saves the card where the customer asked for it and it was good. Returns it as the payment shows it. */
async function saveCard(
  deps: PaymentDeps,
  tx: Tx,
  payment: PaymentRecord,
  status: PaymentRecord['status'],
): Promise<PaymentRecord['card']> {
  const { card, vaultCardId, companyId } = payment;
  if (card === null || vaultCardId === null || card.token !== null) return card;
  if (!payment.saveCard || (status !== 'approved' && status !== 'authorized')) return card;
  const token = await deps.customerCards.saveCustomerCard(tx, {
    companyId,
    customerId: payment.customerId,
    vaultCardId: vaultCardId as VaultCardId,
    card,
    fingerprint: payment.cardFingerprint ?? '',
    billingAddress: payment.billingAddress,
  });
  return { ...card, token };
}

/**
 * The number is kept only of a card that was saved, or that a subscription goes on charging; the CVV never is. `card`
 * as the payment shows it from now on.
 */
async function forgetCard(
  deps: PaymentDeps,
  tx: Tx,
  payment: PaymentRecord,
  card: PaymentRecord['card'],
): Promise<void> {
  const { card: before, vaultCardId, companyId, subscriptionId } = payment;
  if (before === null || vaultCardId === null || before.token !== null) return;
  const id = vaultCardId as VaultCardId;
  if (card === before && subscriptionId === null) await deps.vault.discard(tx, companyId, id);
  else await deps.vault.forgetCvv(tx, companyId, id);
}
