import {
  addDays,
  firstPeriodFraction,
  periodOf,
  type BillingSchedule,
  type Fraction,
  type Period,
} from './billing-calendar';
import { discountCents, isUsable } from './coupon';
import {
  earliestAllowedAt,
  isIrreversible,
  isRetriedAutomatically,
  MAX_DUNNING_DAYS,
  nextRetryAt,
  type Decline,
} from './dunning';
import { chargeableCents, fractionOf } from './proration';
import {
  chain,
  transition,
  type CardHistory,
  type Transition,
  type OpenCycle,
  type PlanTerms,
  type RedeemedCoupon,
  type SubscriptionEvent,
  type SubscriptionState,
} from './subscription';
import { isRunning } from './subscription-due';

/** Delay before a charge is retried that no gateway received. */
const NOT_ATTEMPTED_RETRY_MS = 6 * 3_600_000;

/** Starts the next period and charges it. A period below the minimum charge counts as paid. */
export function openNextCycle(before: SubscriptionState, at: Date): Transition {
  const cycle = nextCycle(before, at);
  const state: SubscriptionState = {
    ...before,
    period: cycle.period,
    periodNumber: before.periodNumber + 1,
    paidCents: 0,
    periodDiscounted: false,
    cyclesOpened: cycle.number,
    openCycle: cycle,
    openCharge: { kind: 'cycle' },
    lastTransitionAt: at,
  };
  return cycle.chargeCents > 0 ? transition(state) : markCyclePaid({ ...state, openCharge: null }, cycle, at);
}

function nextCycle(state: SubscriptionState, dueAt: Date): OpenCycle {
  const { schedule, periodNumber, cyclesOpened, plan, coupon } = state;
  const amountCents = periodPrice(plan, schedule, periodNumber + 1);
  const discount = discountOf(coupon, amountCents);
  return {
    number: cyclesOpened + 1,
    period: periodOf(schedule, periodNumber + 1),
    dueAt,
    amountCents,
    discountCents: discount,
    chargeCents: chargeableCents(amountCents - discount),
    firstFailedAt: null,
    retryCount: 0,
    nextRetryAt: null,
    irreversible: false,
  };
}

function periodPrice({ amountCents }: PlanTerms, schedule: BillingSchedule, number: number): number {
  const fraction = number === 1 ? firstPeriodFraction(schedule) : null;
  return fraction === null ? amountCents : fractionOf(amountCents, fraction);
}

/** The coupon's discount on an amount, in cents; 0 if no usable coupon is left. */
export function discountOf(coupon: RedeemedCoupon | null, amountCents: number): number {
  return coupon !== null && isUsable(coupon.discount, coupon.cyclesUsed)
    ? discountCents(coupon.discount, amountCents)
    : 0;
}

/** Closes the open cycle as paid or waived. If its period has ended, the payment starts a full new period. */
export function markCyclePaid(before: SubscriptionState, cycle: OpenCycle, at: Date): Transition {
  const isInPeriod = at < cycle.period.end;
  const state = isInPeriod ? before : rescheduled(before, at, null);
  const period = isInPeriod ? cycle.period : periodOf(state.schedule, 1);
  const next: SubscriptionState = {
    ...state,
    status: 'active',
    period,
    periodNumber: Math.max(state.periodNumber, 1),
    // Includes the charge of an upgrade that was made before the cycle was paid.
    paidCents: (isInPeriod ? before.paidCents : 0) + cycle.chargeCents,
    periodDiscounted: cycle.discountCents > 0,
    cyclesPaid: state.cyclesPaid + 1,
    coupon: countCouponUse(state.coupon),
    openCycle: null,
    pastDueSince: null,
    lastTransitionAt: at,
  };
  const events: SubscriptionEvent[] = [
    { type: 'subscription.payment.success', cycle: cycle.number, chargedCents: cycle.chargeCents },
  ];
  if (state.cyclesPaid === 0) events.push({ type: 'subscription.activated' });
  const status = cycle.chargeCents > 0 ? 'paid' : 'waived';
  return { ...transition(next, events), closed: [{ status, cycle: { ...cycle, period } }] };
}

/** Counts one more paid period that the coupon discounted. */
export function countCouponUse(coupon: RedeemedCoupon | null): RedeemedCoupon | null {
  if (coupon === null || !isUsable(coupon.discount, coupon.cyclesUsed)) return coupon;
  return { ...coupon, cyclesUsed: coupon.cyclesUsed + 1 };
}

/** The unpaid cycle at the full price of `plan`: once its period has ended, paying it buys a full new period. */
export function repriced(
  { coupon }: SubscriptionState,
  cycle: OpenCycle,
  { amountCents }: PlanTerms,
): OpenCycle {
  const discount = discountOf(coupon, amountCents);
  return {
    ...cycle,
    amountCents,
    discountCents: discount,
    chargeCents: chargeableCents(amountCents - discount),
  };
}

/**
 * Handles a declined charge of the open cycle: schedules a retry or marks the subscription past due. See
 * docs/decisions/subscriptions.md.
 */
export function markCycleDeclined(
  state: SubscriptionState,
  cycle: OpenCycle,
  decline: Decline,
  at: Date,
  history: CardHistory,
): Transition {
  const firstFailedAt = cycle.firstFailedAt ?? at;
  const failed: OpenCycle = {
    ...cycle,
    firstFailedAt,
    retryCount: cycle.firstFailedAt === null ? 0 : cycle.retryCount + 1,
    nextRetryAt: null,
    irreversible: isIrreversible(decline),
  };
  if (state.status === 'pending' || state.status === 'past_due') {
    return declineWithoutRetry(state, failed, { final: state.status === 'past_due' });
  }
  const retryAt = nextRetryAt({
    firstFailedAt,
    at,
    decline,
    days: history.dunningDays,
    declinedAt: history.declinedAt,
    timezone: state.schedule.timezone,
    brand: state.card.brand,
  });
  return retryAt === null
    ? markPastDue(state, failed, at, isRetriedAutomatically(decline) ? 'retries_exhausted' : 'hard_decline')
    : scheduleRetry(state, { ...failed, nextRetryAt: retryAt });
}

/**
 * No gateway received the charge of the open cycle. Automatic charges are retried soon and do not use up a dunning retry;
 * first charges and charges on request count as declined.
 */
export function markCycleNotAttempted(
  state: SubscriptionState,
  cycle: OpenCycle,
  at: Date,
  history: CardHistory,
): Transition {
  const end = addDays(cycle.firstFailedAt ?? cycle.dueAt, MAX_DUNNING_DAYS, state.schedule.timezone);
  const nextRetryAt = new Date(+at + NOT_ATTEMPTED_RETRY_MS);
  if (!isRunning(state) || nextRetryAt > end) {
    return markCycleDeclined(state, cycle, { declineClass: 'soft', adviceCode: null }, at, history);
  }
  return postponeCharge(state, { ...cycle, nextRetryAt });
}

function declineWithoutRetry(
  state: SubscriptionState,
  cycle: OpenCycle,
  { final }: { readonly final: boolean },
): Transition {
  return transition({ ...state, openCycle: cycle }, [
    { type: 'subscription.payment.failed', final, ...retryFields(cycle) },
  ]);
}

function scheduleRetry(state: SubscriptionState, cycle: OpenCycle): Transition {
  return transition({ ...state, openCycle: cycle }, [
    { type: 'subscription.payment.failed', final: false, ...retryFields(cycle) },
    { type: 'subscription.payment.retry', ...retryFields(cycle) },
  ]);
}

function markPastDue(
  state: SubscriptionState,
  cycle: OpenCycle,
  at: Date,
  reason: 'hard_decline' | 'retries_exhausted',
): Transition {
  const { number, retryCount } = cycle;
  return transition({ ...state, status: 'past_due', pastDueSince: at, openCycle: cycle }, [
    { type: 'subscription.payment.failed', final: true, ...retryFields(cycle) },
    { type: 'subscription.past_due', cycle: number, retryCount, reason },
  ]);
}

function retryFields({ number, retryCount, nextRetryAt: at }: OpenCycle) {
  return { cycle: number, retryCount, nextRetryAt: at };
}

/** Charges the open cycle again. */
export function chargeAgain(state: SubscriptionState, cycle: OpenCycle): Transition {
  return transition({ ...state, openCycle: { ...cycle, nextRetryAt: null }, openCharge: { kind: 'cycle' } });
}

/** Charges the open cycle again, or later if the network's cap was reached by declines of other subscriptions. */
export function retryCycle(
  state: SubscriptionState,
  cycle: OpenCycle,
  at: Date,
  history: CardHistory,
): Transition {
  const allowedAt = earliestAllowedAt(state.card.brand, history.declinedAt, at);
  if (allowedAt <= at) return chargeAgain(state, cycle);
  const end = addDays(cycle.firstFailedAt ?? at, MAX_DUNNING_DAYS, state.schedule.timezone);
  if (allowedAt > end) return markPastDue(state, { ...cycle, nextRetryAt: null }, at, 'retries_exhausted');
  return postponeCharge(state, { ...cycle, nextRetryAt: allowedAt });
}

function postponeCharge(state: SubscriptionState, cycle: OpenCycle): Transition {
  return transition({ ...state, openCycle: cycle }, [
    { type: 'subscription.payment.retry', ...retryFields(cycle) },
  ]);
}

/** Defers the charge of a cycle that was just opened, because the network's cap on declines is reached. */
export function deferCharge(opened: Transition, cycle: OpenCycle, until: Date): Transition {
  return chain(opened, (state) =>
    postponeCharge({ ...state, openCharge: null }, { ...cycle, nextRetryAt: until }),
  );
}

/** Restarts the billing schedule at an instant. */
export function rescheduled(
  state: SubscriptionState,
  startsAt: Date,
  billingDay: BillingSchedule['billingDay'],
): SubscriptionState {
  const { interval, intervalCount } = state.plan;
  const { timezone } = state.schedule;
  return { ...state, schedule: { startsAt, interval, intervalCount, billingDay, timezone }, periodNumber: 0 };
}

/** The remaining part of a period, in ms. */
export function remainingFraction({ start, end }: Period, at: Date): Fraction {
  const denominator = +end - +start;
  return { numerator: Math.min(Math.max(+end - +at, 0), denominator), denominator };
}
