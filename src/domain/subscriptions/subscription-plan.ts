import { firstPeriodShare, periodOf, type Share } from './billing-calendar';
import { changeCharge, chargeableCents, isUpgrade, restartCharge, shareOf } from './proration';
import {
  transition,
  chain,
  type Transition,
  type OpenCharge,
  type OpenCycle,
  type PlanChange,
  type PlanTerms,
  type SubscriptionEvent,
  type SubscriptionState,
} from './subscription';
import { discountCents } from './coupon';
import { cyclePaid, discountOf, leftOf, repriced, rescheduled, usedOnce } from './subscription-cycle';
import { isInTrial } from './subscription-due';

/** What a plan change comes to: at once for nothing, at once once it is paid, or at the period's end. */
export type ChangeTerms =
  | { readonly when: 'now'; readonly chargeCents: number; readonly change: PlanChange }
  | { readonly when: 'period_end'; readonly change: PlanChange };

/**
 * An upgrade takes effect at once, a downgrade at the period's end; `immediately` overrides either. In a trial it is
 * immediate and free (decisions, section 7).
 */
export function changeTerms(
  state: SubscriptionState,
  to: PlanTerms,
  immediately: boolean | null,
  at: Date,
): ChangeTerms {
  const changeType = isUpgrade(state.plan, to) ? 'upgrade' : 'downgrade';
  const change: PlanChange = { to, changeType };
  if (isInTrial(state)) return { when: 'now', chargeCents: 0, change };
  const now = immediately ?? changeType === 'upgrade';
  return now
    ? { when: 'now', chargeCents: chargeFor(state, to, at), change }
    : { when: 'period_end', change };
}

/** After discounts; what is left of a period is worth what was paid for it. */
function chargeFor(state: SubscriptionState, to: PlanTerms, at: Date): number {
  const { plan, period, paidCents } = state;
  if (period === null) return 0;
  const left = leftOf(period, at);
  if (hasSameInterval(plan, to)) {
    const share = shareOfPeriod(state);
    const leftOfWhole = { part: left.part * share.part, whole: left.whole * share.whole };
    return chargeableCents(changeCharge(priceOf(state, plan), priceOf(state, to), leftOfWhole));
  }
  return chargeableCents(restartCharge(paidCents, nextPrice(state, to), left));
}

/** What a whole period of a plan costs that begins now. */
function nextPrice({ coupon }: SubscriptionState, { amountCents }: PlanTerms): number {
  return amountCents - discountOf(coupon, amountCents);
}

/** What a whole period of a plan costs by the terms of the one that runs: with its discount, though that was the last. */
function priceOf(state: SubscriptionState, plan: PlanTerms): number {
  const { coupon, openCycle, periodDiscounted } = state;
  if (openCycle !== null) return nextPrice(state, plan);
  const discount = coupon !== null && periodDiscounted ? discountCents(coupon.discount, plan.amountCents) : 0;
  return plan.amountCents - discount;
}

/** The part of a whole period that the one that runs is: the first, until the billing day, may be short. */
function shareOfPeriod({ periodNumber, schedule }: SubscriptionState): Share {
  return (periodNumber === 1 ? firstPeriodShare(schedule) : null) ?? { part: 1, whole: 1 };
}

/** What the running period is paid for once its plan is another: all of the dearer price, and no more than the cheaper one. */
function paidAfter(before: SubscriptionState, to: PlanTerms): number {
  const price = (plan: PlanTerms): number => shareOf(priceOf(before, plan), shareOfPeriod(before));
  const [old, next] = [price(before.plan), price(to)];
  return next > old ? before.paidCents + next - old : Math.min(before.paidCents, next);
}

/** The plan changes now. Another rhythm begins a new period, which stands in for a cycle that was not paid. */
export function changePlan(
  before: SubscriptionState,
  { change, chargeCents }: Omit<OpenCharge & { kind: 'plan_change' }, 'kind'>,
  at: Date,
): Transition {
  const { to } = change;
  const { openCycle: cycle, schedule } = before;
  const state: SubscriptionState = { ...before, plan: to, plannedChange: null, lastTransitionAt: at };
  const told = planChanged(change, { immediately: true, executed: true });
  if (isInTrial(before))
    return transition({ ...rescheduled(state, schedule.startsAt, before.billingDay) }, [told]);
  if (hasSameInterval(before.plan, to)) {
    const same = transition({ ...state, paidCents: paidAfter(before, to) }, [told]);
    return cycle === null || at < cycle.period.end ? same : chain(same, (next) => reprice(next, cycle, at));
  }
  const begun = rescheduled(state, at, null);
  const next: SubscriptionState = {
    ...begun,
    status: 'active',
    periodNumber: 1,
    period: periodOf(begun.schedule, 1),
    paidCents: chargeCents,
    periodDiscounted: discountOf(before.coupon, to.amountCents) > 0,
    coupon: usedOnce(before.coupon),
    cyclesPaid: Math.max(before.cyclesPaid, 1),
    openCycle: null,
  };
  const news: SubscriptionEvent[] = [told];
  if (before.cyclesPaid === 0) news.push({ event: 'subscription.activated' });
  return { ...transition(next, news), closed: cycle === null ? [] : [{ status: 'failed', cycle }] };
}

/** What costs nothing any more is paid. */
function reprice(state: SubscriptionState, cycle: OpenCycle, at: Date): Transition {
  const priced = repriced(state, cycle, state.plan);
  return priced.chargeCents > 0 ? transition({ ...state, openCycle: priced }) : cyclePaid(state, priced, at);
}

/** Charged equally often. */
export function hasSameInterval(a: PlanTerms, b: PlanTerms): boolean {
  return a.interval === b.interval && a.intervalCount === b.intervalCount;
}

export function planChanged(
  { to, changeType }: PlanChange,
  how: { readonly immediately: boolean; readonly executed: boolean },
): SubscriptionEvent {
  return { event: 'subscription.plan_changed', newPlanId: to.planId, changeType, ...how };
}
