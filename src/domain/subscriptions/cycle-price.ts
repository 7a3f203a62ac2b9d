import { firstPeriodFraction, type BillingSchedule, type Fraction } from './billing-calendar';
import { discountCents, isUsable } from './coupon';
import { fractionOf, MIN_CHARGE_CENTS } from './proration';
import type { CyclePrice, OpenCycle, PlanTerms, RedeemedCoupon, SubscriptionState } from './subscription';

/** The price of a period of the schedule, by its number: less the coupon's discount, and paid with credit first. */
export function regularPrice(state: SubscriptionState, number: number): CyclePrice {
  const amountCents = periodPrice(state.plan, state.schedule, number);
  const discount = discountOf(state.coupon, amountCents);
  return { amountCents, discountCents: discount, ...paidWithCredit(amountCents - discount, state) };
}

/** The price of a plan for a period of the schedule, before discount. A short first period costs its share. */
export function periodPrice({ amountCents }: PlanTerms, schedule: BillingSchedule, number: number): number {
  const fraction = number === 1 ? firstPeriodFraction(schedule) : null;
  return fraction === null ? amountCents : fractionOf(amountCents, fraction);
}

/** The coupon's discount on an amount, in cents; 0 if no usable coupon is left. */
export function discountOf(coupon: RedeemedCoupon | null, amountCents: number): number {
  return coupon !== null && isUsable(coupon.discount, coupon.cyclesUsed)
    ? discountCents(coupon.discount, amountCents)
    : 0;
}

/** Divides a total into credit and a charge. The charge is 0 or at least the minimum; a total below that is waived. */
export function paidWithCredit(
  totalCents: number,
  { creditBalanceCents: balance }: Pick<SubscriptionState, 'creditBalanceCents'>,
): Pick<CyclePrice, 'creditCents' | 'chargeCents'> {
  if (totalCents < MIN_CHARGE_CENTS) return { creditCents: 0, chargeCents: 0 };
  if (balance >= totalCents) return { creditCents: totalCents, chargeCents: 0 };
  const creditCents = Math.min(balance, totalCents - MIN_CHARGE_CENTS);
  return { creditCents, chargeCents: totalCents - creditCents };
}

/** What a cycle costs after discount, in cents. */
export function netCents({ amountCents, discountCents: discount }: CyclePrice): number {
  return amountCents - discount;
}

/** The part of a cycle's price that is neither charged nor paid with credit, because it is below the minimum charge. */
export function waivedCents(price: CyclePrice): number {
  return netCents(price) - price.creditCents - price.chargeCents;
}

/** How a cycle closes that is not declined. Unused value can pay for a whole `interval_change`. */
export function settledStatus(cycle: OpenCycle): 'paid' | 'waived' {
  if (cycle.chargeCents > 0 || cycle.creditCents > 0) return 'paid';
  return cycle.kind === 'interval_change' && waivedCents(cycle) === 0 ? 'paid' : 'waived';
}

/** The value already paid for the whole current period: nothing while its cycle is unpaid, except a plan change's charge. */
export function paidPeriodCents({ periodValueCents, openCycle }: SubscriptionState): number {
  return openCycle === null ? periodValueCents : Math.max(periodValueCents - netCents(openCycle), 0);
}

/** Whether the period for which the cycle was opened had ended when it was last charged. */
export function isRestarted({ dueAt, period }: OpenCycle): boolean {
  return period.start > dueAt;
}

/** The part of the current period that is left, in ms. A period that a late charge would have bought is not running. */
export function leftOfPeriod({ period, openCycle }: SubscriptionState, at: Date): Fraction {
  if (period === null || (openCycle !== null && isRestarted(openCycle)))
    return { numerator: 0, denominator: 1 };
  return { numerator: Math.max(+period.end - +at, 0), denominator: +period.end - +period.start };
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

/** The dunning of a cycle that was never charged. */
export const NEVER_DECLINED: Pick<
  OpenCycle,
  'firstFailedAt' | 'retryCount' | 'nextRetryAt' | 'irreversible' | 'hold'
> = {
  firstFailedAt: null,
  retryCount: 0,
  nextRetryAt: null,
  irreversible: false,
  hold: null,
};
