import { randomUUID } from 'node:crypto';
import { APPROVED_CARD } from '../../support/fixtures/payments';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { slugsOf, BUYER, newLink, errorOf, CheckoutVisit, type PaymentLinkBody } from './checkout-buyer';

/* Subscriptions at a payment link: prices, coupons and declined cards. */

/** A card reported as lost, and a card that the issuer may approve later. */
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

async function newPlanLink(plan: object = {}, change: object = {}): Promise<PaymentLinkBody> {
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

async function usesOf({ token }: PaymentLinkBody): Promise<number> {
  return expectStatus(await client('getPaymentLink', { params: { token } }), 200).body.data.uses_count;
}

it('a session shows the price after the coupon, and the subscription redeems the coupon', async () => {
  const coupon = await newCoupon();
  const link = await newPlanLink();
  const visit = await CheckoutVisit.atLink(api, link, { coupon_code: coupon.code });
  expect(visit.session).toMatchObject({
    ...{ type: 'subscription', amount: null, plan_id: expect.any(Number), plan_uuid: link.plan_id },
    ...{ payment_method: 'card', payment_methods: ['card'], saved_cards: [] },
    ...{ first_charge_amount: 7_492, first_charge_at: null, recurring_amount: 9_990 },
    coupon: { code: coupon.code, discount_value: 25, cycles_used: 0 },
  });
  expect(await redemptionsOf(coupon)).toBe(0);
  const { data: subscription } = expectStatus(await visit.payByCard(APPROVED_CARD), 201).body;
  expect(subscription).toMatchObject({
    status: 'active',
    plan: { id: link.plan_id },
    coupon: { code: coupon.code },
  });
  expect(await redemptionsOf(coupon)).toBe(1);
  expect(await usesOf(link)).toBe(1);
  const { body: shown } = expectStatus(await visit.getSession(), 200);
  expect(shown).toMatchObject({
    subscription: { id: subscription.id, status: 'active' },
    payment: { amount: 7_492 },
  });
  expect(errorOf(await visit.payByCard(APPROVED_CARD))).toEqual([410, 'session_used']);
});

it('a session shows when the first charge after a trial is due', async () => {
  const visit = await CheckoutVisit.atLink(api, await newPlanLink({ trial_period_days: 7 }));
  const { first_charge_at: at, ...session } = visit.session;
  expect(session).toMatchObject({ first_charge_amount: 9_990, recurring_amount: 9_990 });
  expect(Date.parse(at ?? '')).toBeGreaterThan(Date.now() + 6 * 86_400_000);
  expect(expectStatus(await visit.payByCard(APPROVED_CARD), 201).body.data.status).toBe('trialing');
});

it('a card that the issuer declines begins no trial, and counts as a try of the session', async () => {
  const link = await newPlanLink({ trial_period_days: 7 });
  const visit = await CheckoutVisit.atLink(api, link);
  expect(errorOf(await visit.payByCard(DECLINED_CARD))).toEqual([422, 'card_declined']);
  const { body: shown } = expectStatus(await visit.getSession(), 200);
  expect(shown).toMatchObject({ tries_left: 4, subscription: null });
  expect(await usesOf(link)).toBe(0);
  expect(expectStatus(await visit.payByCard(APPROVED_CARD), 201).body.data.status).toBe('trialing');
  const another = await CheckoutVisit.atLink(api, link);
  for (let tries = 0; tries < 5; tries += 1) await another.payByCard(DECLINED_CARD);
  expect(errorOf(await another.payByCard(APPROVED_CARD))).toEqual([410, 'session_used']);
});

it('another card can be charged after a decline, for the same subscription', async () => {
  const link = await newPlanLink();
  const visit = await CheckoutVisit.atLink(api, link);
  const first = expectStatus(await visit.payByCard(DECLINED_CARD), 201).body.data;
  expect(first.status).toBe('pending');
  expect(expectStatus(await visit.getSession(), 200).body).toMatchObject({
    ...{ tries_left: 4, subscription: { status: 'pending' } },
    payment: { status: 'failed', code: 'declined' },
  });
  const key = randomUUID();
  const second = expectStatus(await visit.payByCard(APPROVED_CARD, key), 201).body.data;
  expect(second).toMatchObject({ id: first.id, status: 'active' });
  const again = expectStatus(await visit.payByCard(APPROVED_CARD, key), 201);
  expect([again.body.data.id, again.headers.get('idempotency-replayed')]).toEqual([first.id, 'true']);
  expect(errorOf(await visit.payByCard(APPROVED_CARD))).toEqual([410, 'session_used']);
  expect(await usesOf(link)).toBe(1);
});

it('a request whose response was lost gets the same subscription again', async () => {
  const visit = await CheckoutVisit.atLink(api, await newPlanLink());
  const key = randomUUID();
  const first = expectStatus(await visit.payByCard(APPROVED_CARD, key), 201);
  const again = expectStatus(await visit.payByCard(APPROVED_CARD, key), 201);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});

it('two tabs that pay at the same moment create one subscription', async () => {
  const link = await newPlanLink();
  const visit = await CheckoutVisit.atLink(api, link);
  const answers = await Promise.all([visit.payByCard(APPROVED_CARD), visit.payByCard(APPROVED_CARD)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 410]);
  const { total } = expectStatus(
    await client('listSubscriptions', { query: { plan_id: link.plan_id ?? '' } }),
    200,
  ).body.meta;
  expect(total).toBe(1);
});

it('a buyer can try five cards in a session', async () => {
  const visit = await CheckoutVisit.atLink(api, await newPlanLink());
  for (let tries = 0; tries < 5; tries += 1) {
    expect(expectStatus(await visit.payByCard(SOFTLY_DECLINED_CARD), 201).body.data.status).toBe('pending');
  }
  expect(errorOf(await visit.payByCard(APPROVED_CARD))).toEqual([410, 'session_used']);
  expect(errorOf(await visit.getSession())).toEqual([410, 'session_used']);
});

it('a lost card is not charged twice, and trying it again does not count as an attempt', async () => {
  const visit = await CheckoutVisit.atLink(api, await newPlanLink({ amount: uniqueAmount() }));
  expectStatus(await visit.payByCard(DECLINED_CARD), 201);
  const again = await visit.payByCard(DECLINED_CARD);
  expect(again).toMatchObject({
    status: 422,
    body: { errors: { card: expect.any(Array), 'card.number': expect.any(Array) } },
  });
  expect(expectStatus(await visit.getSession(), 200).body.tries_left).toBe(4);
  expect(expectStatus(await visit.payByCard(APPROVED_CARD), 201).body.data.status).toBe('active');
});

it('the use of the link and the coupon are released once the first payment has certainly failed', async () => {
  const coupon = await newCoupon();
  const link = await newPlanLink({}, { max_uses: 1 });
  const visit = await CheckoutVisit.atLink(api, link, { coupon_code: coupon.code });
  const { id, created_at } = expectStatus(await visit.payByCard(DECLINED_CARD), 201).body.data;
  expect([await usesOf(link), await redemptionsOf(coupon)]).toEqual([1, 1]);
  const advance_to = new Date(Date.parse(created_at) + 24 * 3_600_000).toISOString();
  const params = { uuid: id };
  expectStatus(await client('moveSubscriptionClock', { params, body: { advance_to } }), 200);
  await waitFor(async () => {
    const { data } = expectStatus(await client('getSubscription', { params }), 200).body;
    return data.status === 'canceled' && data.cancel_reason === 'payment_failed';
  });
  expect([await usesOf(link), await redemptionsOf(coupon)]).toEqual([0, 0]);
  expect(expectStatus(await visit.payByCard(APPROVED_CARD), 201).body.data.id).not.toBe(id);
});

it.each([
  ['coupon_not_found', () => Promise.resolve({ code: 'nosuchcode' })],
  ['coupon_expired', () => newCoupon({ valid_from: '2025-01-01', valid_until: '2025-01-31' })],
  ['coupon_not_started', () => newCoupon({ valid_from: '2999-01-01' })],
] as const)('a coupon that cannot be redeemed opens no session: %s', async (code, make) => {
  const params = slugsOf(await newPlanLink());
  const body = { ...BUYER, coupon_code: (await make()).code };
  expect(errorOf(await api.anonymous('createLinkSession', { params, body }))).toEqual([422, code]);
});

it('no subscription is created if the coupon was used up after the session was opened', async () => {
  const coupon = await newCoupon({ max_redemptions: 1 });
  const link = await newPlanLink();
  const [one, two] = [
    await CheckoutVisit.atLink(api, link, { coupon_code: coupon.code }),
    await CheckoutVisit.atLink(api, link, { coupon_code: coupon.code }),
  ];
  expectStatus(await one.payByCard(APPROVED_CARD), 201);
  expect(errorOf(await two.payByCard(APPROVED_CARD))).toEqual([422, 'coupon_exhausted']);
  expect(expectStatus(await two.getSession(), 200).body).toMatchObject({ tries_left: 5, subscription: null });
  expect(await usesOf(link)).toBe(1);
});

describe('the offer of a session', () => {
  it('holds for the first and the later charges when the plan becomes dearer', async () => {
    const link = await newPlanLink({ billing_day: null });
    const visit = await CheckoutVisit.atLink(api, link);
    const params = { uuid: link.plan_id ?? '' };
    const change = { amount: 19_990, interval: 'weekly', trial_period_days: 30, billing_day: 5 };
    expectStatus(await client('updatePlan', { params, body: change }), 200);
    const later = await CheckoutVisit.atLink(api, link);
    expect(later.session.plan).toMatchObject({ amount: 19_990, interval: 'weekly', trial_period_days: 30 });

    const { body: shown } = expectStatus(await visit.getSession(), 200);
    expect(shown).toMatchObject({
      first_charge_amount: 9_990,
      first_charge_at: null,
      recurring_amount: 9_990,
    });
    expect(shown.plan).toMatchObject({ amount: 9_990, interval: 'monthly', trial_period_days: 0 });
    const { data } = expectStatus(await visit.payByCard(APPROVED_CARD), 201).body;
    expect(data).toMatchObject({ status: 'active', amount: 9_990, interval: 'monthly', trial: null });
    const uuid = { uuid: data.id };
    const upcoming = expectStatus(await client('listUpcomingCharges', { params: uuid }), 200).body.data;
    expect(new Set(upcoming.map((charge) => charge.amount_charged))).toEqual(new Set([9_990]));
    const advance_to = upcoming[0]?.due_at ?? '';
    expectStatus(await client('moveSubscriptionClock', { params: uuid, body: { advance_to } }), 200);
    const [second] = await waitFor(async () => {
      const cycles = expectStatus(await client('listSubscriptionCycles', { params: uuid }), 200).body.data;
      return cycles[0]?.number === 2 && cycles[0].status === 'paid' && cycles;
    });
    expect(second).toMatchObject({ amount_charged: 9_990 });
  });

  it('is 409 if the first period costs something else by now, and the session then shows and charges that', async () => {
    const link = await newPlanLink();
    const visit = await CheckoutVisit.atLink(api, link);
    // As if the session had been opened on a day with a longer first period.
    await api.engine.context.db.query(
      `UPDATE checkout_sessions SET offered_first_cents = 10090 WHERE plan_id = $1`,
      [visit.session.plan_id],
    );
    expect(expectStatus(await visit.getSession(), 200).body.first_charge_amount).toBe(10_090);
    const key = randomUUID();
    expect(errorOf(await visit.payByCard(APPROVED_CARD, key))).toEqual([409, 'offer_changed']);
    const { body: shown } = expectStatus(await visit.getSession(), 200);
    expect(shown).toMatchObject({ tries_left: 5, first_charge_amount: 9_990, subscription: null });
    expect(await usesOf(link)).toBe(0);
    expectStatus(await visit.payByCard(APPROVED_CARD, key), 201);
    expect(expectStatus(await visit.getSession(), 200).body.payment).toMatchObject({ amount: 9_990 });
  });

  it('is 409 if the buyer saw another amount, for example in an older tab', async () => {
    const visit = await CheckoutVisit.atLink(api, await newPlanLink());
    const paySeeing = (first_charge_amount: number) =>
      visit.payByCard(APPROVED_CARD, randomUUID(), { first_charge_amount });
    expect(errorOf(await paySeeing(9_989))).toEqual([409, 'offer_changed']);
    expectStatus(await paySeeing(9_990), 201);
  });
});

describe('a buyer with the document of a customer that the company has stored', () => {
  const known = { name: 'Maria Souza', email: 'maria@example.com', phone: '11988887777' };

  it('sees none of the customer’s data in a session of a link', async () => {
    const body = { ...known, document: BUYER.cpf_cnpj };
    const { data: before } = expectStatus(await client('createCustomer', { body }), 201).body;
    const visit = await CheckoutVisit.atLink(api, await newPlanLink());
    const { data: subscription } = expectStatus(await visit.payByCard(APPROVED_CARD), 201).body;
    expect(subscription.customer).toMatchObject({ id: null, name: BUYER.full_name, email: BUYER.email });
    await expectNoCustomerData(visit, subscription);
    const params = { token: before.token };
    expect(expectStatus(await client('getCustomer', { params }), 200).body.data).toEqual(before);
  });

  it('sees none of the customer’s data in a session of the company without a customer, even after a decline', async () => {
    const document = '11144477735';
    await client('createCustomer', { body: { ...known, document } });
    const { id } = await newPlan();
    const visit = await CheckoutVisit.ofCompany(api, client, {
      type: 'subscription',
      amount: null,
      plan_id: id,
    });
    expect(visit.session.customer_required).toBe(true);
    const customer = { name: 'Another Buyer', email: 'else@example.com', document: '111.444.777-35' };
    const key = randomUUID();
    const declined = expectStatus(await visit.payByCard(SOFTLY_DECLINED_CARD, key, { customer }), 201).body
      .data;
    const again = expectStatus(await visit.payByCard(SOFTLY_DECLINED_CARD, key, { customer }), 201).body.data;
    const subscription = expectStatus(await visit.payByCard(APPROVED_CARD), 201).body.data;
    for (const shown of [declined, again, subscription]) {
      expect(shown.customer).toMatchObject({ name: customer.name, email: customer.email });
    }
    await expectNoCustomerData(visit, [declined, again, subscription]);
  });

  async function expectNoCustomerData(visit: CheckoutVisit, answers: unknown): Promise<void> {
    const text = JSON.stringify([answers, expectStatus(await visit.getSession(), 200).body]);
    expect(Object.values(known).filter((value) => text.includes(value))).toEqual([]);
  }
});

it('a subscription can be paid only by card', async () => {
  const visit = await CheckoutVisit.atLink(api, await newPlanLink());
  const byPix = await visit.payByPix();
  expect(byPix).toMatchObject({ status: 422, body: { errors: { payment_method: expect.any(Array) } } });
  const without = await visit.pay({ payment_method: 'card' });
  expect(without).toMatchObject({ status: 422, body: { errors: { card: expect.any(Array) } } });
});

it('a session of the company can create a subscription', async () => {
  const { id } = await newPlan();
  const customer = { name: 'Rita Dias', email: 'rita@example.com', document: '52998224725' };
  const change = { type: 'subscription', amount: null, plan_id: id, customer, metadata: { contract: '7' } };
  const visit = await CheckoutVisit.ofCompany(api, client, change);
  const { data } = expectStatus(await visit.payByCard(APPROVED_CARD), 201).body;
  expect(data).toMatchObject({ status: 'active', customer: { name: 'Rita Dias' } });
  expect(data.metadata).toEqual([{ contract: '7' }]);
});
