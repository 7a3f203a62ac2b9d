import { createAppContext, type AppContext } from '../../src/composition/app-context';
import { createExports } from '../../src/composition/api-payments';
import type { Exports } from '../../src/application/exports/exports';
import { ExportKeyReader } from '../../src/persistence/read-models/export-keys';
import { insertCompany, insertCustomer } from '../support/fixtures/companies';
import { createTestDatabase, testConfig } from '../support/stack/test-config';

/** More than two statements read. */
const PAYMENTS = 4_500;

let context: AppContext;
let exports: Exports;
let company: { id: number; timezone: string };
beforeAll(async () => {
  context = createAppContext(testConfig({}, await createTestDatabase()));
  exports = createExports(context);
  company = { id: await insertCompany(context), timezone: 'UTC' };
  const other = await insertCompany(context);
  await context.db.inTransaction((tx) => insertCustomer(context, tx, company.id));
  await insertPayments(company.id, 0, PAYMENTS);
  await insertPayments(other, 0, 100);
  await context.db.query('ANALYZE payments');
});
afterAll(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

/** Three at each instant, each with two refunds and the shares of two recipients. */
async function insertPayments(companyId: number, from: number, to: number): Promise<void> {
  await context.db.query(
    `WITH paid AS (
       INSERT INTO payments (transaction_id, company_id, merchant_order_id, amount_cents, currency, payment_method, status,
         message, capture, installments, customer_id, customer, captured_amount_cents, metadata, requested_at, created_at,
         updated_at)
       SELECT uuidv7(), $1, 'order-' || n, 100 + n, 'BRL', 'card', 'approved', '', true, 1, c.id, '{}', 100,
         jsonb_build_object('till', (n % 1000)::text), at, at, at
       FROM generate_series($2::integer, $3 - 1) AS n, LATERAL (SELECT id FROM customers LIMIT 1) c,
         LATERAL (SELECT timestamptz '2026-01-10T00:00:00.000123Z' + n / 3 * interval '1 minute' AS at) t
       RETURNING id, company_id, transaction_id, created_at)
     INSERT INTO gateway_attempts (id, payment_id, company_id, attempt, operation, gateway_slug, reference, status,
       amount_cents, splits, created_at, updated_at)
     SELECT uuidv7(), id, company_id, n, operation, 'gateway_1', transaction_id || operation || n, status, 50, splits,
       created_at, created_at
     FROM paid, (VALUES (1, 'charge', 'approved'), (1, 'refund', 'refunded'), (2, 'refund', 'declined')) o (n, operation, status),
       (SELECT '[{"recipientId": "a", "amountCents": 30}, {"recipientId": "b", "amountCents": 20}]'::jsonb AS splits)
     WHERE paid.id % 20 = 0 OR n = 1 AND operation = 'charge'`,
    [companyId, from, to],
  );
}

async function all<Row>(pages: AsyncGenerator<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

const transactionIds = (sql: string): Promise<string[]> =>
  context.db
    .query<{ id: string }>(`SELECT transaction_id AS id FROM payments WHERE company_id = $1 ${sql}`, [
      company.id,
    ])
    .then((rows) => rows.map(({ id }) => id));

const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC';

describe('an export', () => {
  it('has every payment that existed when it began once, newest first, while payments change and are made', async () => {
    const expected = await transactionIds(NEWEST_FIRST);
    const seen: string[] = [];
    let made = PAYMENTS;
    for await (const page of exports.payments(company, {}, null)) {
      seen.push(...page.map(({ transactionId }) => transactionId));
      await insertPayments(company.id, made, (made += 2));
      await context.db.query(
        `UPDATE payments SET status = 'refunded' WHERE id IN (
           SELECT id FROM payments WHERE company_id = $1 AND status = 'approved' ORDER BY random() LIMIT 20)`,
        [company.id],
      );
    }
    expect(seen).toEqual(expected);
  });

  it('goes on after any row without a gap and without a row twice', async () => {
    const expected = await transactionIds(NEWEST_FIRST);
    for (const position of [
      0,
      1,
      2,
      199,
      200,
      1_999,
      2_000,
      2_001,
      expected.length - 2,
      expected.length - 1,
    ]) {
      const rest = await all(exports.payments(company, {}, expected[position] ?? ''));
      expect(rest.map(({ transactionId }) => transactionId)).toEqual(expected.slice(position + 1));
    }
  });

  it('passes the filters of the list, also if few rows of many pass', async () => {
    const byMetadata = await all(exports.payments(company, { metadata: { key: 'till', value: '7' } }, null));
    expect(byMetadata.map(({ transactionId }) => transactionId)).toEqual(
      await transactionIds(`AND metadata ->> 'till' = '7' ${NEWEST_FIRST}`),
    );
    const onDay = await all(
      exports.payments(company, { startDate: '2026-01-10', endDate: '2026-01-10' }, null),
    );
    expect(onDay).toHaveLength(24 * 60 * 3);
    const withdrawals = await all(exports.payments(company, { transactionType: 'withdraw' }, null));
    expect(withdrawals).toEqual([]);
  });

  it('has every refund once, and goes on after any of them', async () => {
    const refunds = await all(exports.refunds(company, {}, null));
    const [counted] = await context.db.query<{ count: number }>(
      `SELECT count(*) FROM gateway_attempts WHERE company_id = $1 AND operation = 'refund'`,
      [company.id],
    );
    expect(new Set(refunds.map(({ id }) => id)).size).toBe(counted?.count);
    expect(await all(exports.refunds(company, {}, refunds[100]?.id ?? ''))).toEqual(refunds.slice(101));
  });

  it('has every recipient’s share of what was made once, and goes on in the middle of an operation', async () => {
    const splits = await all(exports.splits(company, {}, null));
    const ids = splits.map(({ operation, position }) => `${operation.id}.${position}`);
    const [counted] = await context.db.query<{ count: number }>(
      `SELECT 2 * count(*) AS count FROM gateway_attempts WHERE company_id = $1 AND status <> 'declined'`,
      [company.id],
    );
    expect(new Set(ids).size).toBe(counted?.count);
    for (const position of [100, 101]) {
      expect(await all(exports.splits(company, {}, ids[position] ?? ''))).toEqual(splits.slice(position + 1));
    }
  });

  it('holds no connection while its reader is slow, and gives its slot back when the reader goes away', async () => {
    for (let run = 0; run < 3; run += 1) {
      const pages = exports.payments(company, {}, null);
      expect((await pages.next()).value).toHaveLength(200);
      const [held] = await context.db.query<{ count: number }>(
        `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND state <> 'idle' AND application_name = 'payment-engine'`,
      );
      expect(held).toEqual({ count: 0 });
      await pages.return(undefined);
    }
  });

  it('is refused if two others of the company run', async () => {
    const running = [exports.payments(company, {}, null), exports.refunds(company, {}, null)];
    for (const pages of running) await pages.next();
    await expect(exports.splits(company, {}, null).next()).rejects.toMatchObject({ code: 'rate_limited' });
    for (const pages of running) await pages.return(undefined);
    expect((await exports.splits(company, {}, null).next()).done).toBe(false);
  });

  it.each(['0193a7c2-5e1f-7b44-9d0a-3f2c86e51b70', '0193a7c2-5e1f-7b44-9d0a-3f2c86e51b70.0', '48211-9070'])(
    'does not go on after %s, which is no row of it',
    async (after) => {
      const begun = [
        exports.payments(company, {}, after),
        exports.refunds(company, {}, after),
        exports.splits(company, {}, after),
        exports.subscriptions(company, {}, after),
        ...(after === '48211-9070' ? [] : [exports.events(company, null, after)]),
      ];
      for (const pages of begun)
        await expect(pages.next()).rejects.toMatchObject({
          code: 'validation_error',
          fields: { after: [expect.any(String)] },
        });
    },
  );

  it('reads the rows of a table by an index in their order, so that each statement is short', async () => {
    const { db } = context;
    const plans: string[] = [];
    const explaining = {
      queryComposed: async (sql: string, values: readonly unknown[]) => {
        const lines = await db.queryComposed<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, values);
        plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
        return [];
      },
    };
    const reader = new ExportKeyReader(explaining as unknown as typeof db);
    const range = { from: new Date(0), to: new Date() };
    const after = { at: '2026-01-11T00:00:00Z', id: 5 };
    await reader.payments(company.id, range, { metadata: { key: 'till', value: '7' } }, after);
    await reader.operations(company.id, range, { kind: 'refunds' }, null);
    await reader.operations(company.id, range, { kind: 'splits' }, null);
    expect(plans.map((plan) => /Scan[^(]* using (\w+)/.exec(plan)?.[1])).toEqual([
      'payments_company',
      'gateway_attempts_exported',
      'gateway_attempts_exported',
    ]);
  });
});
