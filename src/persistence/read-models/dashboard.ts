import { coverRange, type CounterRange, type TimeRange } from '../../domain/time/counter-range';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { AttemptStatus, PaymentStatus } from '../../domain/payments/payment';
import type { Database } from '../sql/transaction';
import type { DisabledReason } from '../webhooks/webhook-endpoint-repository';
import { countAttention, type AttentionCounts } from './payment-attention';
import {
  countRecurringRevenue,
  countRevenueByPlan,
  type PlanRevenue,
  type RecurringRevenue,
} from './recurring-revenue';

/** Payments of one day, by currency and status. */
export interface CountedPayments {
  /** Index of the day in the requested days, from 0. */
  readonly day: number;
  readonly currency: string;
  readonly status: PaymentStatus;
  readonly payments: number;
  readonly amountCents: number;
  readonly capturedCents: number;
  readonly refundedCents: number;
}

/** Charges at one gateway, by status. */
export interface CountedCharges {
  readonly gateway: GatewaySlug;
  readonly status: AttemptStatus;
  readonly charges: number;
}

export interface CountedDeclines {
  readonly responseCode: string;
  readonly charges: number;
}

export interface FailingEndpoint {
  readonly id: number;
  readonly url: string;
  readonly enabled: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly failingSince: Date | null;
  /** Pending deliveries with at least one attempt. */
  readonly retrying: number;
  /** Failed deliveries of the period. */
  readonly failed: number;
}

/** Subscriptions whose charge is on hold. */
export interface ChargesOnHold {
  readonly subscriptions: number;
  /** When the oldest of these charges began; null if there is none. */
  readonly since: Date | null;
}

export interface DashboardFigures {
  readonly payments: readonly CountedPayments[];
  /** Of the previous period, all as of its day 0. */
  readonly previousPayments: readonly CountedPayments[];
  readonly charges: readonly CountedCharges[];
  /** Most frequent first. */
  readonly declines: readonly CountedDeclines[];
  /** Current, not of the period. */
  readonly recurring: readonly RecurringRevenue[];
  /** By plan, highest revenue first. */
  readonly recurringByPlan: readonly PlanRevenue[];
  /** Current, not of the period. */
  readonly chargesOnHold: ChargesOnHold;
  readonly attention: AttentionCounts;
  readonly failingEndpoints: readonly FailingEndpoint[];
}

const MAX_DECLINES = 10;
const MAX_ENDPOINTS = 50;

/** The figures of a company's dashboard, from the counters (`migrations/initial/counters.ts`). */
export class DashboardReader {
  constructor(private readonly db: Database) {}

  /** `days` are consecutive. @throws if there is none */
  async load(companyId: number, days: readonly TimeRange[], previous: TimeRange): Promise<DashboardFigures> {
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined) throw new Error('the dashboard needs at least one day');
    const period = { from: first.from, to: last.to };
    const [
      payments,
      previousPayments,
      charges,
      recurring,
      recurringByPlan,
      failingEndpoints,
      chargesOnHold,
      attention,
    ] = await Promise.all([
      this.countPayments(companyId, days, period),
      this.countPayments(companyId, [previous], previous),
      this.countCharges(companyId, period),
      countRecurringRevenue(this.db, companyId),
      countRevenueByPlan(this.db, companyId),
      this.findFailingEndpoints(companyId, period),
      this.countChargesOnHold(companyId),
      countAttention(this.db, companyId, period),
    ]);
    const declines = charges.flatMap(({ responseCode, charges: count }) =>
      responseCode === null ? [] : [{ responseCode, charges: count }],
    );
    const byGateway = charges.flatMap(({ gateway, status, charges: count }) =>
      gateway === null || status === null ? [] : [{ gateway, status, charges: count }],
    );
    return {
      payments,
      previousPayments,
      charges: byGateway,
      declines,
      recurring,
      recurringByPlan,
      chargesOnHold,
      attention,
      failingEndpoints,
    };
  }

  private countPayments(
    companyId: number,
    days: readonly TimeRange[],
    { from, to }: TimeRange,
  ): Promise<CountedPayments[]> {
    const parts = days.flatMap((day, index) => coverRange(day).map((range) => ({ day: index, ...range })));
    return this.db.query<CountedPayments>(PAYMENTS, [
      companyId,
      parts.map(({ day }) => day),
      ...columns(parts),
      from,
      to,
    ]);
  }

  private countCharges(companyId: number, period: TimeRange): Promise<ChargeRow[]> {
    return this.db.query<ChargeRow>(CHARGES, [companyId, ...columns(coverRange(period)), MAX_DECLINES]);
  }

  private async countChargesOnHold(companyId: number): Promise<ChargesOnHold> {
    const row = await this.db.queryOne<ChargesOnHold>(CHARGES_ON_HOLD, [companyId]);
    return row ?? { subscriptions: 0, since: null };
  }

  private findFailingEndpoints(companyId: number, { from, to }: TimeRange): Promise<FailingEndpoint[]> {
    return this.db.query<FailingEndpoint>(FAILING_ENDPOINTS, [companyId, from, to, MAX_ENDPOINTS]);
  }
}

type ChargeRow =
  | (CountedCharges & { readonly responseCode: null })
  | (CountedDeclines & { readonly gateway: null; readonly status: null });

function columns(parts: readonly CounterRange[]): [string[], Date[], Date[]] {
  return [parts.map(({ grain }) => grain), parts.map(({ from }) => from), parts.map(({ to }) => to)];
}

const SUMS = 'payments, amount_cents, captured_cents, refunded_cents';
const ONE_PAYMENT = '1, amount_cents, captured_amount_cents, refunded_amount_cents';

/** The sum of counters, deltas not applied yet, payments without a result, and payments in parts shorter than an hour. */
const PAYMENTS = `
  WITH parts AS MATERIALIZED (
    SELECT * FROM unnest($2::integer[], $3::text[], $4::timestamptz[], $5::timestamptz[]) AS p (day, grain, "from", "to")),
  counted AS (
    SELECT p.day, k.* FROM parts p CROSS JOIN LATERAL (
      SELECT currency, status, ${SUMS} FROM payment_counters
        WHERE company_id = $1 AND grain = p.grain AND bucket_start >= p."from" AND bucket_start < p."to" OFFSET 0) k
    UNION ALL
    SELECT p.day, d.currency, d.status, ${SUMS} FROM payment_counter_deltas d
      JOIN parts p ON p.grain <> 'raw' AND d.created_at >= p."from" AND d.created_at < p."to" WHERE d.company_id = $1
    UNION ALL
    SELECT p.day, r.currency, r.status, ${ONE_PAYMENT} FROM (
      SELECT * FROM payments WHERE company_id = $1 AND status = 'processing' OFFSET 0) r
      JOIN parts p ON r.created_at >= p."from" AND r.created_at < p."to"
      WHERE r.created_at >= $6::timestamptz AND r.created_at < $7::timestamptz
    UNION ALL
    SELECT p.day, r.currency, r.status, ${ONE_PAYMENT} FROM parts p CROSS JOIN LATERAL (
      SELECT * FROM payments WHERE p.grain = 'raw' AND company_id = $1 AND created_at >= p."from" AND created_at < p."to"
        AND status <> 'processing' OFFSET 0) r)
  SELECT day, currency, status, sum(payments)::bigint AS payments, sum(amount_cents)::bigint AS "amountCents",
      sum(captured_cents)::bigint AS "capturedCents", sum(refunded_cents)::bigint AS "refundedCents"
    FROM counted GROUP BY day, currency, status HAVING sum(payments) <> 0 ORDER BY day, currency, status`;

/**
 * Charges by gateway and status, followed by the most frequent decline codes. Charges in parts shorter than an hour are
 * found through their payments, which are created at most 15 minutes before their last charge.
 */
const CHARGES = `
  WITH parts AS MATERIALIZED (
    SELECT * FROM unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) AS p (grain, "from", "to")),
  counted AS MATERIALIZED (
    SELECT gateway, status, response_code, sum(charges)::bigint AS charges FROM (
      SELECT k.* FROM parts p CROSS JOIN LATERAL (
        SELECT gateway, status, response_code, charges FROM charge_counters
          WHERE company_id = $1 AND grain = p.grain AND bucket_start >= p."from" AND bucket_start < p."to" OFFSET 0) k
      UNION ALL
      SELECT d.gateway, d.status, d.response_code, d.charges FROM charge_counter_deltas d
        JOIN parts p ON p.grain <> 'raw' AND d.created_at >= p."from" AND d.created_at < p."to" WHERE d.company_id = $1
      UNION ALL
      SELECT a.gateway_slug, a.status, CASE WHEN a.status = 'declined' THEN left(coalesce(a.response_code, ''), 40) ELSE '' END, 1
        FROM parts p CROSS JOIN LATERAL (
          SELECT id FROM payments WHERE p.grain = 'raw' AND company_id = $1
            AND created_at >= p."from" - interval '1 hour' AND created_at < p."to" OFFSET 0) r
        JOIN gateway_attempts a ON a.payment_id = r.id AND a.created_at >= p."from" AND a.created_at < p."to"
          AND a.operation IN ('authorize', 'charge') AND a.status NOT IN ('requested', 'sent')) c
    GROUP BY gateway, status, response_code)
  SELECT gateway, status, NULL AS "responseCode", sum(charges)::bigint AS charges FROM counted
    GROUP BY gateway, status HAVING sum(charges) <> 0
  UNION ALL (
    SELECT NULL, NULL, response_code, sum(charges)::bigint AS declines FROM counted WHERE status = 'declined'
      GROUP BY response_code HAVING sum(charges) <> 0 ORDER BY declines DESC, response_code LIMIT $5)`;

const CHARGES_ON_HOLD = `
  SELECT count(*) AS subscriptions, min(c.hold_since) AS since
    FROM subscriptions s JOIN billing_cycles c ON c.subscription_id = s.id AND c.status = 'open' AND c.hold_since IS NOT NULL
   WHERE s.company_id = $1 AND s.hold_checked_at IS NOT NULL`;

const FAILING_ENDPOINTS = `
  WITH lost AS (
    SELECT endpoint_id, count(*) AS failed FROM webhook_deliveries
      WHERE company_id = $1 AND status = 'failed' AND created_at >= $2 AND created_at < $3 GROUP BY endpoint_id),
  counted AS (
    SELECT e.id, e.url, e.enabled, e.disabled_reason AS "disabledReason", e.failing_since AS "failingSince",
        (SELECT count(*) FROM webhook_deliveries d
          WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.retry_count > 0) AS retrying,
        coalesce(lost.failed, 0) AS failed
      FROM webhook_endpoints e LEFT JOIN lost ON lost.endpoint_id = e.id
      WHERE e.company_id = $1 AND e.deleted_at IS NULL)
  SELECT * FROM counted WHERE retrying > 0 OR failed > 0 OR "disabledReason" IS NOT NULL OR "failingSince" IS NOT NULL
    ORDER BY retrying + failed DESC, id LIMIT $4`;
