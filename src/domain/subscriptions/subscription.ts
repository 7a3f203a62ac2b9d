import type { BillingSchedule, Interval, Period } from './billing-calendar';
import type { Discount } from './coupon';
import { formatMoney } from '../shared/money';
import type { Price } from './proration';

export const SUBSCRIPTION_STATUSES = [
  'pending',
  'trialing',
  'active',
  'past_due',
  'paused',
  'canceled',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** What of a plan a subscription lives by. */
export interface PlanTerms extends Price {
  readonly planId: string;
  readonly currency: string;
}

export interface SubscriptionCard {
  /** What the network's caps count by. */
  readonly fingerprint: string;
  readonly brand: string;
  readonly last4Digits: string;
  readonly expireMonth: number;
  readonly expireYear: number;
}

/** A coupon that was redeemed by this subscription. */
export interface RedeemedCoupon {
  readonly discount: Discount;
  /** Paid cycles it was taken off. */
  readonly cyclesUsed: number;
}

/** The cycle that is not paid yet; there is one at most. */
export interface OpenCycle {
  readonly number: number;
  readonly period: Period;
  readonly dueAt: Date;
  readonly amountCents: number;
  readonly discountCents: number;
  /** What is charged: at least a real. */
  readonly chargeCents: number;
  /** When its charge was refused for the first time; null before that. */
  readonly firstFailedAt: Date | null;
  /** Charges tried after the first. */
  readonly retryCount: number;
  /** When it is charged again by itself; null when it is not. */
  readonly nextRetryAt: Date | null;
  /** The card it was refused for must never be tried again. */
  readonly irreversible: boolean;
}

/** A charge that has no certain result yet: nothing else happens to the subscription before it has. */
export type OpenCharge =
  | { readonly kind: 'cycle' }
  | { readonly kind: 'plan_change'; readonly chargeCents: number; readonly change: PlanChange };

export interface PlanChange {
  readonly to: PlanTerms;
  readonly changeType: 'upgrade' | 'downgrade';
}

/** A subscription as its life goes on; amounts in cents, instants in its own time. */
export interface SubscriptionState {
  readonly status: SubscriptionStatus;
  readonly createdAt: Date;
  readonly plan: PlanTerms;
  /** The day of the month it was asked to be charged on; null where nobody asked. */
  readonly billingDay: number | null;
  readonly schedule: BillingSchedule;
  /** The number of the current period in the schedule; 0 before its first. */
  readonly periodNumber: number;
  /** The period that runs, the trial included; null before the first. */
  readonly period: Period | null;
  /**
   * What the period that runs is paid for, its discount taken off; 0 while it is not paid. After an upgrade it is the
   * dearer plan's price, as if that had run from the period's start.
   */
  readonly paidCents: number;
  /** Whether the coupon was taken off what the period that runs was paid for. */
  readonly periodDiscounted: boolean;
  readonly trial: Period | null;
  readonly card: SubscriptionCard;
  readonly coupon: RedeemedCoupon | null;
  readonly cyclesOpened: number;
  readonly cyclesPaid: number;
  readonly openCycle: OpenCycle | null;
  readonly openCharge: OpenCharge | null;
  /** A change of plan that waits for the period's end. */
  readonly plannedChange: PlanChange | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly pausedAt: Date | null;
  readonly pausedUntil: Date | null;
  readonly pastDueSince: Date | null;
  readonly canceledAt: Date | null;
  readonly cancelReason: CancelReason | null;
  readonly trialEndingNotified: boolean;
  readonly cardExpiringNotified: boolean;
  /** When something last happened to it: nothing happens before that. */
  readonly lastTransitionAt: Date;
}

export type CancelReason = 'requested' | 'period_end' | 'payment_failed' | 'past_due';

/** What is told of it (interface, section 6); cycles by their numbers. */
export type SubscriptionEvent =
  | {
      readonly event:
        | 'subscription.created'
        | 'subscription.trial_started'
        | 'subscription.trial_ending'
        | 'subscription.activated'
        | 'subscription.card_expiring'
        | 'subscription.resumed';
    }
  | { readonly event: 'subscription.paused'; readonly pausedUntil: Date | null }
  | { readonly event: 'subscription.canceled'; readonly atPeriodEnd: boolean }
  | {
      readonly event: 'subscription.plan_changed';
      readonly newPlanId: string;
      readonly changeType: PlanChange['changeType'];
      readonly immediately: boolean;
      readonly executed: boolean;
    }
  | {
      readonly event: 'subscription.payment.success';
      readonly cycle: number;
      readonly chargedCents: number;
    }
  | ({ readonly event: 'subscription.payment.failed'; readonly final: boolean } & CycleRetry)
  | ({ readonly event: 'subscription.payment.retry' } & CycleRetry)
  | {
      readonly event: 'subscription.past_due';
      readonly cycle: number;
      readonly retryCount: number;
      readonly reason: 'hard_decline' | 'retries_exhausted';
    };

interface CycleRetry {
  readonly cycle: number;
  readonly retryCount: number;
  readonly nextRetryAt: Date | null;
}

export const CYCLE_STATUSES = ['open', 'paid', 'failed', 'waived'] as const;
export type CycleStatus = (typeof CYCLE_STATUSES)[number];

/** How a cycle ended. */
export interface ClosedCycle {
  readonly status: Exclude<CycleStatus, 'open'>;
  /** Its period is another than it began with when it was paid after that. */
  readonly cycle: OpenCycle;
}

/** What became of a subscription by one thing that happened. */
export interface Transition {
  readonly state: SubscriptionState;
  /** In this order. */
  readonly events: readonly SubscriptionEvent[];
  readonly closed: readonly ClosedCycle[];
  /** Its coupon may be redeemed by somebody else again. */
  readonly givesCouponBack: boolean;
}

/** What there is to know about charging its card besides the subscription itself. */
export interface CardHistory {
  /** The days after a first failure on which the company has charges tried again. */
  readonly dunningDays: readonly number[];
  /** When subscription charges of this card and amount were refused until now, the one that is settled included. */
  readonly refusedAt: readonly Date[];
}

/** Nothing else came of it than this. */
export function transition(state: SubscriptionState, news: readonly SubscriptionEvent[] = []): Transition {
  return { state, events: news, closed: [], givesCouponBack: false };
}

/** One thing after another. */
export function chain(first: Transition, next: (state: SubscriptionState) => Transition): Transition {
  const second = next(first.state);
  return {
    state: second.state,
    events: [...first.events, ...second.events],
    closed: [...first.closed, ...second.closed],
    givesCouponBack: first.givesCouponBack || second.givesCouponBack,
  };
}

/** A subscription's plan in one line, for people who read lists of workflows. */
export function subscriptionSummary(plan: {
  readonly planName: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly interval: Interval;
  readonly intervalCount: number;
}): string {
  const { planName, amountCents, currency, interval, intervalCount } = plan;
  const often = intervalCount === 1 ? interval : `${interval}, every ${intervalCount}`;
  return `${planName}, ${formatMoney(amountCents, currency)} ${often}`;
}
