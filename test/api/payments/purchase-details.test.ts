import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { NO_PURCHASE_DETAILS } from '../../../src/domain/shared/purchase-details';
import type { Capabilities } from '../../../src/domain/routing/routing';
import { APPROVED_CARD, paymentRequest, rawCard } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { CheckoutVisit, errorOf, newLink } from '../checkout/checkout-buyer';
import { expectStatus, type ApiClient } from '../support/api-client';
import { startWithTwoCompanies, type EngineApi } from '../support/engine-api';

/* What a request tells about a purchase, for gateways that insist on it. */

const IP = '203.0.113.7';
const PHONE = '(11) 91234-5678';
const URL = 'https://atelier.example.com/pedidos/8731';
const DETAILS = {
  payer: { ip: IP, phone: PHONE },
  description: 'Camiseta azul',
  items: [{ name: 'Camiseta azul P', quantity: 2, unit_amount: 6_495 }],
  return_url: URL,
};

let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  ({ api, client } = await startWithTwoCompanies({ RATE_LIMIT_PUBLIC_PER_MINUTE: '1000' }));
}, 60_000);
afterEach(() => jest.restoreAllMocks());
afterAll(() => api.stop());

async function received(transactionId: string) {
  const requests = await api.engine.simulator.requests(transactionId);
  return requests.map(({ gateway, purchase }) => ({ gateway, ...purchase }))[0];
}

/** Lets every gateway insist on this in a card payment. */
function letGatewaysRequire(...fields: NonNullable<Capabilities['requires']>['card'] & object): void {
  jest.restoreAllMocks();
  const registry = api.engine.context.registries.of(1);
  const capabilities = registry.capabilities.bind(registry);
  jest
    .spyOn(registry, 'capabilities')
    .mockImplementation((slug: GatewaySlug) => ({ ...capabilities(slug), requires: { card: fields } }));
}

it('what a payment tells about the purchase reaches the gateway, and is stored sealed only', async () => {
  const paid = await client('createCardPayment', { body: paymentRequest(DETAILS) });
  const { transaction_id: id } = expectStatus(paid, 200).body;
  expect(await received(id)).toMatchObject({
    payer_ip: IP,
    payer_phone: '+5511912345678',
    description: 'Camiseta azul',
    items: DETAILS.items,
    return_url: URL,
    origin: 'api',
  });
  const rows = await api.engine.context.db.query<{ row: string }>(
    `SELECT row_to_json(p)::text AS row FROM payments p WHERE transaction_id = $1
     UNION ALL SELECT row_to_json(a)::text FROM gateway_attempts a JOIN payments p ON p.id = a.payment_id
      WHERE p.transaction_id = $1
     UNION ALL SELECT row_to_json(e)::text FROM events e WHERE row_to_json(e)::text LIKE '%' || $1 || '%'`,
    [id],
  );
  expect(rows.length).toBeGreaterThan(2);
  for (const { row } of rows) for (const text of [IP, '91234', 'Camiseta']) expect(row).not.toContain(text);
});

it('what a payment tells about the purchase is erased with its customer', async () => {
  const customer = { name: 'Ana Lima', email: 'ana@example.com', document: '11144477735' };
  const body = paymentRequest({ ...DETAILS, customer });
  const paid = expectStatus(await client('createCardPayment', { body }), 200).body;
  const { db, payments } = api.engine.context;
  const id = paid.transaction_id;
  const row = await db.queryOne<{ companyId: number }>(
    'SELECT company_id AS "companyId" FROM payments WHERE transaction_id = $1',
    [id],
  );
  const stored = async () => (await payments.find(row?.companyId ?? 0, id))?.purchase;
  expect(await stored()).toMatchObject({ payer: { ip: IP, phone: PHONE }, returnUrl: URL });
  const erased = await client('eraseCustomer', { params: { token: paid.customer?.token ?? '' } });
  expect(erased.status).toBe(204);
  expect(await stored()).toEqual(NO_PURCHASE_DETAILS);
});

it.each([
  [{ payer: { ip: '203.0.113.999' } }, 'payer.ip', /IPv4 or IPv6/],
  [{ payer: { phone: '91234-5678' } }, 'payer.phone', /area code/],
  [{ return_url: 'javascript:alert(1)' }, 'return_url', /http/],
  [{ items: [{ name: 'x', quantity: 0, unit_amount: 1 }] }, 'items.0.quantity', /1/],
])('%j is refused by field', async (change, field, message) => {
  const { body } = expectStatus(await client('createCardPayment', { body: paymentRequest(change) }), 422);
  expect((body as { errors: Record<string, string[]> }).errors[field]?.[0]).toMatch(message);
});

it('a payment without what all gateways need is refused by field before anything is sent, and accepted with it', async () => {
  letGatewaysRequire('payer.ip', 'payer.phone');
  const { payer, ...others } = DETAILS;
  const refused = expectStatus(await client('createCardPayment', { body: paymentRequest(others) }), 422);
  expect(refused.body).toMatchObject({
    code: 'validation_error',
    errors: {
      'payer.ip': [expect.stringContaining('is required: gateway_1 takes no card payment without it')],
      'payer.phone': [expect.stringContaining('is required')],
    },
  });
  const { body } = expectStatus(await client('createCardPayment', { body: paymentRequest({ payer }) }), 200);
  expect(body.status).toBe('approved');
});

it('a subscription keeps its payer sealed, and each of its charges has it; a change of the card can change it', async () => {
  const plan = { name: 'Gold', amount: 9_990, currency: 'BRL', interval: 'monthly' };
  const { id: plan_id } = expectStatus(await client('createPlan', { body: plan }), 201).body.data;
  const { customer, card } = paymentRequest();
  const body = { plan_id, customer, card, payer: DETAILS.payer };
  const { data } = expectStatus(await client('createSubscription', { body }), 201).body;
  const params = { uuid: data.id };
  const change = { params, body: { card: rawCard('5555555555554444'), payer: { ip: '198.51.100.9' } } };
  expectStatus(await client('changeSubscriptionCard', change), 200);
  const upcoming = expectStatus(await client('listUpcomingCharges', { params }), 200).body.data;
  const advance_to = upcoming[0]?.due_at ?? '';
  expectStatus(await client('moveSubscriptionClock', { params, body: { advance_to } }), 200);
  const { db } = api.engine.context;
  const charges = () =>
    db.query<{ id: string }>(
      'SELECT transaction_id AS id FROM payments WHERE subscription_id = $1 ORDER BY id',
      [data.id],
    );
  const [first, renewal] = await waitFor(async () => {
    const all = await charges();
    return all.length === 2 && (await received(all[1]?.id ?? '')) !== undefined && all;
  });
  const common = { payer_phone: '+5511912345678', description: 'Gold', origin: 'subscription' };
  expect(await received(first?.id ?? '')).toMatchObject({ payer_ip: IP, ...common });
  expect(await received(renewal?.id ?? '')).toMatchObject({ payer_ip: '198.51.100.9', ...common });
  const rows = await db.query<{ row: string }>(
    `SELECT row_to_json(s)::text AS row FROM subscriptions s WHERE uuid = $1
     UNION ALL SELECT row_to_json(c)::text FROM subscription_commands c JOIN subscriptions s ON s.id = c.subscription_id
      WHERE s.uuid = $1`,
    [data.id],
  );
  expect(rows).toHaveLength(2);
  for (const { row } of rows)
    for (const text of [IP, '198.51.100.9', '91234']) expect(row).not.toContain(text);
});

it('a buyer whose card replaces a pix does not learn which gateway needs what, and keeps the pix', async () => {
  const visit = await CheckoutVisit.atLink(api, await newLink(client));
  const pix = expectStatus(await visit.payByPix(), 200).body;
  letGatewaysRequire('payer.phone');
  const refused = await visit.payByCard(APPROVED_CARD);
  expect(refused).toMatchObject({ status: 422, body: { errors: { 'payer.phone': ['is required'] } } });
  letGatewaysRequire('items');
  const hopeless = await visit.payByCard(APPROVED_CARD);
  expect(errorOf(hopeless)).toEqual([422, 'no_gateway_available']);
  expect(JSON.stringify(hopeless.body)).not.toContain('gateway_1');
  const shown = expectStatus(await visit.getSession(), 200).body.payment;
  expect(shown).toMatchObject({ transaction_id: pix.transaction_id, status: 'pending' });
});

it('a checkout gives the buyer’s address and the name of its link, and asks for the phone only if a gateway needs it', async () => {
  const visit = await CheckoutVisit.atLink(api, await newLink(client, { success_url: URL }));
  letGatewaysRequire('payer.ip', 'payer.phone');
  const refused = await visit.payByCard(APPROVED_CARD);
  expect(errorOf(refused)).toEqual([422, 'validation_error']);
  expect(refused.body).toMatchObject({ errors: { 'payer.phone': ['is required'] } });
  const { body } = expectStatus(
    await visit.payByCard(APPROVED_CARD, undefined, { payer: { phone: PHONE } }),
    200,
  );
  expect(await received(body.transaction_id)).toMatchObject({
    payer_ip: '127.0.0.1',
    payer_phone: '+5511912345678',
    description: 'Ceramics workshop',
    return_url: URL,
    origin: 'link',
  });
});
