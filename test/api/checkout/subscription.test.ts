import { randomUUID } from 'node:crypto';
import { APPROVED_CARD } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { addressOf, BUYER, newLink, refusal, Visit, type Link } from './checkout-buyer';

/* Subscribing at a payment link: what it will cost, by which coupon, and what a declined card makes of it. */

/** Lost; and one whose issuer may think better of it. */
const DECLINED_CARD = '4000000000009987';
const SOFTLY_DECLINED_CARD = '4000000000000002';

let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  api = await startEngineApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '1000' });
  client = await registerWithGateways(api);
}, 60_000);
afterAll(() => api.stop());

async function newPlan(change: object = {}) {
  const body = { name: 'Gold', amount: 9_990, currency: 'BRL', interval: 'monthly', ...change };
  return expectStatus(await client('createPlan', { body }), 201).body.data;
}

async function newPlanLink(plan: object = {}, change: object = {}): Promise<Link> {
  const { id } = await newPlan(plan);
  return newLink(client, { type: 'subscription', amount: null, plan_id: id, ...change });
}

async function newCoupon(change: object = {}) {
  const body = {
    ...{ code: randomUUID().replaceAll('-', ''), name: 'Welcome', valid_from: '2026-01-01' },
    ...{ discount_type: 'percentage', discount_value: 25, max_cycles: 1, ...change },
  };
  return expectStatus(await client('createCoupon', { body }), 201).body.data;
}

async function redemptionsOf({ id }: { readonly id: string }): Promise<number> {
  return expectStatus(await client('getCoupon', { params: { uuid: id } }), 200).body.data.redemptions_count;
}

async function usesOf({ token }: Link): Promise<number> {
  return expectStatus(await client('getPaymentLink', { params: { token } }), 200).body.data.uses_count;
}

it('shows what the coupon makes of the price, and redeems it when the subscription is made', async () => {
  const coupon = await newCoupon();
  const link = await newPlanLink();
  const visit = await Visit.of(api, link, { coupon_code: coupon.code });
  expect(visit.session).toMatchObject({
    ...{ type: 'subscription', amount: null, plan_id: expect.any(Number), plan_uuid: link.plan_id },
    ...{ payment_method: 'card', payment_methods: ['card'], saved_cards: [] },
    ...{ first_charge_amount: 7_492, first_charge_at: null, recurring_amount: 9_990 },
    coupon: { code: coupon.code, discount_value: 25, cycles_used: 0 },
  });
  expect(await redemptionsOf(coupon)).toBe(0);
  const { data: made } = expectStatus(await visit.byCard(APPROVED_CARD), 201).body;
  expect(made).toMatchObject({ status: 'active', plan: { id: link.plan_id }, coupon: { code: coupon.code } });
  expect(await redemptionsOf(coupon)).toBe(1);
  expect(await usesOf(link)).toBe(1);
  const { body: shown } = expectStatus(await visit.look(), 200);
  expect(shown).toMatchObject({
    subscription: { id: made.id, status: 'active' },
    payment: { amount: 7_492 },
  });
  expect(refusal(await visit.byCard(APPROVED_CARD))).toEqual([410, 'session_used']);
});

it('tells when the first charge is due after a trial', async () => {
  const visit = await Visit.of(api, await newPlanLink({ trial_period_days: 7 }));
  const { first_charge_at: at, ...session } = visit.session;
  expect(session).toMatchObject({ first_charge_amount: 9_990, recurring_amount: 9_990 });
  expect(Date.parse(at ?? '')).toBeGreaterThan(Date.now() + 6 * 86_400_000);
  expect(expectStatus(await visit.byCard(APPROVED_CARD), 201).body.data.status).toBe('trialing');
});

it('lets another card make up for a declined one, in the same subscription', async () => {
  const link = await newPlanLink();
  const visit = await Visit.of(api, link);
  const first = expectStatus(await visit.byCard(DECLINED_CARD), 201).body.data;
  expect(first.status).toBe('pending');
  expect(expectStatus(await visit.look(), 200).body).toMatchObject({
    ...{ tries_left: 4, subscription: { status: 'pending' } },
    payment: { status: 'failed', code: 'declined' },
  });
  const key = randomUUID();
  const second = expectStatus(await visit.byCard(APPROVED_CARD, key), 201).body.data;
  expect(second).toMatchObject({ id: first.id, status: 'active' });
  const again = expectStatus(await visit.byCard(APPROVED_CARD, key), 201);
  expect([again.body.data.id, again.headers.get('idempotency-replayed')]).toEqual([first.id, 'true']);
  expect(refusal(await visit.byCard(APPROVED_CARD))).toEqual([410, 'session_used']);
  expect(await usesOf(link)).toBe(1);
});

it('answers a request whose answer was lost with the same subscription', async () => {
  const visit = await Visit.of(api, await newPlanLink());
  const key = randomUUID();
  const first = expectStatus(await visit.byCard(APPROVED_CARD, key), 201);
  const again = expectStatus(await visit.byCard(APPROVED_CARD, key), 201);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});

it('makes one subscription when two tabs pay at the same moment', async () => {
  const link = await newPlanLink();
  const visit = await Visit.of(api, link);
  const answers = await Promise.all([visit.byCard(APPROVED_CARD), visit.byCard(APPROVED_CARD)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 410]);
  const { total } = expectStatus(
    await client('listSubscriptions', { query: { plan_id: link.plan_id ?? '' } }),
    200,
  ).body.meta;
  expect(total).toBe(1);
});

it('lets a buyer try five cards, and no more', async () => {
  const visit = await Visit.of(api, await newPlanLink());
  for (let tries = 0; tries < 5; tries += 1) {
    expect(expectStatus(await visit.byCard(SOFTLY_DECLINED_CARD), 201).body.data.status).toBe('pending');
  }
  expect(refusal(await visit.byCard(APPROVED_CARD))).toEqual([410, 'session_used']);
  expect(refusal(await visit.look())).toEqual([410, 'session_used']);
});

it('does not charge a lost card twice, and counts no try for giving it again', async () => {
  const visit = await Visit.of(api, await newPlanLink());
  expectStatus(await visit.byCard(DECLINED_CARD), 201);
  const again = await visit.byCard(DECLINED_CARD);
  expect(again).toMatchObject({ status: 422, body: { errors: { 'card.number': expect.any(Array) } } });
  expect(expectStatus(await visit.look(), 200).body.tries_left).toBe(4);
  expect(expectStatus(await visit.byCard(APPROVED_CARD), 201).body.data.status).toBe('active');
});

it('gives the use and the coupon back once it is certain that the first payment never succeeds', async () => {
  const coupon = await newCoupon();
  const link = await newPlanLink({}, { max_uses: 1 });
  const visit = await Visit.of(api, link, { coupon_code: coupon.code });
  const { id, created_at } = expectStatus(await visit.byCard(DECLINED_CARD), 201).body.data;
  expect([await usesOf(link), await redemptionsOf(coupon)]).toEqual([1, 1]);
  const advance_to = new Date(Date.parse(created_at) + 24 * 3_600_000).toISOString();
  const params = { uuid: id };
  expectStatus(await client('moveSubscriptionClock', { params, body: { advance_to } }), 200);
  await waitFor(async () => {
    const { data } = expectStatus(await client('getSubscription', { params }), 200).body;
    return data.status === 'canceled' && data.cancel_reason === 'payment_failed';
  });
  expect([await usesOf(link), await redemptionsOf(coupon)]).toEqual([0, 0]);
  expect(expectStatus(await visit.byCard(APPROVED_CARD), 201).body.data.id).not.toBe(id);
});

it.each([
  ['coupon_not_found', () => Promise.resolve({ code: 'nosuchcode' })],
  ['coupon_expired', () => newCoupon({ valid_from: '2025-01-01', valid_until: '2025-01-31' })],
  ['coupon_not_started', () => newCoupon({ valid_from: '2999-01-01' })],
] as const)('opens no session with a coupon that cannot be redeemed: %s', async (code, make) => {
  const params = addressOf(await newPlanLink());
  const body = { ...BUYER, coupon_code: (await make()).code };
  expect(refusal(await api.anonymous('createLinkSession', { params, body }))).toEqual([422, code]);
});

it('makes no subscription when the coupon was used up meanwhile', async () => {
  const coupon = await newCoupon({ max_redemptions: 1 });
  const link = await newPlanLink();
  const [one, two] = [
    await Visit.of(api, link, { coupon_code: coupon.code }),
    await Visit.of(api, link, { coupon_code: coupon.code }),
  ];
  expectStatus(await one.byCard(APPROVED_CARD), 201);
  expect(refusal(await two.byCard(APPROVED_CARD))).toEqual([422, 'coupon_exhausted']);
  expect(expectStatus(await two.look(), 200).body).toMatchObject({ tries_left: 5, subscription: null });
  expect(await usesOf(link)).toBe(1);
});

describe('a buyer who knows the document of a customer that the company knows', () => {
  const known = { name: 'Maria Souza', email: 'maria@example.com', phone: '11988887777' };

  it('is told nothing of them in a session of a link', async () => {
    const body = { ...known, document: BUYER.cpf_cnpj };
    const { data: before } = expectStatus(await client('createCustomer', { body }), 201).body;
    const visit = await Visit.of(api, await newPlanLink());
    const { data: made } = expectStatus(await visit.byCard(APPROVED_CARD), 201).body;
    expect(made.customer).toMatchObject({ id: before.id, name: BUYER.full_name, email: BUYER.email });
    await expectUntold(visit, made);
    const params = { token: before.token };
    expect(expectStatus(await client('getCustomer', { params }), 200).body.data).toEqual(before);
  });

  it('is told nothing of them in a session of the company’s own that names no customer, nor after a decline', async () => {
    const document = '11144477735';
    await client('createCustomer', { body: { ...known, document } });
    const { id } = await newPlan();
    const visit = await Visit.to(api, client, { type: 'subscription', amount: null, plan_id: id });
    expect(visit.session.customer_required).toBe(true);
    const customer = { name: 'Somebody Else', email: 'else@example.com', document: '111.444.777-35' };
    const key = randomUUID();
    const declined = expectStatus(await visit.byCard(SOFTLY_DECLINED_CARD, key, { customer }), 201).body.data;
    const again = expectStatus(await visit.byCard(SOFTLY_DECLINED_CARD, key, { customer }), 201).body.data;
    const made = expectStatus(await visit.byCard(APPROVED_CARD), 201).body.data;
    for (const told of [declined, again, made]) {
      expect(told.customer).toMatchObject({ name: customer.name, email: customer.email });
    }
    await expectUntold(visit, [declined, again, made]);
  });

  async function expectUntold(visit: Visit, answers: unknown): Promise<void> {
    const told = JSON.stringify([answers, expectStatus(await visit.look(), 200).body]);
    expect(Object.values(known).filter((text) => told.includes(text))).toEqual([]);
  }
});

it('takes a card and nothing else', async () => {
  const visit = await Visit.of(api, await newPlanLink());
  const byPix = await visit.byPix();
  expect(byPix).toMatchObject({ status: 422, body: { errors: { payment_method: expect.any(Array) } } });
  const without = await visit.pay({ payment_method: 'card' });
  expect(without).toMatchObject({ status: 422, body: { errors: { card: expect.any(Array) } } });
});

it('subscribes in a session of the company’s own', async () => {
  const { id } = await newPlan();
  const customer = { name: 'Rita Dias', email: 'rita@example.com', document: '52998224725' };
  const change = { type: 'subscription', amount: null, plan_id: id, customer, metadata: { contract: '7' } };
  const visit = await Visit.to(api, client, change);
  const { data } = expectStatus(await visit.byCard(APPROVED_CARD), 201).body;
  expect(data).toMatchObject({ status: 'active', customer: { name: 'Rita Dias' } });
  expect(data.metadata).toEqual([{ contract: '7' }]);
});
