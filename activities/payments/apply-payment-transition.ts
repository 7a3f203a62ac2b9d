import { personalContent, type PersonalContent } from '../../src/domain/customers/personal-data';
import { okAnswer } from '../../src/domain/shared/http-answer';
import type { VaultCardId } from '../../src/domain/shared/ids';
import { captureWindowEnd } from '../../src/domain/payments/payment';
import { paymentNow } from '../../src/domain/payments/payment-clock';
import {
  applyFact,
  paidCents,
  type PaymentFact,
  type PaymentState,
} from '../../src/domain/payments/payment-lifecycle';
import type { TransactionEvent } from '../../src/domain/payments/transaction-event';
import type { NewDelivery } from '../../src/persistence/webhooks/event-repository';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type {
  PaymentChange,
  PaymentPolled,
  PaymentRecord,
} from '../../src/persistence/payments/payment-repository';
import { changeJointly, type JointChange } from '../../src/persistence/sql/joint-changes';
import type { Tx } from '../../src/persistence/sql/transaction';
import { presentPayment } from '../../src/presenters/payment';
import { holdsMoney } from './attempt-predicates';
import { postTransition } from './ledger/post-transition';
import type { PaymentDeps } from './payment-deps';
import { toPaymentStep, type PaymentContext } from './payment-step';
import { recoveryScheduleOf } from './recovery-schedule';
import { updateCheckoutSession } from './update-checkout-session';

/** Data that comes with a fact. */
export interface TransitionDetails {
  /** Gateway time, in ms, that the payment does not include yet. */
  readonly requestMs?: number;
  /** When an authorization expires; null if the gateway does not say. */
  readonly captureBefore?: Date | null;
  /** When a pix or boleto expires. */
  readonly expiresAt?: Date | null;
  /** The refund that the fact reports; its splits say what each recipient returns. */
  readonly refund?: Pick<AttemptRecord, 'splits'>;
  /** The changes that record the result behind the fact, made together with the payment's; absent if they are made already. */
  readonly results?: readonly JointChange[];
  /** What the poll that has learned the fact records of itself. */
  readonly polled?: PaymentPolled;
}

/**
 * Applies a fact to a payment, in the caller's transaction and under the payment's lock: status and amounts, the event,
 * the saved card and its secrets, and the answer to repeated creation requests. A fact that is already recorded, or
 * arrives too late, changes nothing and publishes no event. `attempts` already include the result behind the fact.
 */
export async function applyPaymentTransition(
  deps: PaymentDeps,
  tx: Tx,
  context: PaymentContext,
  fact: PaymentFact,
  details: TransitionDetails = {},
): Promise<PaymentContext> {
  const { payment, attempts } = context;
  const applied = applyFact(payment, fact);
  const { results = [], polled = {} } = details;
  if (!applied.applied) {
    if (results.length > 0) await changeJointly(deps.db, results, tx);
    return context;
  }
  const { state, message, event } = applied;
  const now = deps.now();
  const settles = payment.status === 'processing';
  const networkIds = attempts.find(holdsMoney)?.networkIds ?? null;
  const card = settles ? await saveCard(deps, tx, { ...payment, networkIds }, state.status) : payment.card;
  const posted = postTransition(context, state, details.refund ?? null, now);
  const change: PaymentChange = {
    ...posted.totals,
    ...polled,
    status: state.status,
    code: state.code,
    message,
    capturedAmountCents: state.capturedAmountCents,
    refundedAmountCents: state.refundedAmountCents,
    paidAmountCents: state.paidAmountCents,
    gatewaysRequestMs: payment.gatewaysRequestMs + (details.requestMs ?? 0),
    eventSequence: payment.eventSequence + (event === null ? 0 : 1),
    ...statusTimes(deps, payment, state, details),
    ...(settles ? { settledAt: now, card } : {}),
  };
  const next = { payment: { ...payment, ...change, updatedAt: now }, attempts };
  const schedule = recoveryScheduleOf(toPaymentStep(deps, next), payment.stuckAt, now);
  const updated = { ...next.payment, ...schedule };
  const changes = [
    deps.payments.changed(payment, { ...change, ...schedule, updatedAt: now }),
    ...results,
    ...posted.changes,
    ...(settles ? cardErasure(deps, payment, card) : []),
  ];
  const created = await save(deps, tx, { payment: updated, attempts }, changes, event);
  // If the process crashes before this runs, the sweeper starts the deliveries.
  if (created.length > 0) tx.afterCommit(() => deps.startDeliveries(created));
  const after = { payment: updated, attempts, deliveries: [...(context.deliveries ?? []), ...created] };
  if (settles) {
    await notifySubscription(deps, tx, payment);
    // After the subscription's row, which commands lock before the card's.
    await keepNetworkIds(deps, tx, payment, networkIds);
    await recordAnswer(deps, tx, after);
  }
  // Late, because all buyers of a payment link wait for the same row lock.
  const shown = await updateCheckoutSession(deps, tx, payment, after);
  // A second payment of a session is returned, so the buyer gets no receipt of it.
  const isKept = shown === after;
  if (isKept && state.status === 'approved' && payment.status !== 'approved')
    await deps.receipts.request(tx, payment, now);
  return shown;
}

/** Wakes the subscription's workflow, which waits for the result. If we crash before the signal, the sweeper sends it. */
async function notifySubscription(
  deps: PaymentDeps,
  tx: Tx,
  { subscriptionId }: PaymentRecord,
): Promise<void> {
  const { wakeSubscription } = deps;
  if (subscriptionId === null || wakeSubscription === null) return;
  const subscription = await deps.subscriptions.requestWake(tx, subscriptionId, deps.now());
  tx.afterCommit(() => wakeSubscription(subscription));
}

/** Saves the changes and publishes the event, by one statement. Its body shows the current payment without deliveries. */
async function save(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: PaymentContext,
  changes: readonly JointChange[],
  event: TransactionEvent | null,
): Promise<NewDelivery[]> {
  if (event === null) {
    await changeJointly(deps.db, changes, tx);
    return [];
  }
  const { companyId, transactionId, eventSequence: sequence } = payment;
  const published = {
    companyId,
    subject: { type: 'payment', id: transactionId },
    sequence,
    type: event,
    content: presentPayment(payment, attempts, []),
    personal: personalOf(payment),
    createdAt: deps.now(),
  } as const;
  return deps.events.publish(tx, published, { changes });
}

/** The instants that a status sets. A partial payment can be refunded for as long as a full one. */
function statusTimes(
  deps: PaymentDeps,
  payment: PaymentRecord,
  next: PaymentState,
  { captureBefore, expiresAt }: TransitionDetails,
): PaymentChange {
  const now = paymentNow(payment, deps.now());
  const partlyPaid = paidCents(next) > paidCents(payment) ? { paidAt: now } : {};
  switch (next.status) {
    case 'authorized':
      return { captureBefore: captureBefore ?? captureWindowEnd(now) };
    case 'pending':
      return { ...partlyPaid, expiresAt: payment.expiresAt ?? expiresAt ?? null };
    case 'approved':
      return { captureBefore: null, paidAt: payment.status === 'approved' ? payment.paidAt : now };
    case 'canceled':
      return { ...partlyPaid, captureBefore: null };
    case 'failed':
      return partlyPaid;
    case 'processing':
    case 'refunded':
      return {};
  }
}

/** The personal data in a payment as clients see it. */
export function personalOf({ customerId, customerKey }: PaymentRecord): PersonalContent {
  return personalContent('payment', { id: customerId, key: customerKey });
}

/** Records the answer to repeated creation requests, and answers who waits in this process. */
async function recordAnswer(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts, deliveries = [] }: PaymentContext,
): Promise<void> {
  const { companyId, idempotencyKey: key, transactionId } = payment;
  const answer = okAnswer(presentPayment(payment, attempts, deliveries));
  await deps.idempotency.recordAnswer(tx, { companyId, key }, answer, personalOf(payment));
  tx.afterCommit(() => {
    deps.failpoint('answer-committed', companyId);
    deps.callers.answer(transactionId, answer);
  });
}

/** Saves the card if the request asked for it and the charge succeeded. Returns the card as the payment shows it. */
async function saveCard(
  deps: PaymentDeps,
  tx: Tx,
  payment: PaymentRecord & Pick<AttemptRecord, 'networkIds'>,
  status: PaymentRecord['status'],
): Promise<PaymentRecord['card']> {
  const { card, vaultCardId, companyId, customerKey } = payment;
  if (card === null || vaultCardId === null || card.token !== null) return card;
  if (!payment.saveCard || (status !== 'approved' && status !== 'authorized')) return card;
  const { holderName } = card;
  if (customerKey === null || holderName === null) return card;
  const token = await deps.customerCards.upsert(tx, {
    companyId,
    customerId: payment.customerId,
    vaultCardId: vaultCardId as VaultCardId,
    customerKey,
    card: { ...card, holderName },
    fingerprint: payment.cardFingerprint ?? '',
    billingAddress: payment.billingAddress,
    networkIds: payment.networkIds,
  });
  return { ...card, token };
}

/** Keeps what the network returned to a customer who paid with a saved card, for later charges without the customer. */
async function keepNetworkIds(
  { customerCards }: PaymentDeps,
  tx: Tx,
  { card, cardFingerprint, companyId, initiation }: PaymentRecord,
  networkIds: AttemptRecord['networkIds'],
): Promise<void> {
  if (networkIds === null || initiation.initiator !== 'customer') return;
  if (card === null || card.token === null || cardFingerprint === null) return;
  const { token, expireMonth, expireYear } = card;
  const charged = { companyId, token, fingerprint: cardFingerprint, expireMonth, expireYear };
  await customerCards.keepNetworkIds(tx, charged, networkIds);
}

/**
 * The change that erases the CVV, and also the card number unless the card was saved or belongs to a subscription; none
 * without a card of its own. `card`: the card as the payment shows it from now on.
 */
function cardErasure(
  { vault }: PaymentDeps,
  payment: PaymentRecord,
  card: PaymentRecord['card'],
): JointChange[] {
  const { card: before, vaultCardId, companyId, subscriptionId } = payment;
  if (before === null || vaultCardId === null || before.token !== null) return [];
  const id = vaultCardId as VaultCardId;
  const isKept = card !== before || subscriptionId !== null;
  const change = isKept ? vault.cvvErasure(companyId, id) : vault.removal(companyId, id);
  return [{ change, unlessOne: null }];
}
