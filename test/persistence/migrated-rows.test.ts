import pg from 'pg';
import type { Mode } from '../../src/domain/shared/mode';
import type { Discount, DiscountType } from '../../src/domain/subscriptions/coupon';
import { monthlyRevenueCents } from '../../src/domain/subscriptions/recurring-revenue';
import type { PlanTerms, SubscriptionStatus } from '../../src/domain/subscriptions/subscription';
import { migrations } from '../../src/persistence/migrations';
import { migrate } from '../../src/persistence/sql/migrator';
import { createEmptyDatabase } from '../support/stack/test-config';

const clients: pg.Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.end())));

/** A database that has only the migrations before `name`, and the way to the newest ones. */
async function before(name: string, mode: Mode = 'test') {
  const url = await createEmptyDatabase();
  const earlier = migrations.slice(
    0,
    migrations.findIndex((migration) => migration.name === name),
  );
  expect((await migrate(url, mode, earlier)).length).toBeGreaterThan(0);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  clients.push(client);
  const rows = async (sql: string): Promise<unknown[]> => (await client.query<object>(sql)).rows;
  return { rows, migrateAll: () => migrate(url, mode) };
}

const COMPANIES = `INSERT INTO companies (client_id, name, slug) VALUES
  ('first', 'First', 'first'), ('second', 'Second', 'second'), ('without', 'Without users', 'without')`;
/** The users of two companies alternate, so that a role by position in the whole table would be wrong. */
const USERS = `INSERT INTO users (company_id, name, email, password_hash)
  SELECT c.id, u.name, u.name || '@example.com', 'none'
    FROM (VALUES (1, 'ana', 'first'), (2, 'bia', 'second'), (3, 'caio', 'first'), (4, 'davi', 'second'), (5, 'eva', 'first'))
           AS u (position, name, company)
    JOIN companies c ON c.client_id = u.company ORDER BY u.position`;

describe('users of a release without roles', () => {
  it('keep what they could do: the first one of each company becomes its owner, the others admins', async () => {
    const { rows, migrateAll } = await before('0012-user-roles');
    await rows(COMPANIES);
    await rows(USERS);
    expect(await migrateAll()).toContain('0012-user-roles');
    expect(await rows('SELECT name, role FROM users ORDER BY id')).toEqual([
      { name: 'ana', role: 'owner' },
      { name: 'bia', role: 'owner' },
      { name: 'caio', role: 'admin' },
      { name: 'davi', role: 'admin' },
      { name: 'eva', role: 'admin' },
    ]);
  });

  it('that it inserts while it still serves are owners, because it only registers the first user of a company', async () => {
    const { rows, migrateAll } = await before('0012-user-roles');
    await rows(COMPANIES);
    await migrateAll();
    await rows(`INSERT INTO users (company_id, name, email, password_hash)
      SELECT id, 'new', 'new@example.com', 'none' FROM companies WHERE client_id = 'without'`);
    expect(await rows('SELECT role FROM users')).toEqual([{ role: 'owner' }]);
  });

  it('have neither a second factor nor a removal, and their API keys keep their scopes', async () => {
    const { rows, migrateAll } = await before('0012-user-roles');
    await rows(COMPANIES);
    await rows(USERS);
    await rows(`INSERT INTO api_keys (company_id, name, key_hash, scopes)
      SELECT id, 'key', 'hash', '{read,write}' FROM companies WHERE client_id = 'first'`);
    await migrateAll();
    const changed = `SELECT count(*)::int AS count FROM users
      WHERE removed_at IS NOT NULL OR totp_enabled_at IS NOT NULL OR sealed_totp IS NOT NULL`;
    expect(await rows(changed)).toEqual([{ count: 0 }]);
    expect(await rows('SELECT scopes, revoked_at FROM api_keys')).toEqual([
      { scopes: ['read', 'write'], revoked_at: null },
    ]);
    expect(await rows('SELECT DISTINCT require_two_factor AS required FROM companies')).toEqual([
      { required: false },
    ]);
  });
});

it.each<Mode>(['test', 'live'])(
  'companies and audit entries of a release without modes belong to the deployment’s own mode: %s',
  async (mode) => {
    const { rows, migrateAll } = await before('0014-modes', mode);
    await rows(COMPANIES);
    await rows(`INSERT INTO audit_log (company_id, action, subject_type, subject_id, changes)
      SELECT id, 'gateway.update', 'gateway', 'gateway_1', '{}' FROM companies WHERE client_id = 'first'`);
    await migrateAll();
    expect(await rows('SELECT DISTINCT mode FROM companies')).toEqual([{ mode }]);
    expect(await rows('SELECT mode FROM audit_log')).toEqual([{ mode }]);
  },
);

it('subscriptions of a release without recurring revenue get what the domain says that they pay in a month', async () => {
  const { rows, migrateAll } = await before('0049-revenue-and-rule-charges');
  await rows(COMPANIES);
  await rows(`INSERT INTO customers (token, company_id, type, erased_at)
    SELECT 'cus_1', id, 'individual', now() FROM companies WHERE client_id = 'first'`);
  await rows(`INSERT INTO plans (uuid, company_id, name, amount_cents, currency, interval, interval_count,
      trial_period_days, min_card_months, is_active, created_at, updated_at)
    SELECT uuidv7(), c.id, 'plan', amount, 'BRL', interval, every, 0, 0, true, now(), now()
      FROM companies c, (VALUES (4990, 'monthly', 1), (60006, 'yearly', 2), (1000, 'weekly', 2), (777, 'daily', 5))
        AS p (amount, interval, every) WHERE c.client_id = 'first'`);
  await rows(`INSERT INTO coupons (uuid, company_id, code, name, discount_type, discount_value, max_cycles, valid_from, is_active,
      created_at, updated_at)
    SELECT uuidv7(), c.id, kind || value, 'coupon', kind, value, max, '2026-01-01', true, now(), now()
      FROM companies c, (VALUES ('percentage', 33, NULL::integer), ('fixed', 700, 3)) AS o (kind, value, max)
      WHERE c.client_id = 'first'`);
  // Each plan without and with each coupon, in each status, before and after the coupon's last cycle.
  await rows(`INSERT INTO subscriptions (uuid, company_id, customer_id, plan_id, plan_amount_cents, plan_currency,
      plan_interval, plan_interval_count, status, card, card_fingerprint, vault_card_id, timezone, starts_at, interval,
      interval_count, period_number, period_value_cents, trial_days, coupon_id, coupon_cycles_used, cycles_opened, cycles_paid,
      cancel_at_period_end, canceled_at, trial_ending_notified, card_expiring_notified, last_transition_at, created_at, updated_at)
    SELECT uuidv7(), p.company_id, cu.id, p.id, p.amount_cents, 'BRL', p.interval, p.interval_count, status, '{}', '',
      uuidv7(), 'UTC', now(), p.interval, p.interval_count, 1, 0, 0, o.id, used, 1, 1, false,
      CASE WHEN status = 'canceled' THEN now() END, false, false, now(), now(), now()
      FROM plans p, customers cu, (SELECT id FROM coupons UNION ALL SELECT NULL) AS o (id),
        unnest(ARRAY['pending', 'trialing', 'active', 'past_due', 'paused', 'canceled']) AS status,
        unnest(ARRAY[0, 3]) AS used`);
  await migrateAll();
  const stored =
    (await rows(`SELECT s.status, s.plan_amount_cents::int AS "amountCents", s.plan_interval AS interval,
      s.plan_interval_count AS "intervalCount", s.coupon_cycles_used AS "cyclesUsed", s.monthly_revenue_cents::int AS revenue,
      c.discount_type AS "discountType", c.discount_value::int AS "discountValue", c.max_cycles AS "maxCycles"
    FROM subscriptions s LEFT JOIN coupons c ON c.id = s.coupon_id`)) as StoredRevenue[];
  expect(stored.length).toBe(4 * 3 * 6 * 2);
  expect(stored.filter(({ revenue }) => revenue > 0).length).toBe(4 * 3 * 2 - 1);
  for (const { status, revenue, cyclesUsed, discountType, discountValue, maxCycles, ...price } of stored) {
    const coupon =
      discountType === null ? null : { discount: { discountType, discountValue, maxCycles }, cyclesUsed };
    const plan = { ...price, planId: 'plan', currency: 'BRL' };
    expect(revenue).toBe(monthlyRevenueCents({ status, plan, coupon }));
  }
});

interface StoredRevenue
  extends Omit<Discount, 'discountType'>, Pick<PlanTerms, 'amountCents' | 'interval' | 'intervalCount'> {
  readonly discountType: DiscountType | null;
  readonly status: SubscriptionStatus;
  readonly revenue: number;
  readonly cyclesUsed: number;
}
