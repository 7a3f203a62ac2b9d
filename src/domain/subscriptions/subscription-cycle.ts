import { addDays, firstPeriodShare, periodOf, type BillingSchedule, type Period } from './billing-calendar';
import { discountCents, isUsable } from './coupon';
import {
  firstAllowedAt,
  isIrreversible,
  isRetriedByItself,
  LONGEST_DUNNING_DAYS,
  nextRetryAt,
  type Refusal,
} from './dunning';
import { chargeableCents, shareOf } from './proration';
import {
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

/** When a charge that no gateway was asked for is tried again. */
const UNATTEMPTED_AGAIN_MS = 6 * 3_600_000;

/** The next period begins, and is charged; what is too little to charge counts as paid. */
export function openCycle(before: SubscriptionState, at: Date): Transition {
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
  return cycle.chargeCents > 0 ? transition(state) : cyclePaid({ ...state, openCharge: null }, cycle, at);
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
  const share = number === 1 ? firstPeriodShare(schedule) : null;
  return share === null ? amountCents : shareOf(amountCents, share);
}

/** What is taken off an amount by a subscription's coupon, in cents; 0 without one that still counts. */
export function discountOf(coupon: RedeemedCoupon | null, amountCents: number): number {
  return coupon !== null && isUsable(coupon.discount, coupon.cyclesUsed)
    ? discountCents(coupon.discount, amountCents)
    : 0;
}

/** The open cycle is paid, or cost nothing. Who pays when its period is over gets a whole one for it, from then on. */
export function cyclePaid(before: SubscriptionState, cycle: OpenCycle, at: Date): Transition {
  const isInPeriod = at < cycle.period.end;
  const state = isInPeriod ? before : rescheduled(before, at, null);
  const period = isInPeriod ? cycle.period : periodOf(state.schedule, 1);
  const next: SubscriptionState = {
    ...state,
    status: 'active',
    period,
    periodNumber: Math.max(state.periodNumber, 1),
    // An upgrade before it was paid has been paid for by itself.
    paidCents: (isInPeriod ? before.paidCents : 0) + cycle.chargeCents,
    periodDiscounted: cycle.discountCents > 0,
    cyclesPaid: state.cyclesPaid + 1,
    coupon: usedOnce(state.coupon),
    openCycle: null,
    pastDueSince: null,
    lastTransitionAt: at,
  };
  const news: SubscriptionEvent[] = [
    { event: 'subscription.payment.success', cycle: cycle.number, chargedCents: cycle.chargeCents },
  ];
  if (state.cyclesPaid === 0) news.push({ event: 'subscription.activated' });
  const status = cycle.chargeCents > 0 ? 'paid' : 'waived';
  return { ...transition(next, news), closed: [{ status, cycle: { ...cycle, period } }] };
}

/** One more paid period that the coupon was taken off. */
export function usedOnce(coupon: RedeemedCoupon | null): RedeemedCoupon | null {
  if (coupon === null || !isUsable(coupon.discount, coupon.cyclesUsed)) return coupon;
  return { ...coupon, cyclesUsed: coupon.cyclesUsed + 1 };
}

/** An unpaid cycle whose period is over buys a whole one from when it is paid: after a change of plan, at the new price. */
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

/** The open cycle's charge was refused: it is tried again later, by hand, or no more (decisions, section 7). */
export function cycleRefused(
  state: SubscriptionState,
  cycle: OpenCycle,
  refusal: Refusal,
  at: Date,
  history: CardHistory,
): Transition {
  const firstFailedAt = cycle.firstFailedAt ?? at;
  const failed: OpenCycle = {
    ...cycle,
    firstFailedAt,
    retryCount: cycle.firstFailedAt === null ? 0 : cycle.retryCount + 1,
    nextRetryAt: null,
    irreversible: isIrreversible(refusal),
  };
  if (state.status === 'pending' || state.status === 'past_due') {
    return stays(state, failed, { final: state.status === 'past_due' });
  }
  const retryAt = nextRetryAt({
    firstFailedAt,
    at,
    refusal,
    days: history.dunningDays,
    refusedAt: history.refusedAt,
    timezone: state.schedule.timezone,
    brand: state.card.brand,
  });
  return retryAt === null
    ? pastDue(state, failed, at, isRetriedByItself(refusal) ? 'retries_exhausted' : 'hard_decline')
    : retryLater(state, { ...failed, nextRetryAt: retryAt });
}

/**
 * Nobody could charge the open cycle. That is no refusal: by itself it is tried again soon, and not one time fewer; who
 * tried by hand, or waits for a first charge, is told that it failed.
 */
export function cycleNotAttempted(
  state: SubscriptionState,
  cycle: OpenCycle,
  at: Date,
  history: CardHistory,
): Transition {
  const end = addDays(cycle.firstFailedAt ?? cycle.dueAt, LONGEST_DUNNING_DAYS, state.schedule.timezone);
  const nextRetryAt = new Date(+at + UNATTEMPTED_AGAIN_MS);
  if (!isRunning(state) || nextRetryAt > end) {
    return cycleRefused(state, cycle, { declineClass: 'soft', adviceCode: null }, at, history);
  }
  const waiting: OpenCycle = { ...cycle, nextRetryAt };
  return transition({ ...state, openCycle: waiting }, [
    { event: 'subscription.payment.retry', ...retryOf(waiting) },
  ]);
}

function stays(
  state: SubscriptionState,
  cycle: OpenCycle,
  { final }: { readonly final: boolean },
): Transition {
  return transition({ ...state, openCycle: cycle }, [
    { event: 'subscription.payment.failed', final, ...retryOf(cycle) },
  ]);
}

function retryLater(state: SubscriptionState, cycle: OpenCycle): Transition {
  return transition({ ...state, openCycle: cycle }, [
    { event: 'subscription.payment.failed', final: false, ...retryOf(cycle) },
    { event: 'subscription.payment.retry', ...retryOf(cycle) },
  ]);
}

function pastDue(
  state: SubscriptionState,
  cycle: OpenCycle,
  at: Date,
  reason: 'hard_decline' | 'retries_exhausted',
): Transition {
  const { number, retryCount } = cycle;
  return transition({ ...state, status: 'past_due', pastDueSince: at, openCycle: cycle }, [
    { event: 'subscription.payment.failed', final: true, ...retryOf(cycle) },
    { event: 'subscription.past_due', cycle: number, retryCount, reason },
  ]);
}

function retryOf({ number, retryCount, nextRetryAt: at }: OpenCycle) {
  return { cycle: number, retryCount, nextRetryAt: at };
}

/** Charges the open cycle once more. */
export function chargeAgain(state: SubscriptionState, cycle: OpenCycle): Transition {
  return transition({ ...state, openCycle: { ...cycle, nextRetryAt: null }, openCharge: { kind: 'cycle' } });
}

/** A retry's time has come; where other subscriptions of the card were refused since, its network may ask to wait on. */
export function retry(
  state: SubscriptionState,
  cycle: OpenCycle,
  at: Date,
  history: CardHistory,
): Transition {
  const allowedAt = firstAllowedAt(state.card.brand, history.refusedAt, at);
  if (allowedAt <= at) return chargeAgain(state, cycle);
  const end = addDays(cycle.firstFailedAt ?? at, LONGEST_DUNNING_DAYS, state.schedule.timezone);
  if (allowedAt > end) return pastDue(state, { ...cycle, nextRetryAt: null }, at, 'retries_exhausted');
  return transition({ ...state, openCycle: { ...cycle, nextRetryAt: allowedAt } }, [
    { event: 'subscription.payment.retry', ...retryOf({ ...cycle, nextRetryAt: allowedAt }) },
  ]);
}

/** A cycle that has just begun is charged later: its card was refused so often for others that its network allows no try yet. */
export function deferCharge({ state, ...rest }: Transition, cycle: OpenCycle, until: Date): Transition {
  const waiting: OpenCycle = { ...cycle, nextRetryAt: until };
  return {
    ...rest,
    state: { ...state, openCycle: waiting, openCharge: null },
    events: [...rest.events, { event: 'subscription.payment.retry', ...retryOf(waiting) }],
  };
}

/** The same subscription with a schedule that begins at an instant. */
export function rescheduled(
  state: SubscriptionState,
  startsAt: Date,
  billingDay: BillingSchedule['billingDay'],
): SubscriptionState {
  const { interval, intervalCount } = state.plan;
  const { timezone } = state.schedule;
  return { ...state, schedule: { startsAt, interval, intervalCount, billingDay, timezone }, periodNumber: 0 };
}

/** What is left of a period, of all of it, in ms. */
export function leftOf({ start, end }: Period, at: Date) {
  return { part: Math.min(Math.max(+end - +at, 0), +end - +start), whole: +end - +start };
}
