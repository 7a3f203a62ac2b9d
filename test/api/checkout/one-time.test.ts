import { randomUUID } from 'node:crypto';
import { ledgerOf } from '../../support/scenarios/pay';
import { APPROVED_CARD, rawCard } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { waitingForLocks } from '../../support/stack/waiting-for-locks';
import { expectStatus, type ApiClient } from '../support/api-client';
import { startWithTwoCompanies, type EngineApi } from '../support/engine-api';
import { advanceClockByHours, untilStatus } from '../support/payment-scenario';
import { slugsOf, BUYER, newLink, errorOf, CheckoutVisit, type PaymentLinkBody } from './checkout-buyer';

/* One-time purchases at a payment link: concurrent tabs, lost responses, declines and reloads. */

const DECLINED_CARD = '4000000000009987';

let api: EngineApi;
let client: ApiClient;
let other: ApiClient;
beforeAll(async () => {
  ({ api, client, other } = await startWithTwoCompanies({ RATE_LIMIT_PUBLIC_PER_MINUTE: '1000' }));
  const secret = `sk_test_${randomUUID()}`;
  const gateways = [{ gateway_slug: 'gateway_1', secret_key: secret }];
  expectStatus(await client('saveGateways', { body: { gateways } }), 200);
  const callback_url = `${api.baseUrl}/api/v1`;
  await api.engine.simulator.setUpAccount(secret, { callback_url });
}, 60_000);
afterAll(() => api.stop());

async function usesOf({ token }: PaymentLinkBody): Promise<number> {
  return expectStatus(await client('getPaymentLink', { params: { token } }), 200).body.data.uses_count;
}

/** Starts all requests while the test holds the session’s row lock, so that all of them reach the claim before one gets it. */
async function startConcurrently<T>(
  visit: CheckoutVisit,
  requests: ReadonlyArray<() => Promise<T>>,
): Promise<T[]> {
  const { db } = api.engine.context;
  const started = await db.inTransaction(async (tx) => {
    const lockRow = 'SELECT 1 FROM checkout_sessions WHERE merchant_order_id = $1 FOR UPDATE';
    await db.query(lockRow, [visit.session.merchant_order_id], tx);
    const promises = requests.map((start) => start());
    await waitFor(async () => (await waitingForLocks(db)) === requests.length, { what: 'all to wait' });
    return { promises };
  });
  return Promise.all(started.promises);
}

async function paymentsOf({ session }: CheckoutVisit): Promise<Array<{ id: string; status: string }>> {
  return api.engine.context.db.query(
    'SELECT transaction_id AS id, status FROM payments WHERE merchant_order_id = $1 ORDER BY id',
    [session.merchant_order_id],
  );
}

it('a session charges a card once; afterwards a reload shows the payment, and another payment is rejected', async () => {
  const link = await newLink(client);
  const visit = await CheckoutVisit.atLink(api, link);
  expect(visit.session).toMatchObject({
    ...{ type: 'one_time', amount: link.amount, plan_id: null, saved_cards: [], payment: null },
    ...{ first_charge_amount: link.amount, recurring_amount: null, tries_left: 5, customer_required: false },
  });
  expect(visit.session.merchant_order_id).toMatch(/^pl_[0-9a-f]{32}$/);
  const { body: paid } = expectStatus(await visit.payByCard(APPROVED_CARD), 200);
  expect(paid).toMatchObject({ status: 'approved', merchant_order_id: visit.session.merchant_order_id });
  expect(await ledgerOf(api.engine, paid)).toMatchObject({ captured: link.amount });
  const { body: shown } = expectStatus(await visit.getSession(), 200);
  expect(shown.payment).toMatchObject({ status: 'approved', transaction_id: paid.transaction_id });
  expect(errorOf(await visit.payByCard(APPROVED_CARD))).toEqual([410, 'session_used']);
  expect(await usesOf(link)).toBe(1);
});

it('two tabs that pay at the same moment cause one charge', async () => {
  const visit = await CheckoutVisit.atLink(api, await newLink(client));
  const tabs = [() => visit.payByCard(APPROVED_CARD), () => visit.payByCard(APPROVED_CARD)];
  const answers = await startConcurrently(visit, tabs);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410]);
  const payments = await paymentsOf(visit);
  expect(payments).toEqual([{ id: expect.any(String), status: 'approved' }]);
  const { totals } = await api.engine.simulator.ledger(payments[0]?.id ?? '');
  expect(totals.captured).toBe(visit.session.amount);
});

it('a request whose response was lost gets the same response again and causes one charge', async () => {
  const visit = await CheckoutVisit.atLink(api, await newLink(client));
  const key = randomUUID();
  const first = expectStatus(await visit.payByCard(APPROVED_CARD, key), 200);
  const again = expectStatus(await visit.payByCard(APPROVED_CARD, key), 200);
  expect(again.body).toEqual(first.body);
  expect(first.body.idempotency_key).toBe(key);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(await ledgerOf(api.engine, first.body)).toMatchObject({ captured: visit.session.amount });
  expect(errorOf(await visit.payByCard(DECLINED_CARD, key))).toEqual([422, 'idempotency_key_reused']);
});

it('the same key in two sessions belongs to two payments', async () => {
  const link = await newLink(client);
  const [one, two] = [await CheckoutVisit.atLink(api, link), await CheckoutVisit.atLink(api, link)];
  const key = randomUUID();
  const first = expectStatus(await one.payByCard(APPROVED_CARD, key), 200).body;
  const second = expectStatus(await two.payByCard(APPROVED_CARD, key), 200);
  expect(second.headers.has('idempotency-replayed')).toBe(false);
  expect(second.body.transaction_id).not.toBe(first.transaction_id);
});

it('a buyer can try five payments in a session', async () => {
  const link = await newLink(client);
  const visit = await CheckoutVisit.atLink(api, link);
  for (const left of [4, 3, 2, 1]) {
    expect(expectStatus(await visit.payByCard(DECLINED_CARD), 200).body).toMatchObject({ status: 'failed' });
    const { body } = expectStatus(await visit.getSession(), 200);
    expect(body).toMatchObject({ tries_left: left, payment: { status: 'failed', code: 'declined' } });
    expect(await usesOf(link)).toBe(0);
  }
  expect(expectStatus(await visit.payByCard(DECLINED_CARD), 200).body).toMatchObject({ status: 'failed' });
  expect(errorOf(await visit.payByCard(APPROVED_CARD))).toEqual([410, 'session_used']);
  expect(errorOf(await visit.getSession())).toEqual([410, 'session_used']);
  expect(await paymentsOf(visit)).toHaveLength(5);
});

it('a good card succeeds after a declined card', async () => {
  const visit = await CheckoutVisit.atLink(api, await newLink(client));
  expect(expectStatus(await visit.payByCard(DECLINED_CARD), 200).body.status).toBe('failed');
  expect(expectStatus(await visit.payByCard(APPROVED_CARD), 200).body.status).toBe('approved');
});

it('a reload shows an open pix, and later that it was paid', async () => {
  const visit = await CheckoutVisit.atLink(api, await newLink(client));
  const { body: pix } = expectStatus(await visit.payByPix(), 200);
  expect(pix.status).toBe('pending');
  const shown = expectStatus(await visit.getSession(), 200).body.payment;
  expect(shown?.transactions[0]?.pix).toEqual(pix.transactions[0]?.pix);
  expect(errorOf(await visit.payByPix())).toEqual([410, 'session_used']);
  await api.engine.simulator.pay(pix.transaction_id);
  await untilStatus(client, pix, 'approved');
  expect(expectStatus(await visit.getSession(), 200).body.payment?.status).toBe('approved');
});

it('an open pix is canceled before a card is charged', async () => {
  const link = await newLink(client, { max_uses: 1 });
  const visit = await CheckoutVisit.atLink(api, link);
  const { body: pix } = expectStatus(await visit.payByPix(), 200);
  // A card payment that would fail validation does not cancel the pix.
  const badCard = { card: { ...rawCard(APPROVED_CARD), number: '4111111111111112' } };
  expect((await visit.payByCard(APPROVED_CARD, randomUUID(), badCard)).status).toBe(422);
  expect(expectStatus(await visit.getSession(), 200).body).toMatchObject({
    payment: { status: 'pending' },
    can_change_to_card: true,
  });
  const { body: paid } = expectStatus(await visit.payByCard(APPROVED_CARD), 200);
  expect(paid.status).toBe('approved');
  expect(await paymentsOf(visit)).toEqual([
    { id: pix.transaction_id, status: 'canceled' },
    { id: paid.transaction_id, status: 'approved' },
  ]);
  expect(await usesOf(link)).toBe(1);
});

it('no card is charged until the pix is certainly canceled', async () => {
  const link = await newLink(client);
  const visit = await CheckoutVisit.atLink(api, link);
  const { body: pix } = expectStatus(await visit.payByPix(), 200);
  const amount = link.amount ?? 0;
  await api.engine.simulator.script({ amount, operation: 'cancel' }, { hang: 'before' }, 0);
  const answer = await visit.payByCard(APPROVED_CARD);
  expect(errorOf(answer)).toEqual([409, 'invalid_state']);
  expect((await paymentsOf(visit)).map(({ id }) => id)).toEqual([pix.transaction_id]);
}, 60_000);

it('no card is charged for a session that was paid by pix in the meantime', async () => {
  const visit = await CheckoutVisit.atLink(api, await newLink(client));
  const { body: pix } = expectStatus(await visit.payByPix(), 200);
  await api.engine.simulator.pay(pix.transaction_id);
  expect(errorOf(await visit.payByCard(APPROVED_CARD))[0]).toBeGreaterThanOrEqual(409);
  expect(await paymentsOf(visit)).toHaveLength(1);
});

it('concurrent buyers never exceed the uses of a link', async () => {
  const link = await newLink(client, { max_uses: 3 });
  const visits = await Promise.all(Array.from({ length: 20 }, () => CheckoutVisit.atLink(api, link)));
  const answers = await Promise.all(visits.map((visit) => visit.payByCard(APPROVED_CARD)));
  const refusals = answers.filter(({ status }) => status !== 200).map(errorOf);
  expect(refusals).toEqual(Array(17).fill([410, 'link_exhausted']));
  expect(await usesOf(link)).toBe(3);
}, 60_000);

it('a failed payment releases its use of the link for another buyer', async () => {
  const link = await newLink(client, { max_uses: 1 });
  const [one, two] = [await CheckoutVisit.atLink(api, link), await CheckoutVisit.atLink(api, link)];
  expect(expectStatus(await one.payByCard(DECLINED_CARD), 200).body.status).toBe('failed');
  expect(expectStatus(await two.payByCard(APPROVED_CARD), 200).body.status).toBe('approved');
  expect(errorOf(await one.payByCard(APPROVED_CARD))).toEqual([410, 'link_exhausted']);
  expect(errorOf(await one.getSession())).toEqual([410, 'link_exhausted']);
});

it('a session is open again after its pix expired, and is completed if the pix is paid after all', async () => {
  const link = await newLink(client, { max_uses: 1 });
  const visit = await CheckoutVisit.atLink(api, link);
  const { body: pix } = expectStatus(await visit.payByPix(), 200);
  await advanceClockByHours(client, pix, 25);
  expect((await untilStatus(client, pix, 'failed')).code).toBe('expired');
  expect(expectStatus(await visit.getSession(), 200).body.payment?.status).toBe('failed');
  expect(await usesOf(link)).toBe(0);
  await api.engine.simulator.pay(pix.transaction_id);
  await untilStatus(client, pix, 'approved');
  expect(await usesOf(link)).toBe(1);
  expect(errorOf(await visit.payByCard(APPROVED_CARD))).toEqual([410, 'session_used']);
  expect(expectStatus(await visit.getSession(), 200).body.payment?.status).toBe('approved');
});

describe('a session', () => {
  it('ends after 24 hours unless it was paid', async () => {
    const link = await newLink(client);
    const [used, unused] = [await CheckoutVisit.atLink(api, link), await CheckoutVisit.atLink(api, link)];
    expectStatus(await used.payByCard(APPROVED_CARD), 200);
    await api.engine.context.db.execute(
      `UPDATE checkout_sessions SET expires_at = now() - interval '1 second' WHERE merchant_order_id = ANY($1)`,
      [[used, unused].map(({ session }) => session.merchant_order_id)],
    );
    expect(errorOf(await unused.getSession())).toEqual([410, 'session_expired']);
    expect(errorOf(await unused.payByCard(APPROVED_CARD))).toEqual([410, 'session_expired']);
    expect(expectStatus(await used.getSession(), 200).body.payment?.status).toBe('approved');
  });

  it('ends when its link is deleted, disabled or expired', async () => {
    const after = async (end: (link: PaymentLinkBody) => Promise<unknown>) => {
      const link = await newLink(client);
      const visit = await CheckoutVisit.atLink(api, link);
      await end(link);
      return [errorOf(await visit.getSession()), errorOf(await visit.payByCard(APPROVED_CARD))];
    };
    const deleted = await after(({ token }) => client('deletePaymentLink', { params: { token } }));
    expect(deleted).toEqual(Array(2).fill([410, 'link_deleted']));
    const off = { body: { is_active: false } };
    const inactive = await after(({ token }) => client('updatePaymentLink', { params: { token }, ...off }));
    expect(inactive).toEqual(Array(2).fill([404, 'not_found']));
    const past = `UPDATE payment_links SET expires_at = now() - interval '1 second' WHERE token = $1`;
    const expired = await after(({ token }) => api.engine.context.db.execute(past, [token]));
    expect(expired).toEqual(Array(2).fill([410, 'link_expired']));
  });

  it('requires its token, which a key pair cannot replace', async () => {
    const answers = [await api.anonymous('getCheckoutSession'), await client('getCheckoutSession')];
    const wrong = { headers: { 'X-Checkout-Token': `cs_${'A'.repeat(43)}` } };
    answers.push(await api.anonymous('getCheckoutSession', wrong));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  it('stores its token only as a hash', async () => {
    const { session } = await CheckoutVisit.atLink(api, await newLink(client));
    const [row] = await api.engine.context.db.query<{ text: string }>(
      'SELECT s::text AS text FROM checkout_sessions s WHERE merchant_order_id = $1',
      [session.merchant_order_id],
    );
    expect(row?.text).toContain(session.merchant_order_id);
    expect(row?.text).not.toContain(session.token.slice(3));
  });
});

describe('a buyer', () => {
  const KNOWN = {
    ...{ name: 'Maria Souza', email: 'maria@example.com', document: BUYER.cpf_cnpj, phone: '11988887777' },
    metadata: { segment: 'gold' },
  };

  it('cannot change or see a customer that the company has stored', async () => {
    const { token } = expectStatus(await client('createCustomer', { body: KNOWN }), 201).body.data;
    const before = expectStatus(await client('getCustomer', { params: { token } }), 200).body.data;
    const visit = await CheckoutVisit.atLink(api, await newLink(client));
    const { body: paid } = expectStatus(await visit.payByCard(APPROVED_CARD), 200);
    const own = { name: BUYER.full_name, email: BUYER.email, phone: null, address: null };
    expect(paid.customer).toMatchObject({ ...own, id: null, token: null });
    const text = JSON.stringify([paid, expectStatus(await visit.getSession(), 200).body]);
    expect(text).not.toContain(KNOWN.email);
    expect(text).not.toContain(KNOWN.phone);
    expect(expectStatus(await client('getCustomer', { params: { token } }), 200).body.data).toEqual(before);
  });

  it('can be a company with a CNPJ of letters, which needs right check digits', async () => {
    const link = await newLink(client);
    const visit = await CheckoutVisit.atLink(api, link, { cpf_cnpj: '12.abc.345/01de-35' });
    const paid = expectStatus(await visit.payByPix(), 200).body;
    expect(paid.customer).toMatchObject({ document: '**.ABC.345/01DE-**', type: 'corporation' });
    const body = { ...BUYER, cpf_cnpj: '12.ABC.345/01DE-36' };
    const refused = expectStatus(
      await api.anonymous('createLinkSession', { params: slugsOf(link), body }),
      422,
    );
    expect(Object.keys(refused.body.errors ?? {})).toEqual(['cpf_cnpj']);
  });

  it('cannot pay with a saved card of a customer', async () => {
    const visit = await CheckoutVisit.atLink(api, await newLink(client));
    const answer = await visit.pay({ payment_method: 'card', card: { token: `card_${'0'.repeat(32)}` } });
    expect(answer).toMatchObject({ status: 422, body: { errors: { 'card.token': expect.any(Array) } } });
  });

  it('can pay only with an offered payment method', async () => {
    const visit = await CheckoutVisit.atLink(api, await newLink(client, { payment_methods: ['pix'] }));
    expect(visit.session.payment_method).toBe('pix');
    const answer = await visit.payByCard(APPROVED_CARD);
    expect(answer).toMatchObject({ status: 422, body: { errors: { payment_method: expect.any(Array) } } });
  });

  it('cannot use a coupon for a one-time purchase', async () => {
    const params = slugsOf(await newLink(client));
    const body = { ...BUYER, coupon_code: 'WELCOME' };
    const answer = await api.anonymous('createLinkSession', { params, body });
    expect(answer).toMatchObject({ status: 422, body: { errors: { coupon_code: expect.any(Array) } } });
  });
});

describe('a session of the company', () => {
  it('offers the saved cards of its customer and charges one of them', async () => {
    const customer = { name: 'Rita Dias', email: 'rita@example.com', document: '52998224725' };
    const { token } = expectStatus(await client('createCustomer', { body: customer }), 201).body.data;
    const body = rawCard(APPROVED_CARD);
    const saved = expectStatus(await client('createCustomerCard', { params: { token }, body }), 201);
    const visit = await CheckoutVisit.ofCompany(api, client, {
      customer: { token },
      metadata: { cart: '118' },
    });
    expect(visit.session.saved_cards).toEqual([saved.body.data]);
    const { body: paid } = expectStatus(await visit.pay({ card: { token: saved.body.data.token } }), 200);
    expect(paid).toMatchObject({ status: 'approved', customer: { token }, metadata: { cart: '118' } });
  });

  it('requires the buyer’s details if the company named no customer', async () => {
    const visit = await CheckoutVisit.ofCompany(api, client);
    expect(visit.session).toMatchObject({ customer_required: true, saved_cards: [] });
    expect(visit.session.merchant_order_id).toMatch(/^pl_/);
    const unnamed = await visit.payByCard(APPROVED_CARD);
    expect(unnamed).toMatchObject({ status: 422, body: { errors: { 'customer.name': expect.any(Array) } } });
    const customer = { name: 'Ana Reis', email: 'ana@example.com', document: '11222333000181' };
    const paid = expectStatus(await visit.payByCard(APPROVED_CARD, randomUUID(), { customer }), 200).body;
    expect(paid).toMatchObject({ status: 'approved', customer: { name: 'Ana Reis' } });
  });

  it('rejects a customer of another company', async () => {
    const customer = { name: 'Rui Melo', email: 'rui@example.com', document: '52998224725' };
    const { token } = expectStatus(await other('createCustomer', { body: customer }), 201).body.data;
    const body = { type: 'one_time', amount: 1_990, customer: { token } };
    const answer = await client('createCheckoutSession', { body });
    expect(answer).toMatchObject({ status: 422, body: { errors: { 'customer.token': expect.any(Array) } } });
  });
});

it('an open pix stays open if the card that should replace it is not usable', async () => {
  const customer = { name: 'Rui Melo', email: 'rui@example.com', document: '52998224725' };
  const visit = await CheckoutVisit.ofCompany(api, client, { customer });
  const { body: pix } = expectStatus(await visit.payByPix(), 200);
  const token = `card_${randomUUID().replaceAll('-', '')}`;
  const answer = await visit.pay({ payment_method: 'card', card: { token } });
  expect(answer).toMatchObject({ status: 422, body: { errors: { 'card.token': expect.any(Array) } } });
  const { payment } = expectStatus(await visit.getSession(), 200).body;
  expect(payment).toMatchObject({ transaction_id: pix.transaction_id, status: 'pending' });
});

it('an unused session is deleted a month after its expiry, and a session with a payment attempt never is', async () => {
  const link = await newLink(client);
  const [unused, recent, tried] = [
    await CheckoutVisit.atLink(api, link),
    await CheckoutVisit.atLink(api, link),
    await CheckoutVisit.atLink(api, link),
  ];
  expectStatus(await tried.payByCard(DECLINED_CARD), 200);
  const age = ({ session }: CheckoutVisit, days: number) =>
    api.engine.context.db.queryComposed(
      `UPDATE checkout_sessions SET expires_at = now() - $2 * interval '1 day' WHERE merchant_order_id = $1`,
      [session.merchant_order_id, days],
    );
  await Promise.all([age(unused, 31), age(recent, 29), age(tried, 31)]);
  await api.engine.sweeper.sweepOnce();
  const seen = await Promise.all([unused, recent, tried].map((visit) => visit.getSession()));
  expect(seen.map(errorOf)).toEqual([
    [401, 'unauthenticated'],
    [410, 'session_expired'],
    [410, 'session_expired'],
  ]);
});
