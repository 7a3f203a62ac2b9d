import fc from 'fast-check';
import { createAppContext, type AppContext } from '../../src/composition/app-context';
import { daysIn } from '../../src/domain/time/day-range';
import { PAYMENT_STATUSES, type PaymentMethod, type PaymentStatus } from '../../src/domain/payments/payment';
import { CounterRepository } from '../../src/persistence/read-models/counter-repository';
import { paymentConditions } from '../../src/persistence/read-models/payment-conditions';
import type { PaymentListFilter } from '../../src/persistence/read-models/payment-conditions';
import { PaymentList } from '../../src/persistence/read-models/payment-list';
import { insertCompany, insertCustomer } from '../support/fixtures/companies';
import { createTestDatabase, testConfig } from '../support/stack/test-config';

/*
 * The list uses counters instead of OFFSET and count(*). Whatever was inserted, updated, deleted and applied to the
 * counters before, its result must be the same.
 */

let context: AppContext;
let counters: CounterRepository;
let list: PaymentList;
let customerId: number;
beforeAll(async () => {
  context = createAppContext(testConfig({}, await createTestDatabase()));
  counters = new CounterRepository(context.db);
  list = new PaymentList(context.db, context.payments, context.attempts, context.deliveries);
  const companyId = await insertCompany(context);
  const customer = await context.db.inTransaction((tx) => insertCustomer(context, tx, companyId));
  customerId = customer.id;
});
afterAll(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

interface Shape {
  readonly status: PaymentStatus;
  readonly method: PaymentMethod;
  readonly gateway: string | null;
  readonly createdAt: Date;
  readonly amount: number;
}

async function insert(companyId: number, shapes: readonly Shape[]): Promise<void> {
  for (const { status, method, gateway, createdAt, amount } of shapes) {
    await context.db.query(
      `INSERT INTO payments (transaction_id, company_id, merchant_order_id, amount_cents, currency, payment_method, status,
         message, capture, installments, customer_id, customer, last_gateway, requested_at, created_at, updated_at)
       VALUES (uuidv7(), $1, 'A', $2, 'BRL', $3, $4, '', true, 1, $5, '{}', $6, $7, $7, $7)`,
      [companyId, amount, method, status, customerId, gateway, createdAt],
    );
  }
}

/** The same query with OFFSET and count(*). */
async function expectedPage(
  companyId: number,
  timezone: string,
  filter: PaymentListFilter,
  page: { number: number; size: number },
): Promise<{ ids: number[]; total: number }> {
  const { from, to } = daysIn(timezone, filter.startDate, filter.endDate);
  const where = `company_id = $1 AND created_at >= $2 AND created_at < $3 AND ($4::text IS NULL OR status = $4)
    AND ($5::text IS NULL OR payment_method = $5) AND ($6::text IS NULL OR last_gateway = $6) AND amount_cents >= $7`;
  const { status = null, paymentMethod = null, gateway = null, amountFrom = 0 } = filter;
  const values = [companyId, from, to, status, paymentMethod, gateway, amountFrom];
  const rows = await context.db.query<{ id: number }>(
    `SELECT id FROM payments WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT $8 OFFSET $9`,
    [...values, page.size, (page.number - 1) * page.size],
  );
  const [counted] = await context.db.query<{ count: number }>(
    `SELECT count(*) FROM payments WHERE ${where}`,
    values,
  );
  return { ids: rows.map(({ id }) => id), total: counted?.count ?? 0 };
}

const statuses = fc.constantFrom(...PAYMENT_STATUSES);
const methods = fc.constantFrom('card' as const, 'pix' as const);
const gateways = fc.constantFrom('gateway_1' as const, 'gateway_2' as const);
/** Around the boundaries of hours, days, months and a year, several at the same instant. */
const instants = fc
  .tuple(
    fc.constantFrom('2025-12-31T23', '2026-01-01T00', '2026-01-31T18', '2026-02-01T02', '2026-02-01T03'),
    fc.constantFrom('00:00.000', '29:59.999', '30:00.000', '59:59.999'),
  )
  .map(([hour, rest]) => new Date(`${hour}:${rest}Z`));
const shapes = fc.record<Shape>({
  status: statuses,
  method: methods,
  gateway: fc.option(gateways),
  createdAt: instants,
  amount: fc.constantFrom(100, 200),
});
const days = fc.option(
  fc.constantFrom('2025-12-31', '2026-01-01', '2026-01-02', '2026-01-31', '2026-02-01'),
  { nil: undefined },
);
const filters = fc.record({
  startDate: days,
  endDate: days,
  status: fc.option(statuses, { nil: undefined }),
  paymentMethod: fc.option(methods, { nil: undefined }),
  gateway: fc.option(gateways, { nil: undefined }),
  amountFrom: fc.constantFrom(undefined, undefined, 150),
}) satisfies fc.Arbitrary<PaymentListFilter>;
const queries = fc.record({
  filter: filters,
  timezone: fc.constantFrom('America/Sao_Paulo', 'UTC', 'Asia/Kolkata', 'Pacific/Kiritimati'),
  page: fc.record({ number: fc.integer({ min: 1, max: 6 }), size: fc.integer({ min: 1, max: 7 }) }),
});
const steps = fc.oneof(
  fc.record({ insert: fc.array(shapes, { minLength: 1, maxLength: 12 }) }),
  fc.record({
    update: fc.record({ from: statuses, to: statuses, gateway: gateways, amount: fc.constantFrom(100, 200) }),
  }),
  fc.record({ applyDeltas: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ remove: statuses }),
  fc.record({ query: queries }),
);

it('a page and its total equal those of OFFSET and count(*) after any sequence of changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(steps, { maxLength: 12 }),
      fc.array(queries, { minLength: 4 }),
      async (first, last) => {
        const companyId = await insertCompany(context);
        for (const step of [...first, ...last.map((query) => ({ query }))]) {
          if ('insert' in step) await insert(companyId, step.insert);
          else if ('applyDeltas' in step) await counters.applyDeltas(step.applyDeltas);
          else if ('update' in step) {
            await context.db.query(
              `UPDATE payments SET status = $3, last_gateway = $4 WHERE company_id = $1 AND status = $2 AND amount_cents = $5`,
              [companyId, step.update.from, step.update.to, step.update.gateway, step.update.amount],
            );
          } else if ('remove' in step) {
            await context.db.query(
              `DELETE FROM payments WHERE company_id = $1 AND status = $2 AND amount_cents = 100`,
              [companyId, step.remove],
            );
          } else {
            const { filter, timezone, page } = step.query;
            const { rows, total } = await list.load({ id: companyId, timezone }, filter, page);
            expect({ ids: rows.map(({ payment }) => payment.id), total }).toEqual(
              await expectedPage(companyId, timezone, filter, page),
            );
          }
        }
      },
    ),
    { numRuns: 80 },
  );
});

it('a page and its total are exact at every instant while payments change and workers apply deltas concurrently', async () => {
  const companyId = await insertCompany(context);
  const createdAt = new Date('2026-03-10T12:00:00Z');
  const shape = { method: 'card', gateway: 'gateway_1', createdAt, amount: 100 } as const;
  const transitions = [
    ['processing', 'pending'],
    ['pending', 'approved'],
    ['approved', 'refunded'],
  ] as const;
  await insert(
    companyId,
    Array.from({ length: 60 }, () => ({ ...shape, status: 'processing' as const })),
  );
  let updating = true;
  const updater = async (): Promise<void> => {
    for (const [from, to] of transitions) {
      const ids = await context.db.query<{ id: number }>('SELECT id FROM payments WHERE company_id = $1', [
        companyId,
      ]);
      for (const { id } of ids) {
        await context.db.query('UPDATE payments SET status = $3 WHERE id = $1 AND status = $2', [
          id,
          from,
          to,
        ]);
      }
    }
    updating = false;
  };
  const applier = async (): Promise<void> => {
    while (updating) await counters.applyDeltas(7);
  };
  const seen: Array<{ total: number; ids: number }> = [];
  const reader = async (): Promise<void> => {
    while (updating) {
      const company = { id: companyId, timezone: 'America/Sao_Paulo' };
      const { rows, total } = await list.load(company, {}, { number: 3, size: 20 });
      seen.push({ total, ids: new Set(rows.map(({ payment }) => payment.id)).size });
    }
  };
  await Promise.all([updater(), applier(), applier(), reader(), reader()]);
  expect(seen.length).toBeGreaterThan(5);
  expect(new Set(seen.map((each) => JSON.stringify(each)))).toEqual(new Set(['{"total":60,"ids":20}']));
});

it('payments are found by metadata through an index that reads no other company’s payments', async () => {
  const [companyId, other] = [await insertCompany(context), await insertCompany(context)];
  const shape = {
    method: 'card',
    status: 'approved',
    gateway: null,
    createdAt: new Date(),
    amount: 100,
  } as const;
  await insert(companyId, [shape]);
  await insert(other, Array<Shape>(20).fill(shape));
  await context.db.query(`UPDATE payments SET metadata = '{"store": "1"}' WHERE company_id IN ($1, $2)`, [
    companyId,
    other,
  ]);
  const filter = { metadata: { key: 'store', value: '1' } };
  const { from, where, values } = paymentConditions(companyId, daysIn('UTC', undefined, undefined), filter);
  const plan = await context.db.queryComposed<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT id FROM ${from} WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT 15`,
    values,
  );
  const text = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect(text).toMatch(/Bitmap Index Scan on payments_metadata \(actual rows=1(\.00)? /);
});

it('concurrent workers apply every delta exactly once', async () => {
  while (
    (await Promise.all([counters.applyDeltas(50), counters.applyDeltas(50)])).some((applied) => applied > 0)
  );
  const [left] = await context.db.query<{ left: number }>(
    'SELECT count(*) AS left FROM payment_counter_deltas',
  );
  expect(left).toEqual({ left: 0 });
  const counted = await context.db.query(
    `SELECT c.company_id, c.status, sum(c.payments)::bigint AS payments, sum(c.amount_cents)::bigint AS cents
       FROM payment_counters c WHERE grain = 'month' GROUP BY 1, 2 HAVING sum(payments) <> 0 ORDER BY 1, 2`,
  );
  const plain = await context.db.query(
    `SELECT company_id, status, count(*) AS payments, sum(amount_cents)::bigint AS cents FROM payments
      WHERE status <> 'processing' GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  expect(counted).toEqual(plain);
  expect(plain.length).toBeGreaterThan(0);
});
