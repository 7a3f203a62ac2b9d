import { firstPeriodFraction, periodOf, type Fraction } from './billing-calendar';
import { prorationCents, chargeableCents, isUpgrade, restartChargeCents, fractionOf } from './proration';
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
import {
  markCyclePaid,
  discountOf,
  remainingFraction,
  repriced,
  rescheduled,
  countCouponUse,
} from './subscription-cycle';
import { isInTrial } from './subscription-due';

/** When a plan change takes effect and what it costs. A change `now` with a charge takes effect once it is paid. */
export type ChangeTerms =
  | { readonly when: 'now'; readonly chargeCents: number; readonly change: PlanChange }
  | { readonly when: 'period_end'; readonly change: PlanChange };

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
  if (isInTrial(state)) return { when: 'now', chargeCents: 0, change };
  const now = immediately ?? changeType === 'upgrade';
  return now
    ? { when: 'now', chargeCents: immediateChargeCents(state, to, at), change }
    : { when: 'period_end', change };
}

/** The charge after discounts. The credit for the unused time is based on the amount paid for the period. */
function immediateChargeCents(state: SubscriptionState, to: PlanTerms, at: Date): number {
  const { plan, period, paidCents } = state;
  if (period === null) return 0;
  const left = remainingFraction(period, at);
  if (hasSameInterval(plan, to)) {
    const fraction = currentPeriodFraction(state);
    const leftOfFullPeriod = {
      numerator: left.numerator * fraction.numerator,
      denominator: left.denominator * fraction.denominator,
    };
    const prices = [currentPeriodPrice(state, plan), currentPeriodPrice(state, to)] as const;
    return chargeableCents(prorationCents(...prices, leftOfFullPeriod));
  }
  return chargeableCents(restartChargeCents(paidCents, fullPeriodPrice(state, to), left));
}

/** The discounted price of a full period of a plan that starts now. */
function fullPeriodPrice({ coupon }: SubscriptionState, { amountCents }: PlanTerms): number {
  return amountCents - discountOf(coupon, amountCents);
}

/** The price of a full period of a plan with the current period's discount, even if the coupon is used up by now. */
function currentPeriodPrice(state: SubscriptionState, plan: PlanTerms): number {
  const { coupon, openCycle, periodDiscounted } = state;
  if (openCycle !== null) return fullPeriodPrice(state, plan);
  const discount = coupon !== null && periodDiscounted ? discountCents(coupon.discount, plan.amountCents) : 0;
  return plan.amountCents - discount;
}

/** The current period's fraction of a full period. The first period may be shorter, until the billing day. */
function currentPeriodFraction({ periodNumber, schedule }: SubscriptionState): Fraction {
  return (periodNumber === 1 ? firstPeriodFraction(schedule) : null) ?? { numerator: 1, denominator: 1 };
}

/** `paidCents` after a plan change: it rises by the price difference, and falls to at most the cheaper price. */
function paidCentsAfterChange(before: SubscriptionState, to: PlanTerms): number {
  const price = (plan: PlanTerms): number =>
    fractionOf(currentPeriodPrice(before, plan), currentPeriodFraction(before));
  const [oldCents, newCents] = [price(before.plan), price(to)];
  return newCents > oldCents ? before.paidCents + newCents - oldCents : Math.min(before.paidCents, newCents);
}

/** Changes the plan now. A different interval starts a new period, which replaces an unpaid cycle. */
export function changePlan(
  before: SubscriptionState,
  { change, chargeCents }: Omit<OpenCharge & { kind: 'plan_change' }, 'kind'>,
  at: Date,
): Transition {
  const { to } = change;
  const { openCycle: cycle, schedule } = before;
  const state: SubscriptionState = { ...before, plan: to, plannedChange: null, lastTransitionAt: at };
  const changed = planChangedEvent(change, { immediately: true, executed: true });
  if (isInTrial(before))
    return transition(rescheduled(state, schedule.startsAt, before.billingDay), [changed]);
  if (hasSameInterval(before.plan, to)) {
    const kept = transition({ ...state, paidCents: paidCentsAfterChange(before, to) }, [changed]);
    return cycle === null || at < cycle.period.end ? kept : chain(kept, (next) => reprice(next, cycle, at));
  }
  const restarted = rescheduled(state, at, null);
  const next: SubscriptionState = {
    ...restarted,
    status: 'active',
    periodNumber: 1,
    period: periodOf(restarted.schedule, 1),
    paidCents: chargeCents,
    periodDiscounted: discountOf(before.coupon, to.amountCents) > 0,
    coupon: countCouponUse(before.coupon),
    cyclesPaid: Math.max(before.cyclesPaid, 1),
    openCycle: null,
  };
  const events: SubscriptionEvent[] = [changed];
  if (before.cyclesPaid === 0) events.push({ type: 'subscription.activated' });
  return { ...transition(next, events), closed: cycle === null ? [] : [{ status: 'failed', cycle }] };
}

/** Reprices the unpaid cycle. A cycle that costs nothing is closed as waived. */
function reprice(state: SubscriptionState, cycle: OpenCycle, at: Date): Transition {
  const priced = repriced(state, cycle, state.plan);
  return priced.chargeCents > 0
    ? transition({ ...state, openCycle: priced })
    : markCyclePaid(state, priced, at);
}

/** Whether both plans are charged equally often. */
export function hasSameInterval(a: PlanTerms, b: PlanTerms): boolean {
  return a.interval === b.interval && a.intervalCount === b.intervalCount;
}

export function planChangedEvent(
  { to, changeType }: PlanChange,
  timing: { readonly immediately: boolean; readonly executed: boolean },
): SubscriptionEvent {
  return { type: 'subscription.plan_changed', newPlanId: to.planId, changeType, ...timing };
}
