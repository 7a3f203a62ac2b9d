import { randomUUID } from 'node:crypto';
import type { DiscountType } from '../../src/domain/coupon';
import type { Interval } from '../../src/domain/billing-calendar';
import { newSubscriptionId, type SubscriptionId } from '../../src/domain/ids';
import type { Database } from '../../src/persistence/transaction';

/* Rows of recurring money put in by hand, for what reads them and knows nothing of a subscription's life. */

export interface PlanRow {
  readonly amountCents: number;
  readonly currency: string;
  readonly interval: Interval;
  readonly intervalCount: number;
}

const MONTHLY: PlanRow = { amountCents: 4_990, currency: 'BRL', interval: 'monthly', intervalCount: 1 };

export async function insertPlan(
  db: Database,
  companyId: number,
  change: Partial<PlanRow> = {},
): Promise<number> {
  const { amountCents, currency, interval, intervalCount } = { ...MONTHLY, ...change };
  return idOf(
    await db.query(
      `INSERT INTO plans (uuid, company_id, name, amount_cents, currency, interval, interval_count, trial_period_days,
         min_card_months, is_active, created_at, updated_at)
       VALUES (uuidv7(), $1, 'Plano', $2, $3, $4, $5, 0, 0, true, now(), now()) RETURNING id`,
      [companyId, amountCents, currency, interval, intervalCount],
    ),
  );
}

export async function insertCoupon(
  db: Database,
  companyId: number,
  discount: { discountType: DiscountType; discountValue: number; maxCycles?: number },
): Promise<number> {
  const { discountType, discountValue, maxCycles = null } = discount;
  return idOf(
    await db.query(
      `INSERT INTO coupons (uuid, company_id, code, name, discount_type, discount_value, max_cycles, valid_from, is_active,
         created_at, updated_at)
       VALUES (uuidv7(), $1, $2, 'Cupom', $3, $4, $5, '2026-01-01', true, now(), now()) RETURNING id`,
      [companyId, randomUUID(), discountType, discountValue, maxCycles],
    ),
  );
}

export interface SubscriptionRow {
  readonly companyId: number;
  readonly customerId: number;
  readonly planId: number;
  readonly status?: string;
  readonly vaultCardId?: string;
  readonly couponId?: number;
  readonly couponCyclesUsed?: number;
}

/** Returns its public id. */
export async function insertSubscription(db: Database, row: SubscriptionRow): Promise<SubscriptionId> {
  const { companyId, customerId, planId, status = 'active', vaultCardId = randomUUID() } = row;
  const id = newSubscriptionId();
  await db.query(
    `INSERT INTO subscriptions (uuid, company_id, customer_id, plan_id, status, card, card_fingerprint,
         vault_card_id, timezone, starts_at, interval, interval_count, period_number, paid_cents, trial_days, coupon_id,
         coupon_cycles_used, cycles_opened, cycles_paid, cancel_at_period_end, canceled_at, trial_ending_told,
         card_expiring_told, moved_at, created_at, updated_at)
       SELECT $8, $1, $2, p.id, $4, '{}', '', $5, 'America/Sao_Paulo', now(), p.interval, p.interval_count,
         1, 0, 0, $6, $7, 1, 1, false, CASE WHEN $4 = 'canceled' THEN now() END, false, false, now(), now(), now()
       FROM plans p WHERE p.id = $3`,
    [companyId, customerId, planId, status, vaultCardId, row.couponId ?? null, row.couponCyclesUsed ?? 0, id],
  );
  return id;
}

export async function cancelSubscription(db: Database, id: SubscriptionId): Promise<void> {
  await db.query(`UPDATE subscriptions SET status = 'canceled', canceled_at = now() WHERE uuid = $1`, [id]);
}

/** Makes a payment the charge of a subscription's first cycle. */
export async function makeRecurring(
  db: Database,
  transactionId: string,
  charge: {
    subscriptionId: SubscriptionId;
    recurring?: { sequence: 'first' | 'subsequent'; networkTransactionId: string | null };
    attemptsAllowed?: number;
  },
): Promise<void> {
  const { subscriptionId, recurring = null, attemptsAllowed = null } = charge;
  await db.query(
    `WITH cycle AS (
       INSERT INTO billing_cycles (id, subscription_id, company_id, number, status, amount_cents, discount_cents,
         charge_cents, period_start, period_end, due_at, retry_count, irreversible, created_at, updated_at)
       SELECT uuidv7(), id, company_id, 1, 'failed', 4990, 0, 4990, now(), now() + interval '1 month', now(), 0, false,
         now(), now()
       FROM subscriptions WHERE uuid = $2 RETURNING id)
     UPDATE payments SET subscription_id = $2, billing_cycle_id = cycle.id, recurring = $3, attempts_allowed = $4
     FROM cycle WHERE transaction_id = $1`,
    [transactionId, subscriptionId, recurring && JSON.stringify(recurring), attemptsAllowed],
  );
}

function idOf(rows: readonly object[]): number {
  const [row] = rows as ReadonlyArray<{ id: number }>;
  if (row === undefined) throw new Error('nothing was inserted');
  return row.id;
}
