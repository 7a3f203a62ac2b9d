import { effectiveBillingDay, type Period } from '../domain/subscriptions/billing-calendar';
import type { Coupon } from '../domain/subscriptions/coupon';
import type { StoredCustomer } from '../domain/customers/customer';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { CardSnapshot } from '../domain/shared/payment-snapshot';
import type { Plan } from '../domain/subscriptions/plan';
import type { CommandKind } from '../domain/subscriptions/stored-command';
import type {
  ChargeHold,
  CycleKind,
  CycleStatus,
  SubscriptionState,
} from '../domain/subscriptions/subscription';
import { isUnresolved } from '../domain/subscriptions/charge-hold';
import { discountOf } from '../domain/subscriptions/cycle-price';
import { cancellationAt, nextBillingAt } from '../domain/subscriptions/subscription-due';
import type { UpcomingCycle } from '../domain/subscriptions/upcoming-charges';
import type { PublishedEvent } from '../domain/webhooks/webhook-event';
import type { components } from '../http/generated/openapi';
import { presentCard } from './card';
import { presentPaymentCustomer } from './payment';
import { presentPlan } from './plan';

type Schemas = components['schemas'];
export type SubscriptionBody = Schemas['Subscription'];

/** A stored subscription; amounts in cents. */
export interface PresentableSubscription {
  readonly state: SubscriptionState;
  readonly plan: Plan;
  readonly newPlan: Plan | null;
  readonly customer: StoredCustomer;
  readonly coupon: Coupon | null;
  readonly openCycle: { readonly id: string } | null;
  /** Unanswered commands, oldest first. */
  readonly commands: readonly { readonly kind: CommandKind }[];
  readonly row: {
    readonly uuid: string;
    readonly card: CardSnapshot;
    readonly trialDays: number;
    readonly gatewayFirstTry: GatewaySlug | null;
    readonly metadata: Record<string, unknown>[] | null;
    readonly dueAt: Date | null;
    readonly clockNow: Date | null;
    readonly clockTarget: Date | null;
    readonly updatedAt: Date;
  };
}

export function presentSubscription(subscription: PresentableSubscription): SubscriptionBody {
  const { row, state, plan, customer } = subscription;
  const { period, cancelAtPeriodEnd, status } = state;
  // A planned cancellation suspends the planned change.
  const newPlan = cancelAtPeriodEnd ? null : subscription.newPlan;
  return {
    id: row.uuid,
    status,
    plan: presentPlan(plan),
    customer: presentPaymentCustomer(customer),
    card: presentSubscriptionCard(row.card),
    coupon: presentCoupon(subscription),
    ...presentPrice(state),
    billing_day: effectiveBillingDay(state.schedule),
    trial: presentTrial(state.trial, row.trialDays),
    current_period: period && presentPeriod(period),
    next_billing_at: iso(nextBillingAt(state)),
    dunning: presentDunning(subscription),
    charge_on_hold: state.openCycle?.hold ? presentChargeHold(state.openCycle.hold) : null,
    paused_at: iso(state.pausedAt),
    paused_until: iso(state.pausedUntil),
    canceled_at: iso(state.canceledAt),
    cancel_at: iso(cancellationAt(state)),
    cancel_at_period_end: cancelAtPeriodEnd,
    cancel_reason: state.cancelReason,
    plan_change_at: newPlan && iso(period?.end ?? null),
    new_plan_id: newPlan?.uuid ?? null,
    pending_action: subscription.commands[0]?.kind ?? null,
    credit_balance: state.creditBalanceCents,
    gateway_first_try: row.gatewayFirstTry,
    metadata: row.metadata,
    clock: presentClock(subscription),
    created_at: state.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** A subscription as shown to users of the dashboard. */
export function presentSubscriptionDetail(detail: {
  readonly subscription: PresentableSubscription;
  readonly cycles: readonly PresentableCycle[];
  readonly events: readonly {
    readonly id: number;
    readonly sequence: number;
    readonly type: PublishedEvent;
    readonly createdAt: Date;
  }[];
  readonly charges: readonly PresentableCycleCharge[];
  readonly workflow: Schemas['WorkflowLink'];
}): Schemas['UserSubscriptionResponse']['data'] {
  return {
    subscription: presentSubscription(detail.subscription),
    cycles: detail.cycles.map(presentCycle),
    charges: detail.charges.map(presentCycleCharge),
    events: detail.events.map(({ id, sequence, type, createdAt }) => ({
      id,
      sequence,
      type,
      created_at: createdAt.toISOString(),
    })),
    workflow: detail.workflow,
  };
}

/** A charge of a cycle. */
interface PresentableCycleCharge {
  readonly cycleId: string;
  readonly transactionId: string;
  readonly billedAt: Date;
  readonly status: Schemas['PaymentStatus'];
  readonly code: Schemas['CycleCharge']['code'];
  readonly responseCode: string | null;
  readonly responseMessage: string | null;
}

function presentCycleCharge(charge: PresentableCycleCharge): Schemas['CycleCharge'] {
  return {
    cycle_id: charge.cycleId,
    transaction_id: charge.transactionId,
    charged_at: charge.billedAt.toISOString(),
    status: charge.status,
    code: charge.code,
    response_code: charge.responseCode,
    response_message: charge.responseMessage,
  };
}

/** The current price of a full period, and the interval. */
export function presentPrice(state: SubscriptionState) {
  const { amountCents, currency, interval, intervalCount } = state.plan;
  const discountCents = discountOf(state.coupon, amountCents);
  return {
    amount: amountCents - discountCents,
    original_amount: amountCents,
    discount_amount: discountCents,
    currency,
    interval,
    interval_count: intervalCount,
  };
}

export function presentSubscriptionCard(card: CardSnapshot): Schemas['SubscriptionCard'] {
  const { brand, last_4_digits, expire_month, expire_year } = presentCard(card);
  return { brand, last_4_digits, expire_month, expire_year };
}

export function presentTrial(trial: Period | null, days: number): SubscriptionBody['trial'] {
  return trial && { period_days: days, ...presentPeriod(trial) };
}

export function presentPeriod({ start, end }: Period): Schemas['Period'] {
  return { start: start.toISOString(), end: end.toISOString() };
}

function presentCoupon({ coupon, state }: PresentableSubscription): SubscriptionBody['coupon'] {
  if (coupon === null || state.coupon === null) return null;
  const { uuid, code, name, discountType, discountValue, maxCycles } = coupon;
  return {
    id: uuid,
    code,
    name,
    discount_type: discountType,
    discount_value: discountValue,
    max_cycles: maxCycles,
    cycles_used: state.coupon.cyclesUsed,
  };
}

function presentDunning({ openCycle, state }: PresentableSubscription): SubscriptionBody['dunning'] {
  const firstFailedAt = state.openCycle?.firstFailedAt ?? null;
  if (openCycle === null || state.openCycle === null || firstFailedAt === null) return null;
  return {
    cycle_id: openCycle.id,
    retry_count: state.openCycle.retryCount,
    next_retry_at: iso(state.openCycle.nextRetryAt),
    first_failed_at: firstFailedAt.toISOString(),
  };
}

export function presentChargeHold({ since, reason, detail }: ChargeHold): Schemas['SubscriptionChargeHold'] {
  return { since: since.toISOString(), reason, detail };
}

/** The clock has reached its target once everything due before it is settled, except a charge whose gateway gives no result. */
function presentClock({ row, state, commands }: PresentableSubscription): SubscriptionBody['clock'] {
  const { clockNow: now, clockTarget: target, dueAt } = row;
  if (now === null || target === null) return null;
  const isCharging = state.openCharge !== null && !isUnresolved(state);
  const isSettled = !isCharging && commands.length === 0 && (dueAt === null || dueAt > now);
  return { now: now.toISOString(), target: target.toISOString(), reached: now >= target && isSettled };
}

/** A stored cycle with the transaction ids of its payments. */
export interface PresentableCycle {
  readonly id: string;
  readonly kind: CycleKind;
  readonly number: number;
  readonly status: CycleStatus;
  readonly amountCents: number;
  readonly discountCents: number;
  readonly creditCents: number;
  readonly chargeCents: number;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  readonly dueAt: Date;
  readonly paidAt: Date | null;
  readonly retryCount: number;
  readonly nextRetryAt: Date | null;
  readonly payments: readonly string[];
}

export function presentCycle(cycle: PresentableCycle): Schemas['Cycle'] {
  return {
    id: cycle.id,
    kind: cycle.kind,
    status: cycle.status,
    ...presentCharge({ ...cycle, period: { start: cycle.periodStart, end: cycle.periodEnd } }),
    paid_at: iso(cycle.paidAt),
    retry_count: cycle.retryCount,
    next_retry_at: iso(cycle.nextRetryAt),
    payments: [...cycle.payments],
  };
}

export function presentUpcoming(charges: readonly UpcomingCycle[]): Schemas['UpcomingCharges'] {
  return { data: charges.map(presentCharge) };
}

function presentCharge(charge: UpcomingCycle): Schemas['UpcomingCharge'] {
  return {
    number: charge.number,
    due_at: charge.dueAt.toISOString(),
    amount: charge.amountCents,
    discount_amount: charge.discountCents,
    credit_applied: charge.creditCents,
    amount_charged: charge.chargeCents,
    period: presentPeriod(charge.period),
  };
}

function iso(instant: Date | null): string | null {
  return instant && instant.toISOString();
}
