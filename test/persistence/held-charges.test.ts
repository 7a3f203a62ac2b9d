import { randomUUID } from 'node:crypto';
import { insertCustomer } from '../support/fixtures/companies';
import { createAppContext, type AppContext } from '../../src/composition/app-context';
import { HeldChargeRepository } from '../../src/persistence/subscriptions/held-charge-repository';
import { insertPlan, insertSubscription } from '../support/fixtures/recurring-rows';
import { createTestDatabase, testConfig } from '../support/stack/test-config';

const HELD_AT = new Date('2026-05-01T12:00:00Z');
const later = (seconds: number): Date => new Date(+HELD_AT + seconds * 1_000);

let context: AppContext;
let held: HeldChargeRepository;
beforeAll(async () => {
  context = createAppContext(testConfig({}, await createTestDatabase()));
  held = new HeldChargeRepository(context.db);
});
afterAll(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

interface HeldCompany {
  readonly id: number;
  /** The public ids, in the order in which they were last tried. */
  readonly subscriptions: readonly string[];
}

async function companyWithHeldCharges(count: number): Promise<HeldCompany> {
  const name = randomUUID();
  const { id } = await context.companies.insert({
    mode: 'test',
    name: 'Loja',
    clientId: name,
    apiKeyHash: name,
  });
  const customer = await context.db.inTransaction((tx) => insertCustomer(context, tx, id));
  const planId = await insertPlan(context.db, id);
  const subscriptions: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const uuid = await insertSubscription(context.db, {
      companyId: id,
      customerId: customer.id,
      planId,
    });
    subscriptions.push(uuid);
    await context.db.query('UPDATE subscriptions SET hold_checked_at = $2 WHERE uuid = $1', [
      uuid,
      later(index),
    ]);
  }
  return { id, subscriptions };
}

async function cardPayment({ id }: HeldCompany, status: string, createdAt: Date): Promise<void> {
  await context.db.query(
    `INSERT INTO payments (transaction_id, company_id, merchant_order_id, amount_cents, currency, payment_method, status,
       code, message, capture, installments, customer_id, customer, requested_at, created_at, updated_at)
     SELECT uuidv7(), $1, 'A', 100, 'BRL', 'card', $2, CASE WHEN $2 = 'failed' THEN 'gateway_error' END, '', true, 1, c.id,
       '{}', $3, $3, $3 FROM customers c WHERE c.company_id = $1`,
    [id, status, createdAt],
  );
}

const release = async (now: Date): Promise<string[]> =>
  (await held.release(50, 2, now)).map(({ uuid }) => uuid);

it('releases charges on hold once a gateway answers, the oldest first, and at most so many a minute for a company', async () => {
  const company = await companyWithHeldCharges(5);
  const [first, second, third, fourth, fifth] = company.subscriptions;
  const other = await companyWithHeldCharges(1);
  await cardPayment(company, 'approved', later(-60));
  await cardPayment(company, 'failed', later(20));
  expect(await release(later(30))).toEqual([]);

  await cardPayment(company, 'approved', later(40));
  expect((await release(later(41))).sort()).toEqual([first, second].sort());
  expect(await release(later(42))).toEqual([]);
  // One of them was tried and not answered again.
  await context.db.query('UPDATE subscriptions SET hold_checked_at = $2 WHERE uuid = $1', [first, later(43)]);
  expect((await release(later(102))).sort()).toEqual([third, fourth].sort());
  expect(await release(later(163))).toEqual([fifth]);

  await cardPayment(company, 'approved', later(164));
  expect(await release(later(165))).toEqual([first]);
  await cardPayment(other, 'approved', later(166));
  expect(await release(later(167))).toEqual(other.subscriptions);
});

it('releases no charge that is being sent, paused or answered too long ago', async () => {
  const company = await companyWithHeldCharges(3);
  const [sent, paused, waiting] = company.subscriptions;
  await context.db.query(`UPDATE subscriptions SET open_charge = 'cycle' WHERE uuid = $1`, [sent]);
  await context.db.query(`UPDATE subscriptions SET status = 'paused' WHERE uuid = $1`, [paused]);
  await cardPayment(company, 'approved', later(40));
  expect(await release(later(400))).toEqual([]);
  expect(await release(later(50))).toEqual([waiting]);
});
