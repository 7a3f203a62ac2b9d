import { randomUUID } from 'node:crypto';
import { insertCustomer } from '../support/fixtures/companies';
import { createAppContext, type AppContext } from '../../src/composition/app-context';
import { dashboardDays, previousPeriod } from '../../src/domain/time/dashboard-period';
import { CounterRepository } from '../../src/persistence/read-models/counter-repository';
import { DashboardReader } from '../../src/persistence/read-models/dashboard';
import { createTestDatabase, testConfig } from '../support/stack/test-config';

let context: AppContext;
beforeAll(async () => {
  context = createAppContext(testConfig({}, await createTestDatabase()));
});
afterAll(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

/** A payment every 17 minutes for 40 days, each with one or two charges, in various states. */
async function fill(): Promise<number> {
  const name = randomUUID();
  const { id } = await context.companies.insert({
    mode: 'test',
    name: 'Loja',
    clientId: name,
    apiKeyHash: name,
  });
  await context.db.inTransaction((tx) => insertCustomer(context, tx, id));
  await context.db.query(
    `INSERT INTO payments (transaction_id, company_id, merchant_order_id, amount_cents, currency, payment_method, status,
       message, capture, installments, customer_id, customer, last_gateway, captured_amount_cents, requested_at, created_at, updated_at)
     SELECT uuidv7(), $1, 'A', 100 + n, (ARRAY['BRL', 'USD'])[n % 2 + 1], 'card',
       (ARRAY['approved', 'failed', 'refunded', 'processing', 'pending'])[n % 5 + 1], '', true, 1, c.id, '{}',
       'gateway_' || n % 3 + 1, n % 100, at, at, at
     FROM generate_series(0, 3400) AS n, customers c,
       LATERAL (SELECT timestamptz '2026-01-10T00:07:13Z' + n * interval '17 minutes' AS at) t WHERE c.company_id = $1`,
    [id],
  );
  await context.db.query(
    `INSERT INTO gateway_attempts (id, payment_id, company_id, attempt, operation, gateway_slug, reference,
       status, amount_cents, response_code, created_at, updated_at)
     SELECT uuidv7(), p.id, p.company_id, n, 'charge', 'gateway_' || (p.id + n) % 3 + 1, p.transaction_id || '-' || n,
       (ARRAY['declined', 'error', 'approved', 'sent'])[p.id % 4 + 1], 100, (ARRAY['51', '05', NULL])[p.id % 3 + 1], at, at
     FROM payments p, generate_series(1, 1 + (p.id % 4 < 2)::integer) AS n,
       LATERAL (SELECT p.created_at + n * interval '3 minutes' AS at) t WHERE p.company_id = $1`,
    [id],
  );
  return id;
}

it.each(['America/Sao_Paulo', 'UTC', 'Asia/Kolkata', 'Asia/Kathmandu'])(
  'the dashboard counts payments and charges by the days of %s as plain SQL does, with any number of deltas applied',
  async (timezone) => {
    const companyId = await fill();
    const counters = new CounterRepository(context.db);
    const days = dashboardDays({ from: '2026-01-12', to: '2026-02-13' }, timezone, new Date());
    const reader = new DashboardReader(context.db);
    for (const limit of [0, 1_500, 10_000]) {
      if (limit > 0) await counters.applyDeltas(limit);
      const { payments, charges, declines } = await reader.load(
        companyId,
        days,
        previousPeriod(days, timezone),
      );
      expect(payments).toEqual(await plainPayments(companyId, timezone));
      const plain = await plainCharges(companyId, timezone);
      expect(byName(charges)).toEqual(byName(plain.charges));
      expect(declines).toEqual(plain.declines);
    }
  },
);

function byName(charges: ReadonlyArray<{ gateway: string; status: string; charges: number }>): string[] {
  return charges.map(({ gateway, status, charges: count }) => `${gateway} ${status} ${count}`).sort();
}

const ON_DAYS = `(created_at AT TIME ZONE $2)::date BETWEEN '2026-01-12' AND '2026-02-13'`;

function plainPayments(companyId: number, timezone: string): Promise<object[]> {
  return context.db.query(
    `SELECT (created_at AT TIME ZONE $2)::date - date '2026-01-12' AS day, currency, status, count(*) AS payments,
       sum(amount_cents)::bigint AS "amountCents", sum(captured_amount_cents)::bigint AS "capturedCents",
       sum(refunded_amount_cents)::bigint AS "refundedCents"
     FROM payments WHERE company_id = $1 AND ${ON_DAYS} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    [companyId, timezone],
  );
}

async function plainCharges(companyId: number, timezone: string) {
  const settled = `company_id = $1 AND ${ON_DAYS} AND status <> 'sent'`;
  const charges = await context.db.query<{ gateway: string; status: string; charges: number }>(
    `SELECT gateway_slug AS gateway, status, count(*) AS charges FROM gateway_attempts WHERE ${settled} GROUP BY 1, 2`,
    [companyId, timezone],
  );
  const declines = await context.db.query(
    `SELECT coalesce(response_code, '') AS "responseCode", count(*) AS charges FROM gateway_attempts
      WHERE ${settled} AND status = 'declined' GROUP BY 1 ORDER BY 2 DESC, 1`,
    [companyId, timezone],
  );
  return { charges, declines };
}
