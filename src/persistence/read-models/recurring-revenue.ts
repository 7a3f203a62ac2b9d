import { MIN_CHARGE_CENTS } from '../../domain/subscriptions/proration';
import type { Database } from '../sql/transaction';

/** Monthly recurring revenue (MRR) of the active subscriptions in one currency. */
export interface RecurringRevenue {
  readonly currency: string;
  readonly subscriptions: number;
  /** Per month of average length. */
  readonly monthlyCents: number;
}

/** Monthly recurring revenue of one plan. */
export interface PlanRevenue extends RecurringRevenue {
  readonly planId: string;
  readonly name: string;
}

/**
 * Monthly recurring revenue by currency: the price of each active subscription's next cycle, normalized to a month.
 * Includes subscriptions in dunning. Currencies without active subscriptions are omitted.
 */
export function countRecurringRevenue(db: Database, companyId: number): Promise<RecurringRevenue[]> {
  return db.query<RecurringRevenue>(RECURRING_REVENUE, [companyId, MIN_CHARGE_CENTS]);
}

const MAX_PLANS = 10;

/** By plan: the ten plans with the highest revenue in each currency. */
export function countRevenueByPlan(db: Database, companyId: number): Promise<PlanRevenue[]> {
  return db.query<PlanRevenue>(REVENUE_BY_PLAN, [companyId, MIN_CHARGE_CENTS, MAX_PLANS]);
}

/** Each active subscription with the price of its next cycle. Its agreed price may differ from that of its plan. */
const PRICED = `
  priced AS (
    SELECT s.plan_id, s.plan_currency AS currency, s.plan_interval AS interval, s.plan_interval_count AS interval_count,
        s.plan_amount_cents - CASE
        WHEN c.id IS NULL OR s.coupon_cycles_used >= c.max_cycles THEN 0
        WHEN c.discount_type = 'percentage' THEN round(s.plan_amount_cents * c.discount_value / 100.0)
        ELSE least(c.discount_value, s.plan_amount_cents) END AS cents
      FROM subscriptions s LEFT JOIN coupons c ON c.id = s.coupon_id
      WHERE s.company_id = $1 AND s.status = 'active')`;

/** How many times each interval occurs in seven years of 365 days, that is in 84 months. */
const FREQUENCIES = `frequencies (interval, times) AS (VALUES ('daily', 2555), ('weekly', 365), ('monthly', 84), ('yearly', 7))`;

/**
 * Sums equal intervals before dividing, and rounds to six decimals before rounding to cents, so that fractions which add
 * up to half a cent are rounded up.
 */
const RECURRING_REVENUE = `
  WITH ${PRICED},
  intervals AS (
    SELECT currency, interval, interval_count, count(*) AS subscriptions,
        sum(cents) FILTER (WHERE cents >= $2)::numeric(40, 10) AS cents
      FROM priced GROUP BY currency, interval, interval_count),
  ${FREQUENCIES}
  SELECT currency, sum(subscriptions)::bigint AS subscriptions,
      round(round(coalesce(sum(cents * times / (84 * interval_count)), 0), 6))::bigint AS "monthlyCents"
    FROM intervals JOIN frequencies USING (interval) GROUP BY currency ORDER BY currency`;

const REVENUE_BY_PLAN = `
  WITH ${PRICED},
  intervals AS (
    SELECT plan_id, currency, interval, interval_count, count(*) AS subscriptions,
        coalesce(sum(cents) FILTER (WHERE cents >= $2), 0)::numeric(40, 10) AS cents
      FROM priced GROUP BY plan_id, currency, interval, interval_count),
  ${FREQUENCIES},
  sold AS (
    SELECT plan_id, currency, sum(subscriptions) AS subscriptions, sum(cents * times / (84 * interval_count)) AS monthly
      FROM intervals JOIN frequencies USING (interval) GROUP BY plan_id, currency),
  ranked AS (
    SELECT p.uuid, p.name, sold.currency, sold.subscriptions, sold.monthly,
        row_number() OVER (PARTITION BY sold.currency ORDER BY sold.monthly DESC, sold.subscriptions DESC, p.id) AS rank
      FROM sold JOIN plans p ON p.id = sold.plan_id)
  SELECT uuid AS "planId", name, currency, subscriptions::bigint, round(round(monthly, 6))::bigint AS "monthlyCents"
    FROM ranked WHERE rank <= $3 ORDER BY currency, rank`;
