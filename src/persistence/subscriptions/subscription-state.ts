import type { Coupon } from '../../domain/subscriptions/coupon';
import type { Plan } from '../../domain/subscriptions/plan';
import type { Period } from '../../domain/subscriptions/billing-calendar';
import type {
  ChargeHold,
  OpenCycle,
  OpenCharge,
  PlanTerms,
  RedeemedCoupon,
  SubscriptionCard,
  SubscriptionState,
} from '../../domain/subscriptions/subscription';
import type { CardOnFile } from '../../domain/subscriptions/stored-command';
import type { BillingCycleRow } from './billing-cycle-repository';
import type { SubscriptionRow } from './subscription-personal-data';

export type { SubscriptionRow };

/** A plan change whose charge has no certain result: its cycle and the new plan. */
export interface OpenPlanChange {
  readonly cycle: BillingCycleRow;
  readonly to: Plan;
}

/** Rows of other tables that belong to a subscription's state. */
export interface RelatedRows {
  readonly plan: Plan;
  readonly newPlan: Plan | null;
  readonly coupon: Coupon | null;
  readonly openCycle: BillingCycleRow | null;
  readonly openChange: OpenPlanChange | null;
}

/** The domain state of a stored subscription. */
export function toState(row: SubscriptionRow, related: RelatedRows): SubscriptionState {
  const { startsAt, interval, intervalCount, scheduleBillingDay, timezone } = row;
  return {
    status: row.status,
    createdAt: row.createdAt,
    plan: termsOf(related.plan),
    billingDay: row.billingDay,
    schedule: { startsAt, interval, intervalCount, billingDay: scheduleBillingDay, timezone },
    periodNumber: row.periodNumber,
    period: toPeriod(row.periodStart, row.periodEnd),
    periodValueCents: row.periodValueCents,
    periodDiscounted: row.periodDiscounted,
    creditBalanceCents: row.creditBalanceCents,
    trial: toPeriod(row.trialStart, row.trialEnd),
    card: cardOf({ card: row.card, fingerprint: row.cardFingerprint }),
    coupon: couponOf(related.coupon, row.couponCyclesUsed),
    cyclesOpened: row.cyclesOpened,
    cyclesPaid: row.cyclesPaid,
    openCycle: related.openCycle && toOpenCycle(related.openCycle),
    openCharge: openChargeOf(row, related),
    plannedChange:
      related.newPlan && row.planChangeType
        ? { to: termsOf(related.newPlan), changeType: row.planChangeType }
        : null,
    cancelAtPeriodEnd: row.cancelAtPeriodEnd,
    pausedAt: row.pausedAt,
    pausedUntil: row.pausedUntil,
    pastDueSince: row.pastDueSince,
    canceledAt: row.canceledAt,
    cancelReason: row.cancelReason,
    trialEndingNotified: row.trialEndingNotified,
    cardExpiringNotified: row.cardExpiringNotified,
    lastTransitionAt: row.lastTransitionAt,
  };
}

/** The columns of `subscriptions` for a state. `planKey` maps a plan's API id to its primary key. */
export function toColumns(state: SubscriptionState, planKey: (planId: string) => number) {
  const { schedule, period, trial, plannedChange } = state;
  return {
    status: state.status,
    planId: planKey(state.plan.planId),
    planAmountCents: state.plan.amountCents,
    planCurrency: state.plan.currency,
    planInterval: state.plan.interval,
    planIntervalCount: state.plan.intervalCount,
    timezone: schedule.timezone,
    startsAt: schedule.startsAt,
    interval: schedule.interval,
    intervalCount: schedule.intervalCount,
    scheduleBillingDay: schedule.billingDay,
    billingDay: state.billingDay,
    periodNumber: state.periodNumber,
    periodStart: period?.start ?? null,
    periodEnd: period?.end ?? null,
    periodValueCents: state.periodValueCents,
    periodDiscounted: state.periodDiscounted,
    creditBalanceCents: state.creditBalanceCents,
    trialStart: trial?.start ?? null,
    trialEnd: trial?.end ?? null,
    couponCyclesUsed: state.coupon?.cyclesUsed ?? 0,
    cyclesOpened: state.cyclesOpened,
    cyclesPaid: state.cyclesPaid,
    openCharge: state.openCharge?.kind ?? null,
    newPlanId: plannedChange && planKey(plannedChange.to.planId),
    planChangeType: plannedChange?.changeType ?? null,
    cancelAtPeriodEnd: state.cancelAtPeriodEnd,
    pausedAt: state.pausedAt,
    pausedUntil: state.pausedUntil,
    pastDueSince: state.pastDueSince,
    canceledAt: state.canceledAt,
    cancelReason: state.cancelReason,
    trialEndingNotified: state.trialEndingNotified,
    cardExpiringNotified: state.cardExpiringNotified,
    lastTransitionAt: state.lastTransitionAt,
  };
}

/** The subscription's plan at the price that was agreed. */
export function agreedPlan(plan: Plan, row: SubscriptionRow): Plan {
  const { planAmountCents: amountCents, planCurrency: currency } = row;
  const { planInterval: interval, planIntervalCount: intervalCount } = row;
  return { ...plan, amountCents, currency, interval, intervalCount };
}

export function termsOf({ uuid, currency, amountCents, interval, intervalCount }: Plan): PlanTerms {
  return { planId: uuid, currency, amountCents, interval, intervalCount };
}

/** The card fields that are part of the domain state. */
export function cardOf({ card, fingerprint }: Pick<CardOnFile, 'card' | 'fingerprint'>): SubscriptionCard {
  const { brand, last4Digits, expireMonth, expireYear } = card;
  return { fingerprint, brand, last4Digits, expireMonth, expireYear };
}

export function couponOf(coupon: Coupon | null, cyclesUsed: number): RedeemedCoupon | null {
  if (coupon === null) return null;
  const { discountType, discountValue, maxCycles } = coupon;
  return { discount: { discountType, discountValue, maxCycles }, cyclesUsed };
}

function openChargeOf({ openCharge }: SubscriptionRow, { openChange }: RelatedRows): OpenCharge | null {
  switch (openCharge) {
    case null:
      return null;
    case 'cycle':
      return { kind: 'cycle' };
    case 'plan_change': {
      const changeType = openChange?.cycle.planChangeType;
      if (!openChange || !changeType) throw new Error('the plan change of the open charge is missing');
      const change = { to: termsOf(openChange.to), changeType };
      return { kind: 'plan_change', change, cycle: toOpenCycle(openChange.cycle) };
    }
  }
}

function toOpenCycle(row: BillingCycleRow): OpenCycle {
  return {
    kind: row.kind,
    number: row.number,
    period: { start: row.periodStart, end: row.periodEnd },
    dueAt: row.dueAt,
    amountCents: row.amountCents,
    discountCents: row.discountCents,
    creditCents: row.creditCents,
    chargeCents: row.chargeCents,
    firstFailedAt: row.firstFailedAt,
    retryCount: row.retryCount,
    nextRetryAt: row.nextRetryAt,
    irreversible: row.irreversible,
    hold: holdOf(row),
  };
}

function holdOf(row: BillingCycleRow): ChargeHold | null {
  const { holdSince: since, holdReason: reason, holdDetail: detail, nextProbeAt, delayNotified } = row;
  return since && reason && { since, reason, detail, nextProbeAt, delayNotified };
}

function toPeriod(start: Date | null, end: Date | null): Period | null {
  return start && end && { start, end };
}
