import { firstPeriodShare, periodOf, type Share } from './billing-calendar';
import { changeCharge, chargeableCents, isUpgrade, restartCharge, shareOf } from './proration';
import {
  moved,
  type Moved,
  type OpenCharge,
  type PlanChange,
  type PlanTerms,
  type SubscriptionNews,
  type SubscriptionState,
} from './subscription';
import { discountOf, leftOf, restarted } from './subscription-cycle';
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
  const { plan, period, paidCents, openCycle } = state;
  if (period === null) return 0;
  const left = leftOf(period, at);
  if (isSameRhythm(plan, to)) {
    const share = shareOfPeriod(state);
    const leftOfWhole = { part: left.part * share.part, whole: left.whole * share.whole };
    return chargeableCents(changeCharge(priceOf(state, plan), priceOf(state, to), leftOfWhole));
  }
  return chargeableCents(restartCharge(openCycle === null ? paidCents : 0, priceOf(state, to), left));
}

/** What a whole period of a plan costs the subscription now. */
function priceOf({ coupon }: SubscriptionState, { amountCents }: PlanTerms): number {
  return amountCents - discountOf(coupon, amountCents);
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
): Moved {
  const { to } = change;
  const { openCycle: cycle, schedule } = before;
  const state: SubscriptionState = { ...before, plan: to, plannedChange: null, movedAt: at };
  const told = planChanged(change, { immediately: true, executed: true });
  if (isInTrial(before)) return moved({ ...restarted(state, schedule.startsAt, before.billingDay) }, [told]);
  if (isSameRhythm(before.plan, to)) {
    return moved({ ...state, paidCents: paidAfter(before, to) }, [told]);
  }
  const begun = restarted(state, at, null);
  const next: SubscriptionState = {
    ...begun,
    status: 'active',
    periodNumber: 1,
    period: periodOf(begun.schedule, 1),
    paidCents: chargeCents,
    openCycle: null,
  };
  return { ...moved(next, [told]), closed: cycle === null ? [] : [{ status: 'failed', cycle }] };
}

/** Charged equally often. */
export function isSameRhythm(a: PlanTerms, b: PlanTerms): boolean {
  return a.interval === b.interval && a.intervalCount === b.intervalCount;
}

export function planChanged(
  { to, changeType }: PlanChange,
  how: { readonly immediately: boolean; readonly executed: boolean },
): SubscriptionNews {
  return { event: 'subscription.plan_changed', newPlanId: to.planId, changeType, ...how };
}
