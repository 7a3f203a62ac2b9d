import { LEAST_CHARGE_CENTS } from '../../domain/subscriptions/proration';
import type { Database } from '../sql/transaction';

/** What active subscriptions in one currency bring in. */
export interface RecurringRevenue {
  readonly currency: string;
  readonly subscriptions: number;
  /** In a month of an average length. */
  readonly monthlyCents: number;
}

/** What those of one plan bring in. */
export interface PlanRevenue extends RecurringRevenue {
  readonly planId: string;
  readonly name: string;
}

/**
 * What a company's active subscriptions bring in, in dunning or not: the price of each as its next cycle would be
 * charged, spread over months. Currencies without one are left out.
 */
export function countRecurringRevenue(db: Database, companyId: number): Promise<RecurringRevenue[]> {
  return db.query<RecurringRevenue>(RECURRING_REVENUE, [companyId, LEAST_CHARGE_CENTS]);
}

const MOST_PLANS = 10;

/** The same by plan, of each currency the plans that bring in most, at most ten. */
export function countRevenueByPlan(db: Database, companyId: number): Promise<PlanRevenue[]> {
  return db.query<PlanRevenue>(REVENUE_BY_PLAN, [companyId, LEAST_CHARGE_CENTS, MOST_PLANS]);
}

/** Each active subscription with what its next cycle would cost. */
const PRICED = `
  priced AS (
    SELECT p.id AS plan_id, p.currency, p.interval, p.interval_count, p.amount_cents - CASE
        WHEN c.id IS NULL OR s.coupon_cycles_used >= c.max_cycles THEN 0
        WHEN c.discount_type = 'percentage' THEN round(p.amount_cents * c.discount_value / 100.0)
        ELSE least(c.discount_value, p.amount_cents) END AS cents
      FROM subscriptions s JOIN plans p ON p.id = s.plan_id LEFT JOIN coupons c ON c.id = s.coupon_id
      WHERE s.company_id = $1 AND s.status = 'active')`;

/** How often each comes in seven years of 365 days. */
const OFTEN = `often (interval, times) AS (VALUES ('daily', 2555), ('weekly', 365), ('monthly', 84), ('yearly', 7))`;

/**
 * Equal rhythms are added up before anything is divided, and what is far below a cent is rounded off first: thirds that
 * make up a half together are one.
 */
const RECURRING_REVENUE = `
  WITH ${PRICED},
  rhythms AS (
    SELECT currency, interval, interval_count, count(*) AS subscriptions,
        sum(cents) FILTER (WHERE cents >= $2)::numeric(40, 10) AS cents
      FROM priced GROUP BY currency, interval, interval_count),
  ${OFTEN}
  SELECT currency, sum(subscriptions)::bigint AS subscriptions,
      round(round(coalesce(sum(cents * times / (84 * interval_count)), 0), 6))::bigint AS "monthlyCents"
    FROM rhythms JOIN often USING (interval) GROUP BY currency ORDER BY currency`;

const REVENUE_BY_PLAN = `
  WITH ${PRICED},
  sold AS (
    SELECT plan_id, count(*) AS subscriptions, coalesce(sum(cents) FILTER (WHERE cents >= $2), 0)::numeric(40, 10) AS cents
      FROM priced GROUP BY plan_id),
  ${OFTEN},
  ranked AS (
    SELECT p.uuid, p.name, p.currency, sold.subscriptions, cents * times / (84 * p.interval_count) AS monthly,
        row_number() OVER (PARTITION BY p.currency
          ORDER BY cents * times / p.interval_count DESC, sold.subscriptions DESC, p.id) AS place
      FROM sold JOIN plans p ON p.id = sold.plan_id JOIN often USING (interval))
  SELECT uuid AS "planId", name, currency, subscriptions::bigint, round(round(monthly, 6))::bigint AS "monthlyCents"
    FROM ranked WHERE place <= $3 ORDER BY currency, place`;
