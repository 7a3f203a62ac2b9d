import type { Behavior } from '../../../src/simulator/scripts';
import type { components } from '../../../src/http/generated/openapi';
import { expectStatus } from '../../api/support/api-client';
import { registerWithGateways } from '../../api/support/engine-api';
import { uniqueAmount } from '../../support/scenarios/pay';
import { sendCommand, GOOD_CARD, OTHER_GOOD_CARD, DECLINED_ON_RENEWAL_CARD } from './command-requests';
import {
  advanced,
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  withCommand,
  type SubscriptionMerchant,
} from './subscription-merchant';

type Plan = components['schemas']['Plan'];

let merchant: SubscriptionMerchant;
let weekly: Plan;
let cheaper: Plan;
beforeAll(async () => {
  merchant = await startMerchant();
  weekly = await newPlan(merchant.client);
  cheaper = await newPlan(merchant.client, { name: 'Silver', amount: 4_990 });
});
afterAll(() => merchant.api.stop());

const subscribe = (change: object = {}): Promise<TestSubscription> =>
  TestSubscription.create(merchant.client, subscriptionBody(weekly.id, change));

describe('a command', () => {
  it('with another company’s plan, card or customer is answered 422 on that field and changes nothing', async () => {
    const other = await registerWithGateways(merchant.api);
    const otherPlan = await newPlan(other);
    const customer = expectStatus(
      await other('createCustomer', {
        body: { name: 'Ana Lima', email: 'ana@example.com', document: '39053344705' },
      }),
      201,
    ).body.data;
    const params = { token: customer.token };
    const card = expectStatus(await other('createCustomerCard', { params, body: GOOD_CARD }), 201).body.data;
    const subscription = await subscribe();
    const answers = await Promise.all([
      sendCommand(merchant.client, subscription.id, 'plan', { plan_id: otherPlan.id }),
      sendCommand(merchant.client, subscription.id, 'card', { card: { token: card.token } }),
      merchant.client('createSubscription', { body: subscriptionBody(otherPlan.id) }),
      merchant.client('createSubscription', {
        body: subscriptionBody(weekly.id, { customer: { token: customer.token } }),
      }),
      merchant.client('createSubscription', {
        body: subscriptionBody(weekly.id, { card: { token: card.token } }),
      }),
    ]);
    expect(
      answers.map(({ status, body }) => [status, Object.keys((body as { errors?: object }).errors ?? {})]),
    ).toEqual([
      [422, ['plan_id']],
      [422, ['card.token']],
      [422, ['plan_id']],
      [422, ['customer.token']],
      [422, ['card.token']],
    ]);
    expect(await subscription.current()).toEqual(subscription.created);
  });

  it('with an inactive plan, a plan in another currency or the current plan is answered 422', async () => {
    const dollars = await newPlan(merchant.client, { currency: 'USD' });
    const ended = await newPlan(merchant.client);
    expectStatus(await merchant.client('deletePlan', { params: { uuid: ended.id } }), 204);
    const subscription = await subscribe();
    for (const plan_id of [dollars.id, ended.id, weekly.id]) {
      const { body } = expectStatus(
        await sendCommand(merchant.client, subscription.id, 'plan', { plan_id }),
        422,
      );
      expect(Object.keys(body.errors ?? {})).toEqual(['plan_id']);
    }
  });
});

describe('a card that expires before the plan’s minimum number of months', () => {
  const soon = new Date();
  const short = { ...GOOD_CARD, expire_month: soon.getMonth() + 1, expire_year: soon.getFullYear() };

  it('is refused at creation and at a card change, on its expiry year', async () => {
    const plan = await newPlan(merchant.client, { min_card_months: 6 });
    const created = await merchant.client('createSubscription', {
      body: subscriptionBody(plan.id, { card: short }),
    });
    const subscription = await TestSubscription.create(merchant.client, subscriptionBody(plan.id));
    const changed = await sendCommand(merchant.client, subscription.id, 'card', { card: short });
    for (const answer of [created, changed]) {
      expect(answer).toMatchObject({
        status: 422,
        body: { errors: { 'card.expire_year': [expect.any(String)] } },
      });
    }
    expect(await subscription.current()).toEqual(subscription.created);
  });
});

describe('a pause', () => {
  it('until a leap second is refused', async () => {
    const subscription = await subscribe();
    const paused_until = '2036-12-31T23:59:60Z';
    const { body } = expectStatus(
      await sendCommand(merchant.client, subscription.id, 'pause', { paused_until }),
      422,
    );
    expect(Object.keys(body.errors ?? {})).toEqual(['paused_until']);
  });

  it('within the paid period keeps the next billing date and charges nothing', async () => {
    const subscription = await subscribe();
    const paused_until = subscription.dayAfter(3);
    const { body } = expectStatus(
      await sendCommand(merchant.client, subscription.id, 'pause', { paused_until }),
      200,
    );
    expect(body.data).toMatchObject({
      status: 'paused',
      paused_until,
      next_billing_at: subscription.created.next_billing_at,
    });
    expect(await subscription.advanceDays(3)).toMatchObject({
      status: 'active',
      paused_at: null,
      paused_until: null,
      next_billing_at: subscription.dayAfter(7),
    });
    await subscription.advanceDays(7);
    expect((await subscription.log()).slice(3)).toEqual(['+0 paused', '+3 resumed', '+7 payment.success']);
  });

  it('beyond the paid period charges when it ends, and then at intervals from that day', async () => {
    const subscription = await subscribe();
    await withCommand(subscription, 'pause', { paused_until: subscription.dayAfter(17) });
    const later = await subscription.advanceDays(24);
    expect(later.next_billing_at).toBe(subscription.dayAfter(31));
    expect((await subscription.log()).slice(3)).toEqual([
      '+0 paused',
      '+17 resumed',
      '+17 payment.success',
      '+24 payment.success',
    ]);
  });

  it('without an end lasts until it is resumed and is never charged', async () => {
    const subscription = await withCommand(await subscribe(), 'pause').then((paused) => advanced(paused, 60));
    expect((await subscription.current()).status).toBe('paused');
    await withCommand(subscription, 'resume');
    expect((await subscription.log()).slice(3)).toEqual(['+0 paused', '+60 resumed', '+60 payment.success']);
    expect(await subscription.cycles()).toHaveLength(2);
  });

  it('may end neither in the past by the subscription’s clock nor too far in the future', async () => {
    const subscription = await advanced(await subscribe(), 10);
    for (const days of [9, 3_700]) {
      const paused_until = subscription.dayAfter(days);
      const { body } = expectStatus(
        await sendCommand(merchant.client, subscription.id, 'pause', { paused_until }),
        422,
      );
      expect(Object.keys(body.errors ?? {})).toEqual(['paused_until']);
    }
  });

  it('keeps a planned downgrade, and the new plan is charged when it ends', async () => {
    const subscription = await withCommand(await subscribe(), 'plan', { plan_id: cheaper.id });
    await withCommand(subscription, 'pause', { paused_until: subscription.dayAfter(17) });
    expect(await subscription.upcoming(1)).toMatchObject([{ amount_charged: 4_990 }]);
    expect(await subscription.advanceDays(17)).toMatchObject({
      status: 'active',
      amount: 4_990,
      new_plan_id: null,
    });
    expect((await subscription.cycles()).map(({ amount_charged }) => amount_charged)).toEqual([9_990, 4_990]);
  });
});

describe('a cancellation', () => {
  it('at the period’s end keeps the paid period, charges no more and is marked in its event', async () => {
    const subscription = await withCommand(await subscribe(), 'cancel', { at_period_end: true });
    expect(await subscription.current()).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
      cancel_at: subscription.dayAfter(7),
      next_billing_at: null,
    });
    expect(await subscription.upcoming()).toEqual([]);
    expect(await subscription.advanceDays(7)).toMatchObject({
      status: 'canceled',
      cancel_reason: 'period_end',
    });
    expect((await subscription.events()).at(-1)).toMatchObject({
      event: 'subscription.canceled',
      at_period_end: true,
    });
    expect(await subscription.cycles()).toHaveLength(1);
  });

  it('that is revoked keeps the next billing date', async () => {
    const subscription = await withCommand(await subscribe(), 'cancel', { at_period_end: true });
    await withCommand(subscription, 'uncancel');
    const { updated_at: _current, ...current } = await subscription.current();
    const { updated_at: _created, ...created } = subscription.created;
    expect(current).toEqual(created);
    await subscription.advanceDays(7);
    expect((await subscription.log()).at(-1)).toBe('+7 payment.success');
  });
});

describe('a declined charge', () => {
  const declineOnce = (amount: number, behavior: Behavior): Promise<void> =>
    merchant.api.engine.simulator.script({ amount, operation: 'charge' }, behavior);

  async function declinedRenewal(behavior: Behavior): Promise<TestSubscription> {
    const amount = uniqueAmount();
    const plan = await newPlan(merchant.client, { amount });
    const subscription = await TestSubscription.create(merchant.client, subscriptionBody(plan.id));
    await declineOnce(amount, behavior);
    return advanced(subscription, 7);
  }

  it('is paid by a retry on request, with a second payment of the same cycle and unchanged billing dates', async () => {
    const subscription = await declinedRenewal({ decline: '51' });
    expect(await subscription.current()).toMatchObject({ status: 'active', dunning: { retry_count: 0 } });
    await withCommand(subscription, 'retry');
    expect(await subscription.current()).toMatchObject({
      status: 'active',
      dunning: null,
      next_billing_at: subscription.dayAfter(14),
    });
    const [, cycle] = await subscription.cycles();
    expect(cycle).toMatchObject({ number: 2, status: 'paid', retry_count: 0 });
    expect(cycle?.payments).toHaveLength(2);
  });

  it('without a code that the gateway calls fraud is not retried automatically, and is paid by a retry on request', async () => {
    const subscription = await declinedRenewal({ decline_class: 'fraud' });
    expect(await subscription.current()).toMatchObject({ status: 'past_due', next_billing_at: null });
    expect((await subscription.log()).slice(-2)).toEqual(['+7 payment.failed', '+7 past_due']);
    await withCommand(subscription, 'retry');
    expect(await subscription.current()).toMatchObject({ status: 'active', dunning: null });
  });

  it('that is irreversible makes the subscription past due, cannot be retried, and is paid with a new card', async () => {
    const subscription = await declinedRenewal({ decline: '41' });
    expect(await subscription.current()).toMatchObject({ status: 'past_due', next_billing_at: null });
    expect((await subscription.log()).slice(-2)).toEqual(['+7 payment.failed', '+7 past_due']);
    const { body } = expectStatus(await sendCommand(merchant.client, subscription.id, 'retry'), 409);
    expect(body.message).toMatch(/past_due.*change the card/);
    await withCommand(subscription, 'card', { card: OTHER_GOOD_CARD });
    expect(await subscription.current()).toMatchObject({ status: 'active', dunning: null });
    expect((await subscription.log()).at(-1)).toBe('+7 payment.success');
    expect(await subscription.cycles()).toMatchObject([{ number: 1 }, { number: 2, status: 'paid' }]);
  });

  it('that is paid after its period ended starts a new period at the payment and charges nothing for the gap', async () => {
    const plan = await newPlan(merchant.client, { amount: uniqueAmount() });
    const body = subscriptionBody(plan.id, { card: DECLINED_ON_RENEWAL_CARD });
    const subscription = await advanced(await TestSubscription.create(merchant.client, body), 40);
    await withCommand(subscription, 'card', { card: GOOD_CARD });
    const present = await subscription.current();
    const paidAt = (await subscription.cycles()).at(-1)?.paid_at ?? '';
    expect(present.current_period?.start).toBe(paidAt);
    expect(Date.parse(paidAt)).toBeGreaterThanOrEqual(Date.parse(subscription.dayAfter(40)));
    expect(await subscription.cycles()).toHaveLength(2);
  });
});
