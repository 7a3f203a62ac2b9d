import type { MonthlyMovement } from '../../domain/subscriptions/recurring-revenue';
import type { CalendarMonth } from '../../domain/time/months';
import type { Database } from '../sql/transaction';

/** Recurring revenue of the active subscriptions in one currency (`domain/subscriptions/recurring-revenue.ts`). */
export interface RecurringRevenue {
  readonly currency: string;
  readonly subscriptions: number;
  readonly monthlyCents: number;
}

/** Recurring revenue of one plan. */
export interface PlanRevenue extends RecurringRevenue {
  readonly planId: string;
  readonly name: string;
}

/** By currency. Currencies without active subscriptions are omitted. */
export function countRecurringRevenue(db: Database, companyId: number): Promise<RecurringRevenue[]> {
  return db.query<RecurringRevenue>(RECURRING_REVENUE, [companyId]);
}

const MAX_PLANS = 10;

/** By plan: the ten plans with the highest revenue in each currency. */
export function countRevenueByPlan(db: Database, companyId: number): Promise<PlanRevenue[]> {
  return db.query<PlanRevenue>(REVENUE_BY_PLAN, [companyId, MAX_PLANS]);
}

export interface RevenueHistory {
  /** Since when movements are recorded. */
  readonly since: Date;
  /** Movements of the months, added up. */
  readonly movements: ReadonlyArray<MonthlyMovement & { readonly currency: string }>;
  /** Recurring revenue now. */
  readonly current: ReadonlyArray<Pick<RecurringRevenue, 'currency' | 'monthlyCents'>>;
}

/** The movements of consecutive months, and recurring revenue at the end of the last of them, which is not over. */
export async function loadRevenueHistory(
  db: Database,
  companyId: number,
  months: readonly CalendarMonth[],
): Promise<RevenueHistory> {
  // One statement, so that the movements are those that led to the current revenue.
  const rows = await db.query<HistoryRow>(HISTORY, [
    companyId,
    months.map(({ month }) => month),
    months.map(({ from }) => from),
    months.map(({ to }) => to),
  ]);
  const recording = await db.queryOne<{ since: Date }>('SELECT since FROM revenue_recording', []);
  if (recording === null) throw new Error('the beginning of the recording of recurring revenue is missing');
  return {
    since: recording.since,
    movements: rows.flatMap((row) => (row.month === null ? [] : [row])),
    current: rows.flatMap(({ month, currency, amountCents: monthlyCents }) =>
      month === null ? [{ currency, monthlyCents }] : [],
    ),
  };
}

type HistoryRow =
  | (MonthlyMovement & { readonly currency: string })
  | { readonly month: null; readonly currency: string; readonly amountCents: number };

const RECURRING_REVENUE = `
  SELECT plan_currency AS currency, count(*) AS subscriptions, sum(monthly_revenue_cents)::bigint AS "monthlyCents"
    FROM subscriptions WHERE company_id = $1 AND status = 'active' GROUP BY plan_currency ORDER BY plan_currency`;

const REVENUE_BY_PLAN = `
  WITH sold AS (
    SELECT plan_id, plan_currency AS currency, count(*) AS subscriptions, sum(monthly_revenue_cents)::bigint AS monthly
      FROM subscriptions WHERE company_id = $1 AND status = 'active' GROUP BY plan_id, plan_currency),
  ranked AS (
    SELECT p.uuid, p.name, sold.currency, sold.subscriptions, sold.monthly,
        row_number() OVER (PARTITION BY sold.currency ORDER BY sold.monthly DESC, sold.subscriptions DESC, p.id) AS rank
      FROM sold JOIN plans p ON p.id = sold.plan_id)
  SELECT uuid AS "planId", name, currency, subscriptions, monthly AS "monthlyCents"
    FROM ranked WHERE rank <= $2 ORDER BY currency, rank`;

const HISTORY = `
  SELECT m.month, v.kind, v.currency, sum(v.amount_cents)::bigint AS "amountCents"
    FROM unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) AS m (month, "from", "to")
    JOIN revenue_movements v ON v.company_id = $1 AND v.moved_at >= m."from" AND v.moved_at < m."to"
    GROUP BY m.month, v.kind, v.currency
  UNION ALL
  SELECT NULL, NULL, plan_currency, sum(monthly_revenue_cents)::bigint
    FROM subscriptions WHERE company_id = $1 AND status = 'active' GROUP BY plan_currency`;
