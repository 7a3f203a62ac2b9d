import type { BillingSchedule, Interval, Period } from './billing-calendar';
import type { CardDecline } from './charge-guard';
import type { Discount } from './coupon';
import { escapeMarkdown } from '../shared/markdown';
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

/** The plan terms that determine a subscription's charges. */
export interface PlanTerms extends Price {
  readonly planId: string;
  readonly currency: string;
}

export interface SubscriptionCard {
  /** Identifies the card when its declines are counted. */
  readonly fingerprint: string;
  readonly brand: string;
  readonly last4Digits: string;
  readonly expireMonth: number;
  readonly expireYear: number;
}

/** The coupon redeemed by this subscription. */
export interface RedeemedCoupon {
  readonly discount: Discount;
  /** Paid cycles that it discounted. */
  readonly cyclesUsed: number;
}

/**
 * `regular`: a period of the billing schedule. The others are charges of plan changes: for the rest of a period, or for the
 * first period of another interval.
 */
export const CYCLE_KINDS = ['regular', 'proration', 'interval_change'] as const;
export type CycleKind = (typeof CYCLE_KINDS)[number];

/** What a cycle costs, in cents. The amount less the discount is paid with credit and by a charge, or waived. */
export interface CyclePrice {
  readonly amountCents: number;
  readonly discountCents: number;
  /** The part that the credit balance pays. */
  readonly creditCents: number;
  /** The amount to charge: 0 or at least the minimum charge. */
  readonly chargeCents: number;
}

/**
 * Why a charge is on hold. `gateway_unavailable`: every gateway was unreachable, too busy or failed. `outcome_unknown`: a
 * gateway received the charge and has not reported the outcome, so nothing can be charged. `not_attempted`: no gateway
 * could be asked.
 */
export const HOLD_REASONS = ['gateway_unavailable', 'outcome_unknown', 'not_attempted'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/** The outage hold of an unpaid cycle: no issuer has answered since its charge began. */
export interface ChargeHold {
  /** When the first charge began that was not answered. */
  readonly since: Date;
  readonly reason: HoldReason;
  /** Of `not_attempted`: what keeps each gateway of the company from being asked, for example `gateway_1 needs payer.phone`. */
  readonly detail: string | null;
  /** When it is charged again; null while a charge is open. */
  readonly nextProbeAt: Date | null;
  /** Whether `subscription.payment.delayed` was published. */
  readonly delayNotified: boolean;
}

/** An unpaid cycle. A subscription has at most one of kind `regular`. */
export interface OpenCycle extends CyclePrice {
  readonly kind: CycleKind;
  /** Number among the regular cycles, from 1. The cycle of a plan change has the number of the regular one before it. */
  readonly number: number;
  readonly period: Period;
  readonly dueAt: Date;
  /** When its charge was first declined; null before that. */
  readonly firstFailedAt: Date | null;
  /** Declined charges after the first one. */
  readonly retryCount: number;
  /** When it is charged again automatically; null if it is not. */
  readonly nextRetryAt: Date | null;
  /** The declined card must never be charged again. */
  readonly irreversible: boolean;
  /** Set while the cycle waits because no issuer answered its charge; such a charge is not declined. */
  readonly hold: ChargeHold | null;
}

/** A charge without a certain result. The subscription makes no other transition before it is settled. */
export type OpenCharge = { readonly kind: 'cycle' } | ({ readonly kind: 'plan_change' } & ChargedPlanChange);

export interface PlanChange {
  readonly to: PlanTerms;
  readonly changeType: 'upgrade' | 'downgrade';
}

/** A plan change that takes effect once its cycle is paid. */
export interface ChargedPlanChange {
  readonly change: PlanChange;
  readonly cycle: OpenCycle;
}

/** The state of a subscription. Amounts are in cents, instants are on the subscription's clock. */
export interface SubscriptionState {
  readonly status: SubscriptionStatus;
  readonly createdAt: Date;
  readonly plan: PlanTerms;
  /** The requested day of the month for charges; null if none was requested. */
  readonly billingDay: number | null;
  readonly schedule: BillingSchedule;
  /** Number of the current period in the schedule; 0 before the first. */
  readonly periodNumber: number;
  /** The current period, which may be the trial; null before the first. */
  readonly period: Period | null;
  /**
   * The value of the whole current period once its cycle is paid: the discounted price of its plan, without any part that
   * was waived; 0 for a trial.
   */
  readonly periodValueCents: number;
  /** Whether `periodValueCents` includes the coupon's discount. */
  readonly periodDiscounted: boolean;
  /** Value left over by plan changes, which pays for later cycles. */
  readonly creditBalanceCents: number;
  readonly trial: Period | null;
  readonly card: SubscriptionCard;
  readonly coupon: RedeemedCoupon | null;
  readonly cyclesOpened: number;
  readonly cyclesPaid: number;
  readonly openCycle: OpenCycle | null;
  readonly openCharge: OpenCharge | null;
  /** A plan change scheduled for the end of the period. A cancellation at that end suspends it. */
  readonly plannedChange: PlanChange | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly pausedAt: Date | null;
  readonly pausedUntil: Date | null;
  readonly pastDueSince: Date | null;
  readonly canceledAt: Date | null;
  readonly cancelReason: CancelReason | null;
  readonly trialEndingNotified: boolean;
  readonly cardExpiringNotified: boolean;
  /** Time of the last transition, which no later one precedes. While a charge is open, no earlier than its beginning. */
  readonly lastTransitionAt: Date;
}

export type CancelReason = 'requested' | 'period_end' | 'payment_failed' | 'past_due';

/** An event to publish. See docs/decisions/webhooks.md. */
export type SubscriptionEvent =
  | {
      readonly type:
        | 'subscription.created'
        | 'subscription.trial_started'
        | 'subscription.trial_ending'
        | 'subscription.activated'
        | 'subscription.card_expiring'
        | 'subscription.card_changed'
        | 'subscription.resumed'
        | 'subscription.uncanceled';
    }
  | { readonly type: 'subscription.paused'; readonly pausedUntil: Date | null }
  | { readonly type: 'subscription.cancel_scheduled'; readonly cancelAt: Date }
  | { readonly type: 'subscription.canceled'; readonly atPeriodEnd: boolean }
  | {
      readonly type: 'subscription.plan_changed';
      readonly newPlanId: string;
      readonly changeType: PlanChange['changeType'];
      readonly immediately: boolean;
      readonly executed: boolean;
    }
  | {
      readonly type: 'subscription.plan_change_withdrawn';
      readonly newPlanId: string;
      readonly changeType: PlanChange['changeType'];
    }
  | { readonly type: 'subscription.payment.success'; readonly cycle: OpenCycle }
  | { readonly type: 'subscription.payment.failed'; readonly cycle: OpenCycle; readonly final: boolean }
  | { readonly type: 'subscription.payment.retry'; readonly cycle: OpenCycle }
  | { readonly type: 'subscription.payment.delayed'; readonly cycle: OpenCycle; readonly hold: ChargeHold }
  | {
      readonly type: 'subscription.past_due';
      readonly cycle: OpenCycle;
      readonly reason: 'hard_decline' | 'retries_exhausted';
    };

export const CYCLE_STATUSES = ['open', 'paid', 'failed', 'waived'] as const;
export type CycleStatus = (typeof CYCLE_STATUSES)[number];

export interface ClosedCycle {
  readonly status: Exclude<CycleStatus, 'open'>;
  readonly cycle: OpenCycle;
  /** The plan change that the cycle was for; null for a regular cycle. */
  readonly change: PlanChange | null;
}

/** The result of applying a command, a due event or a charge result to a subscription. */
export interface Transition {
  readonly state: SubscriptionState;
  /** In the order in which they are published. */
  readonly events: readonly SubscriptionEvent[];
  readonly closed: readonly ClosedCycle[];
  /** The coupon's redemption becomes available again. */
  readonly releasesCoupon: boolean;
}

/** Facts about the company and the card that decide whether and when a card is charged. */
export interface CardHistory {
  /** Days after the first failure on which the company retries charges. */
  readonly dunningDays: readonly number[];
  /** The declines of the card that is charged, including the charge being settled. */
  readonly declines: readonly CardDecline[];
}

/** Of a card that was never declined. */
export const NO_HISTORY: CardHistory = { dunningDays: [], declines: [] };

/** A transition that closes no cycle and releases no coupon. */
export function transition(state: SubscriptionState, events: readonly SubscriptionEvent[] = []): Transition {
  return { state, events, closed: [], releasesCoupon: false };
}

/** Applies `next` to the state after `first` and combines both transitions. */
export function chain(first: Transition, next: (state: SubscriptionState) => Transition): Transition {
  const second = next(first.state);
  return {
    state: second.state,
    events: [...first.events, ...second.events],
    closed: [...first.closed, ...second.closed],
    releasesCoupon: first.releasesCoupon || second.releasesCoupon,
  };
}

/** The plan in one line, shown in the Temporal UI's list of workflows. */
export function subscriptionSummary(plan: {
  readonly planName: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly interval: Interval;
  readonly intervalCount: number;
}): string {
  const { planName, amountCents, currency, interval, intervalCount } = plan;
  const frequency = intervalCount === 1 ? interval : `${interval}, every ${intervalCount}`;
  return `${escapeMarkdown(planName)}, ${formatMoney(amountCents, currency)} ${frequency}`;
}
