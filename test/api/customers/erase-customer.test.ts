import { randomUUID } from 'node:crypto';
import { expectStatus, type ApiClient } from '../support/api-client';
import { startEngineApi, registerWithGateways, type EngineApi } from '../support/engine-api';
import { findInDatabase } from '../support/find-in-database';
import { authorization, found, newKey, pendingPix, sale } from '../support/payment-scenario';
import { BUYER, CheckoutVisit, newLink } from '../checkout/checkout-buyer';
import { ADDRESS, cardBody } from '../support/company-api';
import { adminOf } from '../../support/fixtures/admin';
import { addEndpoint, verifyWebhook, webhooksOf } from '../../support/fixtures/webhooks';
import { paymentRequest } from '../../support/fixtures/payments';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';
import { waitFor } from '../../support/stack/wait-for';
import { waitingForLocks } from '../../support/stack/waiting-for-locks';
import { CustomerErasureRepository } from '../../../src/persistence/customers/customer-erasure-repository';

let api: EngineApi;
let client: ApiClient;
let receiver: WebhookReceiver;
beforeAll(async () => {
  [api, receiver] = await Promise.all([
    startEngineApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '1000' }),
    startWebhookReceiver(),
  ]);
});
beforeEach(async () => {
  client = await registerWithGateways(api);
});
afterAll(async () => {
  receiver.close();
  await api.stop();
});

const NOBODY = { name: null, email: null, document: null, phone: null, address: null };

/** A customer whose every personal text is found nowhere else. */
function person() {
  const mark = randomUUID().slice(0, 8);
  const street = `Rua ${mark}`;
  return {
    name: `Joana ${mark}`,
    email: `joana-${mark}@example.com`,
    document: String(10_000_000_000 + Math.floor(Math.random() * 89_999_999_999)).slice(0, 11),
    phone: `119${Math.floor(10_000_000 + Math.random() * 89_999_999)}`,
    address: { ...ADDRESS, street },
    metadata: { note: `prefers ${mark}` },
  };
}

async function newCustomer(details: object = person()): Promise<string> {
  return expectStatus(await client('createCustomer', { body: details }), 201).body.data.token;
}

async function newPlan(): Promise<string> {
  const body = { name: 'Gold', amount: 9_990, currency: 'BRL', interval: 'monthly' };
  return expectStatus(await client('createPlan', { body }), 201).body.data.id;
}

const erase = (token: string) => client('eraseCustomer', { params: { token } });

async function companyId(): Promise<number> {
  const row = await api.engine.context.db.queryOne<{ id: number }>('SELECT max(id) AS id FROM companies');
  return row?.id ?? 0;
}

describe('an erased customer', () => {
  it('is unreadable everywhere, while payments keep their amounts and can be refunded', async () => {
    const joana = person();
    const holder = `J ${joana.name.slice(6)}`.toUpperCase();
    const endpoint = await addEndpoint(api.engine, { id: await companyId() }, receiver.url);
    const creating = { body: joana, headers: newKey() };
    const { id, token } = expectStatus(await client('createCustomer', creating), 201).body.data;
    const paying = {
      headers: newKey(),
      body: paymentRequest({
        customer: { token },
        card: cardBody('4111111111111111', { holder_name: holder }),
        billing_address: joana.address,
        save_card: true,
      }),
    };
    const payment = expectStatus(await client('createCardPayment', paying), 200).body;
    expect(payment.customer).toMatchObject({ name: joana.name, email: joana.email });
    const link = await newLink(client);
    const buyer = { full_name: joana.name, email: joana.email, cpf_cnpj: joana.document };
    const unpaid = await CheckoutVisit.atLink(api, link, buyer);
    const webhook = await waitFor(() => receiver.received.find(({ body }) => body.includes(joana.email)));
    const deliveries = await waitFor(async () => {
      const listed = await api.engine.context.deliveries.listBySubject(payment.transaction_id);
      return listed[0]?.status === 'delivered' && listed;
    });
    const personal = [joana.name, joana.email, joana.document, joana.phone, joana.address.street, holder];
    // Sealed from the start, in every table.
    for (const text of personal) expect([text, await findInDatabase(api.engine, text)]).toEqual([text, []]);

    expectStatus(await erase(token), 204);

    expectStatus(await client('getCustomer', { params: { token } }), 404);
    expectStatus(await erase(token), 404);
    const listing = await client('listCustomers', { query: { document: joana.document } });
    expect(expectStatus(listing, 200).body.data).toEqual([]);
    const nobody = { id, token, type: 'individual', ...NOBODY };
    const shown = await found(client, payment);
    expect(shown).toMatchObject({ status: 'approved', amount: payment.amount, customer: nobody });
    expect(shown.card).toMatchObject({ holder_name: null, last_4_digits: '1111' });
    const replay = expectStatus(await client('createCardPayment', paying), 200);
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(replay.body).toMatchObject({ transaction_id: payment.transaction_id, customer: nobody });
    const recreated = expectStatus(await client('createCustomer', creating), 201).body.data;
    expect(recreated).toMatchObject({ token, name: null, metadata: null });
    const events = await waitFor(async () => {
      const page = expectStatus(await client('listEvents'), 200).body;
      return page.data.length > 0 && page;
    });
    expect(events.data[0]?.body).toMatchObject({ customer: nobody, amount: payment.amount });
    for (const text of personal) expect(JSON.stringify([shown, replay.body, events])).not.toContain(text);
    const admin = await adminOf(api.engine.context, await companyId());
    const { webhookDeliveries } = webhooksOf(api.engine);
    await webhookDeliveries.resend(admin, endpoint.id, deliveries[0]?.id ?? '');
    const resent = await waitFor(
      () =>
        receiver.received.filter(({ headers }) => headers['webhook-id'] === webhook.headers['webhook-id'])[1],
    );
    expect(verifyWebhook(resent, endpoint.secret)).toMatchObject({ customer: nobody });
    const gone = expectStatus(await unpaid.payByPix(), 410);
    expect(gone.body).toMatchObject({ code: 'session_expired' });
    const params = { id: payment.transaction_id };
    const refunded = expectStatus(await client('refundPayment', { params, headers: newKey() }), 200).body;
    expect(refunded).toMatchObject({ status: 'refunded', customer: nobody });
    expect(await newCustomer(joana)).not.toBe(token);
  });

  it('has neither a key nor a saved card left, so that nothing that was sealed can be opened again', async () => {
    const token = await newCustomer();
    const body = cardBody();
    expectStatus(await client('createCustomerCard', { params: { token }, body }), 201);
    const { db } = api.engine.context;
    const rows = () =>
      db.queryOne(
        `SELECT sealed_key, personal_data, document_hash, email_hash,
           (SELECT count(*) FROM customer_cards k WHERE k.customer_id = c.id) AS cards,
           (SELECT count(*) FROM vault_cards v WHERE v.company_id = c.company_id) AS numbers
         FROM customers c WHERE token = $1`,
        [token],
      );
    expect(await rows()).toMatchObject({ cards: 1, numbers: 1 });
    expectStatus(await erase(token), 204);
    expect(await rows()).toEqual({
      ...{ sealed_key: null, personal_data: null, document_hash: null, email_hash: null },
      ...{ cards: 0, numbers: 0 },
    });
  });
});

describe('the erasure of a customer', () => {
  it('waits until no subscription is live, whose data is sealed too, and says which one is', async () => {
    const joana = person();
    const token = await newCustomer(joana);
    const holder = joana.name.toUpperCase();
    const card = cardBody('4111111111111111', { holder_name: holder });
    const body = { plan_id: await newPlan(), customer: { token }, card, billing_address: joana.address };
    const creating = { body, headers: newKey() };
    const { id: uuid } = expectStatus(await client('createSubscription', creating), 201).body.data;
    const changing = { params: { uuid }, body: { card }, headers: newKey() };
    expectStatus(await client('changeSubscriptionCard', changing), 200);
    for (const text of [joana.name, joana.email, joana.document, joana.address.street, holder]) {
      expect([text, await findInDatabase(api.engine, text)]).toEqual([text, []]);
    }
    const refused = expectStatus(await erase(token), 409).body;
    expect(refused).toMatchObject({ code: 'invalid_state', resource_id: uuid });
    expectStatus(await client('cancelSubscription', { params: { uuid } }), 200);
    expectStatus(await erase(token), 204);
    const shown = expectStatus(await client('getSubscription', { params: { uuid } }), 200).body.data;
    expect(shown).toMatchObject({ status: 'canceled', customer: { token, ...NOBODY } });
  });

  it.each([
    ['an authorization', () => authorization, 'cancelPayment'],
    ['a pix that is not paid', () => pendingPix, 'cancelPayment'],
  ] as const)('waits while there is %s', async (_name, creation, finish) => {
    const token = await newCustomer();
    const { transaction_id: id } = await creation()(client, { customer: { token } });
    const refused = expectStatus(await erase(token), 409).body;
    expect(refused).toMatchObject({ code: 'invalid_state', resource_id: id });
    expectStatus(await client(finish, { params: { id }, headers: newKey() }), 200);
    expectStatus(await erase(token), 204);
  });

  it('waits for a purchase that is being recorded, and refuses one that comes later', async () => {
    const token = await newCustomer();
    const { db, customers } = api.engine.context;
    const company = await companyId();
    const { erasing } = await db.inTransaction(async (tx) => {
      await customers.findByToken(company, token, tx);
      const started = { erasing: erase(token) };
      await waitFor(async () => (await waitingForLocks(db)) === 1, { what: 'the erasure to wait' });
      return started;
    });
    expectStatus(await erasing, 204);
    const late = await newCustomer();
    const erasure = new CustomerErasureRepository(db);
    const paying = await db.inTransaction(async (tx) => {
      const id = await erasure.lock(tx, company, late, []);
      const request = client('createCardPayment', { body: paymentRequest({ customer: { token: late } }) });
      await waitFor(async () => (await waitingForLocks(db)) === 1, { what: 'the payment to wait' });
      await erasure.erase(tx, id ?? 0, [], new Date());
      return { request };
    });
    const refused = expectStatus(await paying.request, 422).body;
    expect(refused.errors).toEqual({ 'customer.token': ['names no customer of yours'] });
  });

  it('waits for a purchase in a checkout session, which holds the session before it finds the customer', async () => {
    const joana = person();
    const token = await newCustomer(joana);
    const buyer = { full_name: joana.name, email: joana.email, cpf_cnpj: joana.document };
    await CheckoutVisit.atLink(api, await newLink(client), buyer);
    const { db, customers } = api.engine.context;
    const company = await companyId();
    const { erasing } = await db.inTransaction(async (tx) => {
      await db.query('SELECT 1 FROM checkout_sessions WHERE company_id = $1 FOR UPDATE', [company], tx);
      const started = { erasing: erase(token) };
      await waitFor(async () => (await waitingForLocks(db)) === 1, { what: 'the erasure to wait' });
      expect(await customers.findByToken(company, token, tx)).toMatchObject({ token });
      return started;
    });
    expectStatus(await erasing, 204);
  });

  it('forgets the buyer of a payment link who is the customer, and shows the public no more than before', async () => {
    const link = await newLink(client);
    const visit = await CheckoutVisit.atLink(api, link);
    const paid = expectStatus(await visit.payByCard('4111111111111111', 'a-key'), 200).body;
    const listed = await client('listCustomers', { query: { document: BUYER.cpf_cnpj } });
    const [customer] = expectStatus(listed, 200).body.data;
    expectStatus(await erase(customer?.token ?? ''), 204);
    const session = expectStatus(await visit.getSession(), 200).body;
    const replay = expectStatus(await visit.payByCard('4111111111111111', 'a-key'), 200).body;
    const nobody = { id: null, token: null, type: 'individual', ...NOBODY };
    for (const shown of [session.payment, replay]) {
      expect(shown).toMatchObject({ transaction_id: paid.transaction_id, customer: nobody });
      expect(shown?.transactions[0]?.authorization_code).toBeNull();
    }
    expect(JSON.stringify([session, replay])).not.toContain(BUYER.email);
  });
});

describe('a saved card that a live subscription charges', () => {
  it('is not deleted, and the answer names the subscription, until that has another card', async () => {
    const token = await newCustomer();
    const saved = await client('createCustomerCard', { params: { token }, body: cardBody() });
    const card = expectStatus(saved, 201).body.data.token;
    const body = { plan_id: await newPlan(), customer: { token }, card: { token: card } };
    const { id: uuid } = expectStatus(await client('createSubscription', { body }), 201).body.data;
    const remove = () => client('deleteCustomerCard', { params: { token, card_token: card } });
    expect(expectStatus(await remove(), 409).body).toMatchObject({ code: 'card_in_use', resource_id: uuid });
    expect((await sale(client, { customer: { token }, card: { token: card } })).status).toBe('approved');
    const other = { card: cardBody('5555555555554444') };
    expectStatus(await client('changeSubscriptionCard', { params: { uuid }, body: other }), 200);
    expectStatus(await remove(), 204);
    const again = await client('createSubscription', { body });
    expect(expectStatus(again, 422).body.errors).toEqual({
      'card.token': ['names no card of this customer'],
    });
  });
});
