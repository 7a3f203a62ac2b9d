import { discountOf } from './cycle-price';
import { fractionOf, MIN_CHARGE_CENTS } from './proration';
import type { Interval } from './billing-calendar';
import type { SubscriptionState } from './subscription';

/** How many times each interval occurs in seven years of 365 days, that is in 84 months. */
const TIMES_IN_84_MONTHS: Readonly<Record<Interval, number>> = {
  daily: 2_555,
  weekly: 365,
  monthly: 84,
  yearly: 7,
};

/**
 * What a subscription pays in a month of average length, in cents, rounded half up: the price of its next cycle, less the discount
 * that its coupon still gives, divided by the months of its interval. The only definition of recurring revenue; everything else
 * is a sum of it.
 *
 * 0 unless the subscription is `active`: in a trial, before the first payment, paused, past due and canceled. In dunning it
 * is `active`. A planned plan change and a cancellation at the end of the period count when they take effect. A price below the
 * minimum charge is never charged, so it is 0.
 */
export function monthlyRevenueCents({
  status,
  plan,
  coupon,
}: Pick<SubscriptionState, 'status' | 'plan' | 'coupon'>): number {
  if (status !== 'active') return 0;
  const price = plan.amountCents - discountOf(coupon, plan.amountCents);
  if (price < MIN_CHARGE_CENTS) return 0;
  const times = TIMES_IN_84_MONTHS[plan.interval];
  return fractionOf(price, { numerator: times, denominator: 84 * plan.intervalCount });
}

/**
 * Why recurring revenue changes. `new`: from 0 for the first time; `reactivated`: from 0 again; `churned`: to 0; `expansion` and
 * `contraction`: more or less than before.
 */
export const REVENUE_MOVEMENTS = ['new', 'expansion', 'contraction', 'churned', 'reactivated'] as const;
type RevenueMovementKind = (typeof REVENUE_MOVEMENTS)[number];

export interface RevenueMovement {
  readonly kind: RevenueMovementKind;
  /** After minus before: above 0, or below 0 for `contraction` and `churned`. */
  readonly amountCents: number;
}

/** How a subscription's recurring revenue has changed; null if it has not. `hadRevenue`: whether it was ever above 0. */
export function revenueMovement(
  before: { readonly cents: number; readonly hadRevenue: boolean },
  afterCents: number,
): RevenueMovement | null {
  const amountCents = afterCents - before.cents;
  if (amountCents === 0) return null;
  if (before.cents === 0) return { kind: before.hadRevenue ? 'reactivated' : 'new', amountCents };
  if (afterCents === 0) return { kind: 'churned', amountCents };
  return { kind: amountCents > 0 ? 'expansion' : 'contraction', amountCents };
}

/** Movements of one kind in one month, added up. */
export interface MonthlyMovement extends RevenueMovement {
  /** `YYYY-MM` */
  readonly month: string;
}

export interface RevenueMonth extends Readonly<Record<RevenueMovementKind, number>> {
  readonly month: string;
  readonly startCents: number;
  /** The start plus all movements. */
  readonly endCents: number;
}

/** The months, oldest first, with what they began and ended with. `nowCents`: at the end of the last of them. */
export function revenueByMonth(
  months: readonly string[],
  movements: readonly MonthlyMovement[],
  nowCents: number,
): RevenueMonth[] {
  let endCents = nowCents;
  const backwards = [...months].reverse().map((month): RevenueMonth => {
    const sum = (kind: RevenueMovementKind): number =>
      movements
        .filter((movement) => movement.month === month && movement.kind === kind)
        .reduce((total, { amountCents }) => total + amountCents, 0);
    const moved = {
      new: sum('new'),
      expansion: sum('expansion'),
      contraction: sum('contraction'),
      churned: sum('churned'),
      reactivated: sum('reactivated'),
    };
    const startCents = REVENUE_MOVEMENTS.reduce((cents, kind) => cents - moved[kind], endCents);
    const whole = { month, startCents, ...moved, endCents };
    endCents = startCents;
    return whole;
  });
  return backwards.reverse();
}
