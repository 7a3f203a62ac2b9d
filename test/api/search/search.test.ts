import { randomUUID } from 'node:crypto';
import type { components } from '../../../src/http/generated/openapi';
import { paymentRequest, rawCard } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { newKey, sale } from '../support/payment-scenario';
import { registerDashboardCompany, type DashboardCompany } from '../dashboard/dashboard-company';

type Results = components['schemas']['SearchResults'];

let api: EngineApi;
let company: DashboardCompany;
beforeAll(async () => {
  api = await startEngineApi();
  company = await registerDashboardCompany(api, ['gateway_1']);
});
afterAll(() => api.stop());

async function search(q: string, { byToken } = company): Promise<Results> {
  return expectStatus(await byToken('search', { query: { q } }), 200).body.data;
}

const paymentsFor = async (q: string) =>
  (await search(q)).payments.results.map(({ merchant_order_id: order, match }) => [order, match]);
const customersFor = async (q: string) =>
  (await search(q)).customers.results.map(({ name, match }) => [name, match]);

const JOAO = { name: 'João Antônio d’Ávila', email: 'joao@example.com', document: '11144477735' };
const FIRM = { name: 'Padaria São Bento', email: 'contas@saobento.example.com', document: '12ABC34501DE35' };

describe('GET /user/search', () => {
  const key = newKey();
  let joao: string;
  let paid: components['schemas']['Payment'];
  beforeAll(async () => {
    const { byKey } = company;
    joao = expectStatus(await byKey('createCustomer', { body: JOAO }), 201).body.data.token;
    expectStatus(await byKey('createCustomer', { body: FIRM }), 201);
    const body = paymentRequest({
      ...{ merchant_order_id: 'Pedido-ABC-1', amount: 18_990, customer: { token: joao } },
      ...{ card: rawCard('5555555555554444') },
    });
    paid = expectStatus(await byKey('createCardPayment', { body, headers: key }), 200).body;
    await sale(byKey, { merchant_order_id: 'pedido-abc-22', amount: 700 });
  });

  it.each([
    ['João Antônio d’Ávila', 'name'],
    ['avila joao', 'name'],
    ['ANTON', 'name'],
    ['joao@example.com', 'email'],
    ['JOAO@EXAMPLE.COM', 'email'],
    ['111.444.777-35', 'document'],
    ['11144477735', 'document'],
  ])('finds a customer and the newest payments by %s', async (q, match) => {
    const found = await search(q);
    expect(found.customers).toEqual({
      has_more: false,
      results: [{ token: joao, ...JOAO, document: '***.444.777-**', match }],
    });
    expect(found.payments.results).toMatchObject([
      { transaction_id: paid.transaction_id, match: 'customer' },
    ]);
  });

  it('finds a customer by its token, and a company by its CNPJ in any case', async () => {
    expect(await customersFor(joao)).toEqual([[JOAO.name, 'token']]);
    expect(await customersFor('12.abc.345/01de-35')).toEqual([[FIRM.name, 'document']]);
    expect(await customersFor('bento padaria')).toEqual([[FIRM.name, 'name']]);
  });

  it.each([['18990'], ['189.90'], ['189,90'], ['R$ 189,90']])(
    'finds a payment by the amount %s',
    async (q) => {
      expect(await paymentsFor(q)).toEqual([['Pedido-ABC-1', 'amount']]);
    },
  );

  it('finds a payment by the last four digits of its card', async () => {
    expect(await search('4444')).toMatchObject({
      payments: { results: [{ transaction_id: paid.transaction_id, last_4_digits: '4444', match: 'card' }] },
    });
  });

  it('finds payments by how their order begins, in any case, an exact order first', async () => {
    const both = [
      ['Pedido-ABC-1', 'order'],
      ['pedido-abc-22', 'order'],
    ];
    expect(await paymentsFor('PEDIDO-abc')).toEqual(both);
    expect(await paymentsFor('pedido-abc-22')).toEqual(both.slice(1));
    expect(await paymentsFor('abc')).toEqual([]);
    // A text is no pattern.
    expect(await paymentsFor('pedido%')).toEqual([]);
  });

  it('finds a payment by its id, by an idempotency key and by the gateway’s id', async () => {
    const order = 'Pedido-ABC-1';
    expect(await paymentsFor(paid.transaction_id.toUpperCase())).toEqual([[order, 'id']]);
    expect(await paymentsFor(key['Idempotency-Key'])).toEqual([[order, 'idempotency_key']]);
    const [attempt] = paid.transactions;
    expect(await paymentsFor(attempt?.gateway_transaction_id ?? '')).toEqual([[order, 'gateway_id']]);
  });

  it('finds a subscription by its id and by its customer', async () => {
    const { byKey } = company;
    const plan = { name: 'Prata', amount: 4_990, currency: 'BRL', interval: 'monthly' };
    const { id: planId } = expectStatus(await byKey('createPlan', { body: plan }), 201).body.data;
    const body = {
      plan_id: planId,
      customer: { name: 'Beatriz Nogueira', email: 'bia@example.com', document: '52998224725' },
      card: rawCard('4111111111111111'),
    };
    const { id } = expectStatus(await byKey('createSubscription', { body }), 201).body.data;
    const results = [
      { id, plan_name: 'Prata', customer_name: 'Beatriz Nogueira', amount: 4_990, status: 'active' },
    ];
    for (const q of [id, 'beatriz', 'bia@example.com'])
      expect((await search(q)).subscriptions).toMatchObject({ has_more: false, results });
  });

  it('finds a payment link by its token and by how its name or address begins', async () => {
    const body = { name: 'Oficina de cerâmica', slug: 'oficina-x', type: 'one_time', amount: 18_000 };
    const { token } = expectStatus(await company.byKey('createPaymentLink', { body }), 201).body.data;
    for (const q of [token, 'OFICINA de', 'oficina-x'])
      expect((await search(q)).payment_links.results).toMatchObject([{ token, name: body.name }]);
    expect((await search('cerâmica')).payment_links.results).toEqual([]);
  });

  it('finds an event by its id, and by the id of one of its webhooks', async () => {
    const url = 'https://receiver.example.com/hooks';
    expectStatus(
      await company.byToken('createWebhookEndpoint', { body: { url, events: ['transaction.approved'] } }),
      201,
    );
    const payment = await sale(company.byKey);
    const params = { id: payment.transaction_id };
    const detail = await waitFor(async () => {
      const { data } = expectStatus(await company.byToken('getUserPayment', { params }), 200).body;
      return data.deliveries.length > 0 && data;
    });
    const [delivery] = detail.deliveries;
    const [event] = detail.events;
    const results = [
      { id: event?.id, event: 'transaction.approved', transaction_id: payment.transaction_id },
    ];
    expect((await search(String(event?.id ?? ''))).events).toMatchObject({ results });
    expect((await search(delivery?.webhook_id ?? '')).events).toMatchObject({ results });
  });

  it('says whether more match, and shows at most ten of a kind', async () => {
    for (let number = 0; number < 11; number += 1)
      await sale(company.byKey, { merchant_order_id: `many-${number}`, amount: 900 });
    const { payments } = await search('many-');
    expect([payments.results.length, payments.has_more]).toEqual([10, true]);
    expect((await search('many-10')).payments).toMatchObject({ has_more: false });
  });

  it('finds nothing of another company, nor in the other mode', async () => {
    const other = await registerDashboardCompany(api, ['gateway_1']);
    const texts = ['joao', JOAO.email, JOAO.document, joao, '18990', '4444', 'pedido', paid.transaction_id];
    const counts = ({ customers, payments }: Results) => customers.results.length + payments.results.length;
    for (const q of texts) {
      expect([q, counts(await search(q))]).not.toEqual([q, 0]);
      expect([q, counts(await search(q, other))]).toEqual([q, 0]);
      const live = await company.byToken('search', { query: { q }, headers: { 'X-Mode': 'live' } });
      expect([q, counts(expectStatus(live, 200).body.data)]).toEqual([q, 0]);
    }
  });

  it('refuses a card number, which should be in no address, and names the way to search for a card', async () => {
    const { body } = expectStatus(
      await company.byToken('search', { query: { q: '4111 1111 1111 1111' } }),
      422,
    );
    expect(body).toMatchObject({ errors: { q: [expect.stringContaining('last four digits')] } });
  });
});

describe('a customer’s name', () => {
  const named = () => {
    const mark = randomUUID()
      .replaceAll(/[^a-f]/g, '')
      .padEnd(4, 'z');
    const document = String(10_000_000_000 + Math.floor(Math.random() * 89_999_999_999)).slice(0, 11);
    return { name: `Quirino${mark} Teste`, email: `${randomUUID()}@example.com`, document };
  };

  it('is found as it is now after a change, and no longer as it was', async () => {
    const before = named();
    const created = expectStatus(await company.byKey('createCustomer', { body: before }), 201).body.data;
    const body = { name: 'Xisto Novo' };
    expectStatus(await company.byKey('updateCustomer', { params: { token: created.token }, body }), 200);
    expect(await customersFor(before.name)).toEqual([]);
    expect(await customersFor('xisto')).toEqual([['Xisto Novo', 'name']]);
    const { db } = api.engine.context;
    expect(await api.engine.context.customerSearch.hashNames(1_000)).toBe(0);
    expect(
      await db.query(
        'SELECT 1 FROM customers WHERE name_hashed_at IS DISTINCT FROM updated_at AND erased_at IS NULL',
      ),
    ).toEqual([]);
  });

  it('is found once a sweeper has hashed it, if an earlier release wrote it', async () => {
    const person = named();
    const { token } = expectStatus(await company.byKey('createCustomer', { body: person }), 201).body.data;
    const { db, customerSearch } = api.engine.context;
    await db.query(
      'DELETE FROM customer_names WHERE customer_id = (SELECT id FROM customers WHERE token = $1)',
      [token],
    );
    await db.query('UPDATE customers SET name_hashed_at = NULL WHERE token = $1', [token]);
    await waitFor(async () => {
      await customerSearch.hashNames(50);
      return (await customersFor(person.name)).length === 1;
    });
  });

  it('leaves no hash behind once the customer is erased, and finds nobody', async () => {
    const person = named();
    const { id, token } = expectStatus(await company.byKey('createCustomer', { body: person }), 201).body
      .data;
    const { db } = api.engine.context;
    const hashes = () => db.query('SELECT 1 FROM customer_names WHERE customer_id = $1', [id]);
    expect((await hashes()).length).toBeGreaterThan(4);
    expectStatus(await company.byKey('eraseCustomer', { params: { token } }), 204);
    expect(await hashes()).toEqual([]);
    for (const q of [person.name, person.email, person.document, token])
      expect(await customersFor(q)).toEqual([]);
  });
});
