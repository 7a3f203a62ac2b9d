import { neverPaid } from '../../domain/checkout/checkout-session';
import { triesAllowed } from '../../domain/subscriptions/dunning';
import {
  newBillingCycleId,
  newPlanChangeId,
  newTransactionId,
  type BillingCycleId,
  type PlanChangeId,
} from '../../domain/shared/ids';
import type { Plan } from '../../domain/subscriptions/plan';
import type { CardOnFile } from '../../domain/subscriptions/stored-command';
import type {
  ClosedCycle,
  Transition,
  OpenCycle,
  SubscriptionEvent,
  SubscriptionState,
} from '../../domain/subscriptions/subscription';
import { nextDue } from '../../domain/subscriptions/subscription-due';
import type { BillingCycleRepository } from '../../persistence/subscriptions/billing-cycle-repository';
import type { CheckoutSessionRepository } from '../../persistence/checkout/checkout-session-repository';
import type { CouponRepository } from '../../persistence/subscriptions/coupon-repository';
import type { NewDelivery, EventRepository } from '../../persistence/webhooks/event-repository';
import type { NewPayment, PaymentRepository } from '../../persistence/payments/payment-repository';
import type { PlanChangeRepository } from '../../persistence/subscriptions/plan-change-repository';
import type { CardRefusals } from '../../persistence/read-models/card-refusals';
import type {
  SubscriptionRecord,
  SubscriptionRepository,
} from '../../persistence/subscriptions/subscription-repository';
import { toColumns, type SubscriptionRow } from '../../persistence/subscriptions/subscription-state';
import type { Tx } from '../../persistence/sql/transaction';

export interface TransitionWriterDeps {
  readonly subscriptions: SubscriptionRepository;
  readonly cycles: BillingCycleRepository;
  readonly planChanges: PlanChangeRepository;
  readonly coupons: CouponRepository;
  readonly checkoutSessions: Pick<CheckoutSessionRepository, 'release'>;
  readonly payments: PaymentRepository;
  readonly refusals: CardRefusals;
  readonly events: EventRepository;
  readonly presentEvent: (subject: EventContext, news: SubscriptionEvent) => object;
}

/** What an event tells of, beside its own news. */
export interface EventContext {
  readonly subscriptionId: string;
  readonly customerId: number;
  readonly card: CardOnFile['card'];
  readonly trialDays: number;
  readonly state: SubscriptionState;
  readonly sequence: number;
  readonly cycleId: string | null;
  readonly transactionId: string | null;
}

/** What is known beside what became of the subscription. */
export interface TransitionContext {
  /** The charge that has just been settled, and how. */
  readonly charge?: SettledCharge;
  /** The card it charges from now on. */
  readonly card?: CardOnFile;
  /** A plan it changes to. */
  readonly plan?: Plan;
}

export type SettledCharge =
  | { readonly paid: true; readonly transactionId: string; readonly networkTransactionId: string | null }
  | { readonly paid: false };

/** Cycles are told of by their numbers, and kept by their ids. */
type CycleIds = ReadonlyMap<number, BillingCycleId>;

/**
 * Keeps what became of a subscription by one thing that happened: its row, its cycles, the payment of a charge that
 * begins, the events that tell of it, its coupon. All of it in the caller's transaction, in which it is locked.
 */
export class SubscriptionTransitionWriter {
  constructor(private readonly deps: TransitionWriterDeps) {}

  /** Returns the deliveries of what was told; whoever calls starts them once it is committed. */
  async save(
    tx: Tx,
    before: SubscriptionRecord,
    moved: Transition,
    now: Date,
    known: TransitionContext = {},
  ): Promise<NewDelivery[]> {
    const { state, closed } = moved;
    const ids = cycleIds(before, moved);
    for (const end of closed) await this.keepClosed(tx, before.row, end, ids, state.lastTransitionAt, now);
    if (state.openCycle !== null && state.openCycle !== before.state.openCycle) {
      await this.keepOpen(tx, before.row, state.openCycle, ids, now);
    }
    await this.createCharge(tx, before, state, ids, now, known);
    if (moved.givesCouponBack && before.row.couponId !== null) {
      await this.deps.coupons.releaseRedemption(tx, before.row.couponId);
    }
    const change = rowChange(before, moved, now, known);
    await this.deps.subscriptions.change(tx, before.row.id, change);
    const born = await this.publish(tx, { ...before.row, ...change }, moved, now, { ids, known });
    const { checkoutSessionId, uuid: subscriptionId } = before.row;
    if (checkoutSessionId !== null && neverPaid(before.state, state)) {
      await this.deps.checkoutSessions.release(tx, checkoutSessionId, { subscriptionId }, now);
    }
    return born;
  }

  private async keepClosed(
    tx: Tx,
    row: SubscriptionRow,
    { status, cycle }: ClosedCycle,
    ids: CycleIds,
    at: Date,
    now: Date,
  ): Promise<void> {
    const paidAt = status === 'failed' ? null : at;
    await this.deps.cycles.keep(tx, row, { id: idOf(ids, cycle), status, cycle, paidAt }, now);
  }

  private async keepOpen(
    tx: Tx,
    row: SubscriptionRow,
    cycle: OpenCycle,
    ids: CycleIds,
    now: Date,
  ): Promise<void> {
    await this.deps.cycles.keep(tx, row, { id: idOf(ids, cycle), status: 'open', cycle, paidAt: null }, now);
  }

  /** The open charge of before is settled; one that begins has its payment made here. */
  private async createCharge(
    tx: Tx,
    before: SubscriptionRecord,
    state: SubscriptionState,
    ids: CycleIds,
    now: Date,
    known: TransitionContext,
  ): Promise<void> {
    const { planChange, row } = before;
    if (planChange !== null && known.charge !== undefined) {
      const status = known.charge.paid ? 'paid' : 'refused';
      await this.deps.planChanges.close(tx, planChange.id, status, now);
    }
    const { openCharge, openCycle } = state;
    if (openCharge === null || before.state.openCharge !== null) return;
    if (openCharge.kind === 'cycle') {
      if (openCycle === null) throw new Error('a cycle is charged that is not open');
      const billingCycleId = idOf(ids, openCycle);
      const order = `${row.uuid}_${openCycle.number}`;
      await this.charge(
        tx,
        before,
        state,
        { amountCents: openCycle.chargeCents, billingCycleId, order },
        now,
        known,
      );
      return;
    }
    const { chargeCents, change } = openCharge;
    const id = newPlanChangeId();
    const newPlanId = innerIds(before, known)(change.to.planId);
    const opened = { id, subscriptionId: row.id, newPlanId, changeType: change.changeType, chargeCents };
    await this.deps.planChanges.insert(tx, row.companyId, opened, now);
    const order = `${row.uuid}_plan`;
    await this.charge(tx, before, state, { amountCents: chargeCents, planChangeId: id, order }, now, known);
  }

  /** Makes the payment of a charge. Its workflow is started once this is committed. */
  private async charge(
    tx: Tx,
    { row, customer, plan }: SubscriptionRecord,
    { lastTransitionAt: billedAt }: SubscriptionState,
    charge: Charge,
    now: Date,
    known: TransitionContext,
  ): Promise<void> {
    const { card, fingerprint, vaultCardId, billingAddress } = known.card ?? cardOnFile(row);
    const { companyId } = row;
    const { amountCents } = charge;
    const refused = { companyId, cardFingerprint: fingerprint, amountCents };
    const refusedAt = await this.deps.refusals.until(billedAt, refused, tx);
    const isFirst = known.card !== undefined || !row.cardCharged;
    const payment = {
      transactionId: newTransactionId(),
      companyId,
      merchantOrderId: `sub_${charge.order}`,
      idempotencyKey: null,
      amountCents,
      currency: plan.currency,
      paymentMethod: 'card',
      status: 'processing',
      message: 'processing',
      capture: true,
      installments: 1,
      softDescriptor: null,
      metadata: null,
      splits: null,
      gatewayFirstTry: row.gatewayFirstTry,
      customerId: customer.id,
      customer: snapshot(customer),
      card,
      cardFingerprint: fingerprint,
      saveCard: false,
      billingAddress,
      vaultCardId,
      requestedAt: now,
      subscriptionId: row.uuid,
      billingCycleId: charge.billingCycleId ?? null,
      planChangeId: charge.planChangeId ?? null,
      billedAt,
      attemptsAllowed: triesAllowed(card.brand, refusedAt, billedAt),
      recurring: {
        sequence: isFirst ? 'first' : 'subsequent',
        networkTransactionId: isFirst ? null : row.networkTransactionId,
      },
    } satisfies Omit<NewPayment, 'recoverAfter'>;
    await this.deps.payments.insert(tx, payment, now);
  }

  private async publish(
    tx: Tx,
    row: SubscriptionRow,
    { state, events: news }: Transition,
    now: Date,
    { ids, known }: { readonly ids: CycleIds; readonly known: TransitionContext },
  ): Promise<NewDelivery[]> {
    const { uuid, companyId, customerId, card, trialDays, eventSequence } = row;
    const paidBy = known.charge?.paid === true ? known.charge.transactionId : null;
    const born: NewDelivery[] = [];
    for (const [index, piece] of news.entries()) {
      const sequence = eventSequence - news.length + index + 1;
      const cycleId = 'cycle' in piece ? (ids.get(piece.cycle) ?? null) : null;
      const about = { subscriptionId: uuid, customerId, card, trialDays, state, sequence, cycleId };
      // A waived cycle was paid by nothing, also in the transaction in which another one was.
      const transactionId = 'chargedCents' in piece && piece.chargedCents > 0 ? paidBy : null;
      const payload = JSON.stringify(this.deps.presentEvent({ ...about, transactionId }, piece));
      born.push(
        ...(await this.deps.events.publish(tx, {
          companyId,
          resourceType: 'subscription',
          resourceId: uuid,
          sequence,
          type: piece.event,
          payload,
          createdAt: now,
        })),
      );
    }
    return born;
  }
}

interface Charge {
  readonly amountCents: number;
  /** Of its merchant_order_id. */
  readonly order: string;
  readonly billingCycleId?: BillingCycleId;
  readonly planChangeId?: PlanChangeId;
}

/** The columns of its row that change with it. */
function rowChange(before: SubscriptionRecord, moved: Transition, now: Date, known: TransitionContext) {
  const { row } = before;
  const { state } = moved;
  const { card, charge } = known;
  return {
    ...toColumns(state, innerIds(before, known)),
    dueAt: nextDue(state)?.at ?? null,
    eventSequence: row.eventSequence + moved.events.length,
    updatedAt: now,
    ...(moved.givesCouponBack && { couponReturnedAt: now }),
    ...(charge?.paid === true && {
      cardCharged: true,
      networkTransactionId: row.networkTransactionId ?? charge.networkTransactionId,
    }),
    ...(card && {
      card: card.card,
      cardFingerprint: card.fingerprint,
      vaultCardId: card.vaultCardId,
      billingAddress: card.billingAddress,
      cardCharged: false,
      networkTransactionId: null,
    }),
  };
}

function cycleIds({ openCycle }: SubscriptionRecord, { state, closed }: Transition): CycleIds {
  const ids = new Map<number, BillingCycleId>();
  if (openCycle !== null) ids.set(openCycle.number, openCycle.id);
  const told = [...closed.map(({ cycle }) => cycle), ...(state.openCycle === null ? [] : [state.openCycle])];
  for (const { number } of told) if (!ids.has(number)) ids.set(number, newBillingCycleId());
  return ids;
}

function idOf(ids: CycleIds, { number }: OpenCycle): BillingCycleId {
  const id = ids.get(number);
  if (id === undefined) throw new Error('every cycle has an id');
  return id;
}

/** Plans as the table numbers them. */
function innerIds({ plan, newPlan, planChange }: SubscriptionRecord, known: TransitionContext) {
  const plans = [plan, newPlan, planChange?.to, known.plan];
  return (uuid: string): number => {
    const found = plans.find((candidate) => candidate?.uuid === uuid);
    if (!found) throw new Error('the plan is not known');
    return found.id;
  };
}

function cardOnFile({ card, cardFingerprint, vaultCardId, billingAddress }: SubscriptionRow): CardOnFile {
  return { card, fingerprint: cardFingerprint, vaultCardId, billingAddress };
}

function snapshot({ id, token, name, email, document, phone, address }: SubscriptionRecord['customer']) {
  return { id, token, name, email, document, phone, address };
}
