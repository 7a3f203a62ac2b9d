import { neverPaid } from '../../domain/checkout/checkout-session';
import { creditEntry } from '../../domain/ledger/credit-entry';
import { newJournalEntryId } from '../../domain/shared/ids';
import { knownPayer } from '../../domain/shared/purchase-details';
import type { CardOnFile } from '../../domain/subscriptions/stored-command';
import type {
  ClosedCycle,
  CycleStatus,
  SubscriptionEvent,
  SubscriptionState,
  Transition,
} from '../../domain/subscriptions/subscription';
import { monthlyRevenueCents, revenueMovement } from '../../domain/subscriptions/recurring-revenue';
import { nextDue } from '../../domain/subscriptions/subscription-due';
import type { CheckoutSessionRepository } from '../../persistence/checkout/checkout-session-repository';
import { postedEntries } from '../../persistence/ledger/ledger-repository';
import type { PaymentRecord } from '../../persistence/payments/payment-repository';
import type { JointChange } from '../../persistence/sql/joint-changes';
import type { Tx } from '../../persistence/sql/transaction';
import type { BillingCycleRepository } from '../../persistence/subscriptions/billing-cycle-repository';
import type { CouponRepository } from '../../persistence/subscriptions/coupon-repository';
import { insertedMovement } from '../../persistence/subscriptions/revenue-movements';
import type {
  SubscriptionRecord,
  SubscriptionRepository,
} from '../../persistence/subscriptions/subscription-repository';
import { toColumns, type SubscriptionRow } from '../../persistence/subscriptions/subscription-state';
import type { EventRepository, NewDelivery } from '../../persistence/webhooks/event-repository';
import { SubscriptionChargeWriter, type ChargeWriterDeps } from './charge-writer';
import {
  assignCycleIds,
  cycleIdOf,
  planKeys,
  type ChargeDecline,
  type TransitionContext,
  type UnsavedTransition,
} from './transition-context';

export type { ChargeDecline, SettledCharge, TransitionContext } from './transition-context';

export interface TransitionWriterDeps extends ChargeWriterDeps {
  readonly subscriptions: SubscriptionRepository;
  readonly cycles: BillingCycleRepository;
  readonly coupons: CouponRepository;
  readonly checkoutSessions: Pick<CheckoutSessionRepository, 'release'>;
  readonly events: EventRepository;
  readonly presentEvent: (context: EventContext, event: SubscriptionEvent) => object;
}

/** What a transition has inserted. */
export interface SavedTransition {
  /** Of the charge that it starts; null if it starts none. */
  readonly payment: PaymentRecord | null;
  /** Of its events. The caller starts them after the commit. */
  readonly deliveries: readonly NewDelivery[];
}

/** The subscription data that an event's body shows. */
export interface EventContext {
  readonly subscriptionId: string;
  readonly customerId: number;
  readonly card: CardOnFile['card'];
  readonly trialDays: number;
  readonly state: SubscriptionState;
  /** The charge that the event is about. */
  readonly cycleId: string | null;
  readonly transactionId: string | null;
  readonly decline: ChargeDecline | null;
}

/**
 * Saves a transition: the subscription's row, its cycles, the payment of a new charge, its events and its coupon. All
 * writes are part of the caller's transaction, which has locked the subscription.
 */
export class SubscriptionTransitionWriter {
  private readonly charges: SubscriptionChargeWriter;

  constructor(private readonly deps: TransitionWriterDeps) {
    this.charges = new SubscriptionChargeWriter(deps);
  }

  async save(
    tx: Tx,
    before: SubscriptionRecord,
    transition: Transition,
    now: Date,
    context: TransitionContext = {},
  ): Promise<SavedTransition> {
    const cycleIds = assignCycleIds(before, transition);
    const unsaved: UnsavedTransition = { before, transition, context, cycleIds, now };
    await this.saveCycles(tx, unsaved);
    const payment = await this.charges.save(tx, unsaved);
    if (transition.releasesCoupon && before.row.couponId !== null) {
      await this.deps.coupons.releaseRedemption(tx, before.row.couponId);
    }
    const change = columnsOf(unsaved);
    await this.deps.subscriptions.change(tx, before.row, change, [
      ...postedCredit(unsaved),
      ...movedRevenue(unsaved),
    ]);
    const deliveries = await this.publish(tx, { ...before.row, ...change }, unsaved);
    const { checkoutSessionId, uuid: subscriptionId } = before.row;
    if (checkoutSessionId !== null && neverPaid(before.state, transition.state)) {
      await this.deps.checkoutSessions.release(tx, checkoutSessionId, { subscriptionId }, now);
    }
    return { payment, deliveries };
  }

  private async saveCycles(tx: Tx, unsaved: UnsavedTransition): Promise<void> {
    const { before, transition } = unsaved;
    const { openCycle, openCharge } = transition.state;
    for (const closed of transition.closed) await this.saveCycle(tx, unsaved, closed);
    if (openCycle !== null && openCycle !== before.state.openCycle) {
      await this.saveCycle(tx, unsaved, { status: 'open', cycle: openCycle, change: null });
    }
    if (openCharge?.kind === 'plan_change' && before.state.openCharge === null) {
      await this.saveCycle(tx, unsaved, { ...openCharge, status: 'open' });
    }
  }

  private async saveCycle(
    tx: Tx,
    unsaved: UnsavedTransition,
    { status, cycle, change }: Omit<ClosedCycle, 'status'> & { readonly status: CycleStatus },
  ): Promise<void> {
    const { before, transition, cycleIds, now } = unsaved;
    const isPaid = status === 'paid' || status === 'waived';
    const saved = {
      id: cycleIdOf(cycleIds, cycle),
      status,
      cycle,
      change: change && {
        newPlanId: planKeys(unsaved)(change.to.planId),
        changeType: change.changeType,
      },
      paidAt: isPaid ? transition.state.lastTransitionAt : null,
    };
    await this.deps.cycles.save(tx, before.row, saved, now);
  }

  private async publish(tx: Tx, row: SubscriptionRow, unsaved: UnsavedTransition): Promise<NewDelivery[]> {
    const { now } = unsaved;
    const { state, events } = unsaved.transition;
    const { uuid, companyId, customerId, card, trialDays, eventSequence } = row;
    const deliveries: NewDelivery[] = [];
    for (const [index, event] of events.entries()) {
      const sequence = eventSequence - events.length + index + 1;
      const subscription = { subscriptionId: uuid, customerId, card, trialDays, state };
      const charge = chargeOf(unsaved, event);
      const content = this.deps.presentEvent({ ...subscription, ...charge }, event);
      const published = await this.deps.events.publish(tx, {
        companyId,
        subject: { type: 'subscription', id: uuid },
        sequence,
        type: event.type,
        content,
        // It names the customer by id only.
        personal: null,
        createdAt: now,
      });
      deliveries.push(...published);
    }
    return deliveries;
  }
}

/** The charge that an event is about. */
function chargeOf(
  { cycleIds, context: { charge } }: UnsavedTransition,
  event: SubscriptionEvent,
): Pick<EventContext, 'cycleId' | 'transactionId' | 'decline'> {
  const cycleId = 'cycle' in event ? cycleIdOf(cycleIds, event.cycle) : null;
  const none = { cycleId, transactionId: null, decline: null };
  if (charge === undefined) return none;
  const { transactionId } = charge;
  switch (event.type) {
    case 'subscription.payment.success':
      // Nothing was charged for this cycle if the transition settles the payment of another one.
      return event.cycle.chargeCents > 0 ? { ...none, transactionId } : none;
    case 'subscription.payment.failed':
      return charge.paid ? none : { cycleId, transactionId, decline: charge.decline };
    default:
      return none;
  }
}

/** The ledger's entry of what a transition changes of the subscription's credit. */
function postedCredit({ before: { row }, transition: { state } }: UnsavedTransition): JointChange[] {
  const { uuid: subscriptionId, companyId, postedCreditCents: beforeCents } = row;
  const { creditBalanceCents: afterCents, lastTransitionAt: at, plan } = state;
  const changeId = newJournalEntryId(at);
  const { currency } = plan;
  const entry = creditEntry({ subscriptionId, changeId, beforeCents, afterCents, currency, at });
  return entry === null ? [] : postedEntries([{ ...entry, companyId, transactionId: null }]);
}

/** The movement of what the transition changes of the subscription's recurring revenue. */
function movedRevenue({
  before: { row },
  transition: { state },
  now: movedAt,
}: UnsavedTransition): JointChange[] {
  const { id: subscriptionId, companyId, monthlyRevenueCents: cents, hadRevenue } = row;
  const movement = revenueMovement({ cents, hadRevenue }, monthlyRevenueCents(state));
  const { currency } = state.plan;
  return movement === null
    ? []
    : [insertedMovement({ ...movement, companyId, subscriptionId, currency, movedAt })];
}

/** The columns of the subscription's row that the transition changes. */
function columnsOf(unsaved: UnsavedTransition) {
  const { before, transition, context, now } = unsaved;
  const { row } = before;
  const { state } = transition;
  const { card, charge } = context;
  const revenueCents = monthlyRevenueCents(state);
  return {
    ...toColumns(state, planKeys(unsaved)),
    postedCreditCents: state.creditBalanceCents,
    monthlyRevenueCents: revenueCents,
    hadRevenue: row.hadRevenue || revenueCents > 0,
    dueAt: nextDue(state)?.at ?? null,
    holdCheckedAt: holdCheckedAt(unsaved),
    eventSequence: row.eventSequence + transition.events.length,
    updatedAt: now,
    ...(charge?.paid === true && {
      cardApproved: true,
      networkIds: row.networkIds ?? charge.networkIds,
    }),
    ...(card && {
      card: card.card,
      cardFingerprint: card.fingerprint,
      vaultCardId: card.vaultCardId,
      billingAddress: card.billingAddress,
      payer: knownPayer(row.payer, card.payer),
      cardApproved: card.verification !== undefined,
      networkIds: card.verification?.networkIds ?? null,
    }),
  };
}

/** Each try of a charge on hold renews its hold. */
function holdCheckedAt({ before, transition: { state }, now }: UnsavedTransition): Date | null {
  const [earlier, hold] = [before.state.openCycle?.hold ?? null, state.openCycle?.hold ?? null];
  if (hold === null) return null;
  const isSame = hold.nextProbeAt === earlier?.nextProbeAt && hold.reason === earlier?.reason;
  return isSame ? before.row.holdCheckedAt : now;
}
