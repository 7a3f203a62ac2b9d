import { periodOf } from './billing-calendar';
import { discountCents } from './coupon';
import {
  discountOf,
  leftOfPeriod,
  netCents,
  NEVER_DECLINED,
  paidPeriodCents,
  paidWithCredit,
  periodPrice,
  rescheduled,
  settledStatus,
  waivedCents,
} from './cycle-price';
import { hasSameInterval, planChangedEvent, withdrawnEvents } from './planned-change';
import { isUpgrade, prorationCost, restartCost, type ChangeCost } from './proration';
import {
  transition,
  type ChargedPlanChange,
  type ClosedCycle,
  type CyclePrice,
  type OpenCycle,
  type PlanChange,
  type PlanTerms,
  type SubscriptionEvent,
  type SubscriptionState,
  type Transition,
} from './subscription';
import { markCyclePaid } from './subscription-cycle';
import { isInTrial } from './subscription-due';

/** When a plan change takes effect. A change `now` takes effect once its cycle is paid, if it has one. */
export type ChangeTerms =
  | ({ readonly when: 'now' } & PaidPlanChange)
  | { readonly when: 'period_end'; readonly change: PlanChange };

/** A plan change and the cycle that pays for it; null if it is free. */
type PaidPlanChange = Omit<ChargedPlanChange, 'cycle'> & { readonly cycle: OpenCycle | null };

/**
 * An upgrade takes effect immediately, a downgrade at the end of the period; `immediately` overrides both. During a trial
 * every change is immediate and free. See docs/decisions/subscriptions.md.
 */
export function changeTerms(
  state: SubscriptionState,
  to: PlanTerms,
  immediately: boolean | null,
  at: Date,
): ChangeTerms {
  const changeType = isUpgrade(state.plan, to) ? 'upgrade' : 'downgrade';
  const change: PlanChange = { to, changeType };
  if (isInTrial(state)) return { when: 'now', cycle: null, change };
  const now = immediately ?? changeType === 'upgrade';
  return now ? { when: 'now', cycle: changeCycle(state, to, at), change } : { when: 'period_end', change };
}

/** The cycle that pays for an immediate change. Null if the change keeps the billing dates and costs nothing. */
function changeCycle(state: SubscriptionState, to: PlanTerms, at: Date): OpenCycle | null {
  const { cyclesOpened: number, period, openCycle, creditBalanceCents, coupon } = state;
  const { totalCents } = costOf(state, to, at);
  const base = { number, dueAt: at, ...NEVER_DECLINED };
  if (hasSameInterval(state.plan, to)) {
    if (totalCents === 0 || period === null) return null;
    // The unpaid cycle keeps the credit that it will use.
    const available = { creditBalanceCents: creditBalanceCents - (openCycle?.creditCents ?? 0) };
    const price = { amountCents: totalCents, discountCents: 0, ...paidWithCredit(totalCents, available) };
    return { ...base, kind: 'proration', period: { start: at, end: period.end }, ...price };
  }
  const discount = totalCents === 0 ? 0 : discountOf(coupon, to.amountCents);
  const price: CyclePrice = {
    amountCents: totalCents + discount,
    discountCents: discount,
    ...paidWithCredit(totalCents, state),
  };
  return {
    ...base,
    kind: 'interval_change',
    period: periodOf(restarted(state, to, at).schedule, 1),
    ...price,
  };
}

/** What an immediate change costs, before credit. The value of the current period is credited for the time that is left. */
function costOf(state: SubscriptionState, to: PlanTerms, at: Date): ChangeCost {
  const left = leftOfPeriod(state, at);
  return hasSameInterval(state.plan, to)
    ? prorationCost(state.periodValueCents, currentPeriodPrice(state, to), left)
    : restartCost(paidPeriodCents(state), fullPeriodPrice(state, to), left);
}

/** The discounted price of a full period of a plan that starts now. */
function fullPeriodPrice({ coupon }: SubscriptionState, { amountCents }: PlanTerms): number {
  return amountCents - discountOf(coupon, amountCents);
}

/** The price of the current period by a plan, with the period's discount even if the coupon is used up by now. */
function currentPeriodPrice(state: SubscriptionState, plan: PlanTerms): number {
  const { coupon, openCycle, periodDiscounted, periodNumber, schedule } = state;
  const amountCents = periodPrice(plan, schedule, periodNumber);
  if (openCycle !== null) return amountCents - discountOf(coupon, amountCents);
  const discount = coupon !== null && periodDiscounted ? discountCents(coupon.discount, amountCents) : 0;
  return amountCents - discount;
}

/**
 * Changes the plan. A change that was charged is in effect from the beginning of its charge, because its cost was computed
 * for that instant. Value that is left over becomes credit.
 */
export function changePlan(
  before: SubscriptionState,
  { change, cycle }: PaidPlanChange,
  at: Date,
): Transition {
  const { to } = change;
  const changed = planChangedEvent(change, { immediately: true, executed: true });
  const withdrawn = withdrawnEvents(before);
  const state: SubscriptionState = { ...before, plannedChange: null, lastTransitionAt: at };
  if (isInTrial(before)) {
    const { schedule, billingDay } = before;
    const next = rescheduled({ ...state, plan: to }, schedule.startsAt, billingDay);
    return transition(next, [...withdrawn, changed]);
  }
  const after =
    cycle !== null && !hasSameInterval(before.plan, to)
      ? changeInterval(state, to, cycle)
      : changePrice(state, to, cycle, at);
  const closed: readonly ClosedCycle[] =
    cycle === null ? [] : [{ status: settledStatus(cycle), cycle, change }];
  const paid = closed.map((one): SubscriptionEvent => ({ ...PAID, cycle: one.cycle }));
  return {
    ...after,
    events: [...withdrawn, ...paid, changed, ...after.events],
    closed: [...after.closed, ...closed],
  };
}

const PAID = { type: 'subscription.payment.success' } as const;

/** Changes the price of the current period. A cheaper plan reduces the unpaid cycle, and credits what exceeds it. */
function changePrice(
  before: SubscriptionState,
  to: PlanTerms,
  cycle: OpenCycle | null,
  at: Date,
): Transition {
  const { openCycle, periodValueCents } = before;
  const { leftOverCents } = costOf(before, to, cycle?.dueAt ?? at);
  const reductionCents = openCycle === null ? 0 : Math.min(leftOverCents, netCents(openCycle));
  const price = currentPeriodPrice(before, to);
  const isPaid = cycle !== null && waivedCents(cycle) === 0;
  const state: SubscriptionState = {
    ...before,
    plan: to,
    // What was waived must not be credited later.
    periodValueCents: isPaid ? price : Math.min(price, periodValueCents),
    creditBalanceCents:
      before.creditBalanceCents - (cycle?.creditCents ?? 0) + leftOverCents - reductionCents,
  };
  if (openCycle === null || reductionCents === 0) return transition(state);
  const reduced: OpenCycle = {
    ...openCycle,
    amountCents: openCycle.amountCents - reductionCents,
    ...paidWithCredit(netCents(openCycle) - reductionCents, state),
  };
  return reduced.chargeCents > 0
    ? transition({ ...state, openCycle: reduced })
    : markCyclePaid(state, { ...reduced, nextRetryAt: null }, at);
}

/** Starts the first period of another interval, which replaces an unpaid cycle. */
function changeInterval(before: SubscriptionState, to: PlanTerms, cycle: OpenCycle): Transition {
  const { openCycle, coupon, cyclesPaid, creditBalanceCents } = before;
  const next: SubscriptionState = {
    ...restarted(before, to, cycle.dueAt),
    status: 'active',
    periodNumber: 1,
    period: cycle.period,
    periodValueCents: fullPeriodPrice(before, to) - waivedCents(cycle),
    periodDiscounted: discountOf(coupon, to.amountCents) > 0,
    creditBalanceCents:
      creditBalanceCents - cycle.creditCents + costOf(before, to, cycle.dueAt).leftOverCents,
    cyclesPaid: Math.max(cyclesPaid, 1),
    openCycle: null,
  };
  const events: SubscriptionEvent[] = cyclesPaid === 0 ? [{ type: 'subscription.activated' }] : [];
  const closed: ClosedCycle[] =
    openCycle === null ? [] : [{ status: 'failed', cycle: openCycle, change: null }];
  return { ...transition(next, events), closed };
}

/** The subscription with another plan, whose billing schedule starts at an instant. */
function restarted(state: SubscriptionState, to: PlanTerms, at: Date): SubscriptionState {
  return rescheduled({ ...state, plan: to }, at, null);
}
