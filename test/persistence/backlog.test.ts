import { createAppContext, type AppContext } from '../../src/composition/app-context';
import { BACKLOG, BacklogReader } from '../../src/persistence/read-models/backlog';
import { insertCompany, insertCustomer } from '../support/fixtures/companies';
import { holdCharge, insertPlan, insertSubscription } from '../support/fixtures/recurring-rows';
import { createTestDatabase, testConfig } from '../support/stack/test-config';

const NOW = new Date('2026-05-01T12:00:00Z');
const ago = (seconds: number): Date => new Date(+NOW - seconds * 1_000);

let context: AppContext;
let reader: BacklogReader;
beforeAll(async () => {
  context = createAppContext(testConfig({}, await createTestDatabase()));
  reader = new BacklogReader(context.db);
});
afterAll(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

/** Those that wait, as `kind: count, age in seconds`. */
async function waiting(): Promise<string[]> {
  const backlog = await reader.read(NOW);
  return backlog.waiting
    .filter(({ count }) => count > 0)
    .map(({ kind, count, oldestAgeSeconds }) => `${kind}: ${count}, ${oldestAgeSeconds}`);
}

async function insertPayment(companyId: number, columns: Readonly<Record<string, unknown>>): Promise<number> {
  const values = { status: 'processing', recover_after: null, stuck_at: null, ...columns };
  const row = await context.db.queryOne<{ id: number }>(
    `INSERT INTO payments (transaction_id, company_id, merchant_order_id, amount_cents, currency, payment_method, status,
       message, capture, installments, customer_id, customer, requested_at, created_at, updated_at, recover_after, stuck_at)
     SELECT uuidv7(), $1, 'A', 100, 'BRL', 'card', $2, '', true, 1, c.id, '{}', $3, $3, $3, $4, $5
       FROM customers c WHERE c.company_id = $1 RETURNING id`,
    [companyId, values.status, NOW, values.recover_after, values.stuck_at],
  );
  return row?.id ?? 0;
}

async function insertAttempt(
  companyId: number,
  paymentId: number,
  status: string,
  sentAt: Date,
): Promise<void> {
  await context.db.query(
    `INSERT INTO gateway_attempts (id, payment_id, company_id, attempt, operation, gateway_slug, reference, status,
       amount_cents, sent_at, created_at, updated_at)
     VALUES (uuidv7(), $1, $2, 1, 'charge', 'gateway_1', uuidv7()::text, $3, 100, $4, $4, $4)`,
    [paymentId, companyId, status, sentAt],
  );
}

async function insertCallback(companyId: number, paymentId: number, receivedAt: Date): Promise<void> {
  await context.db.query(
    `INSERT INTO gateway_callbacks (gateway_slug, company_id, payment_id, attempt_id, event_id, kind, body_hash, trusted,
       received_at, recover_after)
     SELECT 'gateway_1', $1, $2, id, 'e', 'status', '', false, $3, $4 FROM gateway_attempts WHERE payment_id = $2`,
    [companyId, paymentId, receivedAt, ago(-2)],
  );
}

/** One that should be sent at each of the times. */
async function insertDeliveries(
  companyId: number,
  recoverAfter: readonly Date[],
  createdAt: Date,
): Promise<void> {
  for (const [index, at] of recoverAfter.entries()) {
    await context.db.query(
      `WITH endpoint AS (
         INSERT INTO webhook_endpoints (company_id, url, events, enabled, sealed_secret, created_at, updated_at)
         VALUES ($1, $2, '{}', true, '{}', $3, $3) RETURNING id),
       event AS (
         INSERT INTO events (company_id, subject_type, subject_id, sequence, type, payload, created_at)
         VALUES ($1, 'test', uuidv7(), 1, 'test', '{}', $3) RETURNING id, subject_id)
       INSERT INTO webhook_deliveries (id, event_id, endpoint_id, company_id, subject_id, next_retry_at, recover_after, created_at)
       SELECT uuidv7(), event.id, endpoint.id, $1, subject_id, $4, $4, $3 FROM event, endpoint`,
      [companyId, `https://example.com/${index}`, createdAt, at],
    );
  }
}

it('tells how much of each kind waits and since when, and nothing of a company', async () => {
  const { db } = context;
  expect(await waiting()).toEqual([]);
  const companyId = await insertCompany(context);
  const customer = await db.inTransaction((tx) => insertCustomer(context, tx, companyId));

  await insertPayment(companyId, { recover_after: ago(40) });
  await insertPayment(companyId, { stuck_at: ago(700) });
  const asked = await insertPayment(companyId, { recover_after: ago(-30) });
  await insertAttempt(companyId, asked, 'unknown', ago(90));
  const sent = await insertPayment(companyId, { recover_after: ago(-30) });
  await insertAttempt(companyId, sent, 'sent', ago(1));

  await insertCallback(companyId, asked, ago(3));
  await insertDeliveries(companyId, [ago(60), ago(-3_600)], ago(200));

  const planId = await insertPlan(db, companyId);
  const [held, overdue] = await Promise.all(
    [0, 1].map(() => insertSubscription(db, { companyId, customerId: customer.id, planId })),
  );
  if (held !== undefined) await holdCharge(db, held, ago(500).toISOString());
  await db.query('UPDATE subscriptions SET recover_after = $2 WHERE uuid = $1', [overdue, ago(20)]);
  await db.query(
    `INSERT INTO gateway_circuits (company_id, gateway_slug, open_until) VALUES ($1, 'gateway_2', $2), ($1, 'gateway_3', $3)`,
    [companyId, ago(-10), ago(10)],
  );

  expect(await waiting()).toEqual([
    'callback: 1, 3',
    'webhook: 2, 200',
    'webhook_overdue: 1, 60',
    'payment_inquiry: 1, 90',
    'payment_review: 1, 700',
    'payment_overdue: 1, 40',
    'renewal_held: 1, 500',
    'subscription_overdue: 1, 20',
  ]);
  const { circuits } = await reader.read(NOW);
  expect(circuits.filter(({ count }) => count > 0)).toEqual([{ gateway: 'gateway_2', count: 1 }]);
  expect(circuits).toHaveLength(7);
});

it('is read from indexes of what waits, so that it costs nothing while nothing waits', async () => {
  const { db } = context;
  const plan = await db.inTransaction(async (tx) => {
    await db.query('SET LOCAL enable_seqscan = off', [], tx);
    return db.queryComposed<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${BACKLOG}`, [NOW], tx);
  });
  const lines = plan.map((line) => line['QUERY PLAN']);
  expect(lines.join('\n')).toContain('payments_overdue');
  expect(lines.filter((line) => line.includes('Seq Scan'))).toEqual([]);
});
