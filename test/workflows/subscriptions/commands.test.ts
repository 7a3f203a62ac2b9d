import type { components } from '../../../src/http/generated/openapi';
import { expectStatus } from '../../api/support/api-client';
import { registerWithGateways } from '../../api/support/engine-api';
import { uniqueAmount } from '../../support/scenarios/pay';
import { ask, GOOD_CARD, OTHER_GOOD_CARD, RUNS_DRY, type Asked } from './command-requests';
import {
  newPlan,
  openShop,
  subscriptionBody,
  TestSubscription,
  type SubscriptionShop,
} from './subscription-merchant';

type Plan = components['schemas']['Plan'];

let shop: SubscriptionShop;
let weekly: Plan;
let cheaper: Plan;
beforeAll(async () => {
  shop = await openShop();
  weekly = await newPlan(shop.client);
  cheaper = await newPlan(shop.client, { name: 'Silver', amount: 4_990 });
});
afterAll(() => shop.api.stop());

const subscribe = (change: object = {}): Promise<TestSubscription> =>
  TestSubscription.create(shop.client, subscriptionBody(weekly.id, change));

async function asked(subscription: TestSubscription, what: Asked, body?: object): Promise<TestSubscription> {
  expectStatus(await ask(shop.client, subscription.id, what, body), 200);
  return subscription;
}

async function lived(subscription: TestSubscription, days: number): Promise<TestSubscription> {
  await subscription.liveTo(days);
  return subscription;
}

describe('a command', () => {
  it('may not name another company’s plan, card or customer: 422 on that field, and nothing changes', async () => {
    const other = await registerWithGateways(shop.api);
    const theirs = await newPlan(other);
    const customer = expectStatus(
      await other('createCustomer', {
        body: { name: 'Ana Lima', email: 'ana@example.com', document: '39053344705' },
      }),
      201,
    ).body.data;
    const params = { token: customer.token };
    const card = expectStatus(await other('createCustomerCard', { params, body: GOOD_CARD }), 201).body.data;
    const subscription = await subscribe();
    const faults = await Promise.all([
      ask(shop.client, subscription.id, 'plan', { plan_id: theirs.id }),
      ask(shop.client, subscription.id, 'card', { card: { token: card.token } }),
      shop.client('createSubscription', { body: subscriptionBody(theirs.id) }),
      shop.client('createSubscription', {
        body: subscriptionBody(weekly.id, { customer: { token: customer.token } }),
      }),
      shop.client('createSubscription', {
        body: subscriptionBody(weekly.id, { card: { token: card.token } }),
      }),
    ]);
    expect(
      faults.map(({ status, body }) => [status, Object.keys((body as { errors?: object }).errors ?? {})]),
    ).toEqual([
      [422, ['plan_id']],
      [422, ['card.token']],
      [422, ['plan_id']],
      [422, ['customer.token']],
      [422, ['card.token']],
    ]);
    expect(await subscription.now()).toEqual(subscription.created);
  });

  it('may not name a plan that is inactive, in another currency, or its own', async () => {
    const dollars = await newPlan(shop.client, { currency: 'USD' });
    const ended = await newPlan(shop.client);
    expectStatus(await shop.client('deletePlan', { params: { uuid: ended.id } }), 204);
    const subscription = await subscribe();
    for (const plan_id of [dollars.id, ended.id, weekly.id]) {
      const { body } = expectStatus(await ask(shop.client, subscription.id, 'plan', { plan_id }), 422);
      expect(Object.keys(body.errors ?? {})).toEqual(['plan_id']);
    }
  });
});

describe('a card that would not be valid long enough for the plan', () => {
  const soon = new Date();
  const short = { ...GOOD_CARD, expire_month: soon.getMonth() + 1, expire_year: soon.getFullYear() };

  it('is refused at creation and when it is to replace another, on its year', async () => {
    const plan = await newPlan(shop.client, { min_card_months: 6 });
    const created = await shop.client('createSubscription', {
      body: subscriptionBody(plan.id, { card: short }),
    });
    const subscription = await TestSubscription.create(shop.client, subscriptionBody(plan.id));
    const changed = await ask(shop.client, subscription.id, 'card', { card: short });
    for (const answer of [created, changed]) {
      expect(answer).toMatchObject({
        status: 422,
        body: { errors: { 'card.expire_year': [expect.any(String)] } },
      });
    }
    expect(await subscription.now()).toEqual(subscription.created);
  });
});

describe('a pause', () => {
  it('until a leap second, which no clock here has, is refused', async () => {
    const subscription = await subscribe();
    const paused_until = '2036-12-31T23:59:60Z';
    const { body } = expectStatus(await ask(shop.client, subscription.id, 'pause', { paused_until }), 422);
    expect(Object.keys(body.errors ?? {})).toEqual(['paused_until']);
  });

  it('within the paid period keeps the next billing date and charges nothing', async () => {
    const subscription = await subscribe();
    const paused_until = subscription.dayAfter(3);
    const { body } = expectStatus(await ask(shop.client, subscription.id, 'pause', { paused_until }), 200);
    expect(body.data).toMatchObject({
      status: 'paused',
      paused_until,
      next_billing_at: subscription.created.next_billing_at,
    });
    expect(await subscription.liveTo(3)).toMatchObject({
      status: 'active',
      paused_at: null,
      paused_until: null,
      next_billing_at: subscription.dayAfter(7),
    });
    await subscription.liveTo(7);
    expect((await subscription.log()).slice(3)).toEqual(['+0 paused', '+3 resumed', '+7 payment.success']);
  });

  it('longer than the paid period bills once, when it is over, and then from that day on', async () => {
    const subscription = await subscribe();
    await asked(subscription, 'pause', { paused_until: subscription.dayAfter(17) });
    const later = await subscription.liveTo(24);
    expect(later.next_billing_at).toBe(subscription.dayAfter(31));
    expect((await subscription.log()).slice(3)).toEqual([
      '+0 paused',
      '+17 resumed',
      '+17 payment.success',
      '+24 payment.success',
    ]);
  });

  it('without an end lasts until it is resumed, and never bills for itself', async () => {
    const subscription = await asked(await subscribe(), 'pause').then((paused) => lived(paused, 60));
    expect((await subscription.now()).status).toBe('paused');
    await asked(subscription, 'resume');
    expect((await subscription.log()).slice(3)).toEqual(['+0 paused', '+60 resumed', '+60 payment.success']);
    expect(await subscription.cycles()).toHaveLength(2);
  });

  it('may not end in the past of the subscription’s own time, nor too far from it', async () => {
    const subscription = await lived(await subscribe(), 10);
    for (const days of [9, 3_700]) {
      const paused_until = subscription.dayAfter(days);
      const { body } = expectStatus(await ask(shop.client, subscription.id, 'pause', { paused_until }), 422);
      expect(Object.keys(body.errors ?? {})).toEqual(['paused_until']);
    }
  });

  it('takes a downgrade that waited for the period’s end with it: what is billed after it is the new plan', async () => {
    const subscription = await asked(await subscribe(), 'plan', { plan_id: cheaper.id });
    await asked(subscription, 'pause', { paused_until: subscription.dayAfter(17) });
    expect(await subscription.upcoming(1)).toMatchObject([{ amount_charged: 4_990 }]);
    expect(await subscription.liveTo(17)).toMatchObject({
      status: 'active',
      amount: 4_990,
      new_plan_id: null,
    });
    expect((await subscription.cycles()).map(({ amount_charged }) => amount_charged)).toEqual([9_990, 4_990]);
  });
});

describe('a cancel', () => {
  it('at the period’s end lets the paid period run, charges no more, and says so in its event', async () => {
    const subscription = await asked(await subscribe(), 'cancel', { at_period_end: true });
    expect(await subscription.now()).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
      cancel_at: subscription.dayAfter(7),
      next_billing_at: null,
    });
    expect(await subscription.upcoming()).toEqual([]);
    expect(await subscription.liveTo(7)).toMatchObject({ status: 'canceled', cancel_reason: 'period_end' });
    expect((await subscription.events()).at(-1)).toMatchObject({
      event: 'subscription.canceled',
      at_period_end: true,
    });
    expect(await subscription.cycles()).toHaveLength(1);
  });

  it('that was taken back leaves the next billing as it was', async () => {
    const subscription = await asked(await subscribe(), 'cancel', { at_period_end: true });
    await asked(subscription, 'uncancel');
    const { updated_at: _now, ...present } = await subscription.now();
    const { updated_at: _then, ...created } = subscription.created;
    expect(present).toEqual(created);
    await subscription.liveTo(7);
    expect((await subscription.log()).at(-1)).toBe('+7 payment.success');
  });
});

describe('a refused charge', () => {
  const once = (amount: number, decline: string): Promise<void> =>
    shop.api.engine.simulator.script({ amount, operation: 'charge' }, { decline });

  async function refusedRenewal(decline: string): Promise<TestSubscription> {
    const amount = uniqueAmount();
    const plan = await newPlan(shop.client, { amount });
    const subscription = await TestSubscription.create(shop.client, subscriptionBody(plan.id));
    await once(amount, decline);
    return lived(subscription, 7);
  }

  it('is made up for by hand: the same cycle is paid by a second payment, and the dates stay', async () => {
    const subscription = await refusedRenewal('51');
    expect(await subscription.now()).toMatchObject({ status: 'active', dunning: { retry_count: 0 } });
    await asked(subscription, 'retry');
    expect(await subscription.now()).toMatchObject({
      status: 'active',
      dunning: null,
      next_billing_at: subscription.dayAfter(14),
    });
    const [, cycle] = await subscription.cycles();
    expect(cycle).toMatchObject({ number: 2, status: 'paid', retry_count: 0 });
    expect(cycle?.payments).toHaveLength(2);
  });

  it('that is irreversible makes it past due at once, is never retried by hand, and a new card recovers it', async () => {
    const subscription = await refusedRenewal('41');
    expect(await subscription.now()).toMatchObject({ status: 'past_due', next_billing_at: null });
    expect((await subscription.log()).slice(-2)).toEqual(['+7 payment.failed', '+7 past_due']);
    const { body } = expectStatus(await ask(shop.client, subscription.id, 'retry'), 409);
    expect(body.message).toMatch(/past_due.*change the card/);
    await asked(subscription, 'card', { card: OTHER_GOOD_CARD });
    expect(await subscription.now()).toMatchObject({ status: 'active', dunning: null });
    expect((await subscription.log()).at(-1)).toBe('+7 payment.success');
    expect(await subscription.cycles()).toMatchObject([{ number: 1 }, { number: 2, status: 'paid' }]);
  });

  it('made up for after its period begins a new period at the payment, and bills nothing for the time between', async () => {
    const plan = await newPlan(shop.client, { amount: uniqueAmount() });
    const body = subscriptionBody(plan.id, { card: RUNS_DRY });
    const subscription = await lived(await TestSubscription.create(shop.client, body), 40);
    await asked(subscription, 'card', { card: GOOD_CARD });
    const present = await subscription.now();
    const paidAt = (await subscription.cycles()).at(-1)?.paid_at ?? '';
    expect(present.current_period?.start).toBe(paidAt);
    expect(Date.parse(paidAt)).toBeGreaterThanOrEqual(Date.parse(subscription.dayAfter(40)));
    expect(await subscription.cycles()).toHaveLength(2);
  });
});
