import type { components } from '../../../src/http/generated/openapi';
import { expectStatus } from '../../api/support/api-client';
import { uniqueAmount } from '../../support/scenarios/pay';
import { sendCommand, GOOD_CARD, SOFT_DECLINE_CARD } from './command-requests';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type SubscriptionMerchant,
} from './subscription-merchant';

type Coupon = components['schemas']['Coupon'];

let merchant: SubscriptionMerchant;
beforeAll(async () => {
  merchant = await startMerchant();
});
afterAll(() => merchant.api.stop());

let coupons = 0;

async function newCoupon(terms: object): Promise<Coupon> {
  coupons += 1;
  const body = { code: `CODE${coupons}`, name: 'Launch', valid_from: '2026-01-01', ...terms };
  return expectStatus(await merchant.client('createCoupon', { body }), 201).body.data;
}

async function redemptions({ id: uuid }: Coupon): Promise<number> {
  return expectStatus(await merchant.client('getCoupon', { params: { uuid } }), 200).body.data
    .redemptions_count;
}

async function subscribe(coupon: Coupon, amount: number, change: object = {}): Promise<TestSubscription> {
  const plan = await newPlan(merchant.client, { amount });
  return TestSubscription.create(
    merchant.client,
    subscriptionBody(plan.id, { coupon_code: coupon.code, ...change }),
  );
}

const chargesOf = async (subscription: TestSubscription) =>
  (await subscription.cycles()).map((cycle) => [
    cycle.status,
    cycle.amount,
    cycle.discount_amount,
    cycle.amount_charged,
    cycle.payments.length,
  ]);

describe('a coupon', () => {
  it('with a percentage discounts each cycle, rounded half up, and is shown in the subscription', async () => {
    const coupon = await newCoupon({ discount_type: 'percentage', discount_value: 15 });
    const subscription = await subscribe(coupon, 9_990);
    expect(subscription.created).toMatchObject({
      amount: 8_491,
      original_amount: 9_990,
      discount_amount: 1_499,
      coupon: {
        id: coupon.id,
        code: coupon.code,
        name: 'Launch',
        discount_type: 'percentage',
        discount_value: 15,
        max_cycles: null,
        cycles_used: 1,
      },
    });
    await subscription.advanceDays(7);
    // 15 % of 99.90 is 14.985.
    const cycle = ['paid', 9_990, 1_499, 8_491, 1];
    expect(await chargesOf(subscription)).toEqual([cycle, cycle]);
    expect(await redemptions(coupon)).toBe(1);
  });

  it('with max_cycles counts paid cycles and not declined charges', async () => {
    const coupon = await newCoupon({ discount_type: 'fixed', discount_value: 1_000, max_cycles: 2 });
    const amount = uniqueAmount();
    const subscription = await subscribe(coupon, amount);
    const script = { amount: amount - 1_000, operation: 'charge' } as const;
    await merchant.api.engine.simulator.script(script, { decline: '51' }, 2);
    const later = await subscription.advanceDays(14);
    expect(await chargesOf(subscription)).toEqual([
      ['paid', amount, 1_000, amount - 1_000, 1],
      ['paid', amount, 1_000, amount - 1_000, 3],
      ['paid', amount, 0, amount, 1],
    ]);
    expect(later).toMatchObject({ amount, discount_amount: 0, coupon: { cycles_used: 2 } });
  });

  it('of 100 percent makes waived cycles without a payment, with an event as for paid ones', async () => {
    const coupon = await newCoupon({ discount_type: 'percentage', discount_value: 100, max_cycles: 2 });
    const subscription = await subscribe(coupon, 9_990, { card: SOFT_DECLINE_CARD });
    expect(subscription.created.status).toBe('active');
    await subscription.advanceDays(7);
    const waived = ['waived', 9_990, 9_990, 0, 0];
    expect(await chargesOf(subscription)).toEqual([waived, waived]);
    const paid = (await subscription.events()).filter(({ event }) => event.endsWith('payment.success'));
    expect(paid).toMatchObject([
      { amount_charged: 0, transaction_id: null },
      { amount_charged: 0, transaction_id: null },
    ]);
    const rows = await merchant.api.engine.context.db.query(
      'SELECT 1 FROM payments WHERE subscription_id = $1',
      [subscription.id],
    );
    expect(rows).toEqual([]);
    // The third cycle is not free, and its card is declined.
    expect(await subscription.advanceDays(14)).toMatchObject({
      status: 'active',
      dunning: { retry_count: 0 },
    });
  });

  it.each([
    ['that leaves 99 cents makes a waived cycle', 9_901, ['waived', 10_000, 9_901, 0, 0]],
    ['that leaves 1.00 makes a charged cycle', 9_900, ['paid', 10_000, 9_900, 100, 1]],
    ['of more than the price discounts the price only', 12_000, ['waived', 10_000, 10_000, 0, 0]],
  ])('%s', async (_, discount_value, cycle) => {
    const coupon = await newCoupon({ discount_type: 'fixed', discount_value });
    const subscription = await subscribe(coupon, 10_000);
    expect(subscription.created.status).toBe('active');
    expect(await chargesOf(subscription)).toEqual([cycle]);
    const [, success] = await subscription.events();
    expect(success).toMatchObject({ event: 'subscription.payment.success', amount_charged: cycle[3] });
  });
});

describe('a redemption', () => {
  it('is released if the first payment never succeeds', async () => {
    const coupon = await newCoupon({ discount_type: 'fixed', discount_value: 500, max_redemptions: 1 });
    const subscription = await subscribe(coupon, 9_990, { card: SOFT_DECLINE_CARD });
    expect(await redemptions(coupon)).toBe(1);
    expect(await subscription.advanceDays(1)).toMatchObject({
      status: 'canceled',
      cancel_reason: 'payment_failed',
      canceled_at: new Date(Date.parse(subscription.created.created_at) + 23 * 3_600_000).toISOString(),
    });
    expect(await redemptions(coupon)).toBe(0);
    expect((await subscribe(coupon, 9_990)).created.status).toBe('active');
  });

  it('is released once if several cancellations are sent concurrently', async () => {
    const coupon = await newCoupon({ discount_type: 'fixed', discount_value: 500 });
    const [active, subscription] = [
      await subscribe(coupon, 9_990),
      await subscribe(coupon, 9_990, { card: SOFT_DECLINE_CARD }),
    ];
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => sendCommand(merchant.client, subscription.id, 'cancel')),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await redemptions(coupon)).toBe(1);
    expect((await active.current()).status).toBe('active');
  });

  it('is not released if the first payment succeeded with another card before the cancellation', async () => {
    const coupon = await newCoupon({ discount_type: 'fixed', discount_value: 500 });
    const subscription = await subscribe(coupon, 9_990, { card: SOFT_DECLINE_CARD });
    expectStatus(await sendCommand(merchant.client, subscription.id, 'card', { card: GOOD_CARD }), 200);
    expectStatus(await sendCommand(merchant.client, subscription.id, 'cancel'), 200);
    expect(await redemptions(coupon)).toBe(1);
  });

  it('is not counted for a creation that is refused for another reason', async () => {
    const coupon = await newCoupon({ discount_type: 'fixed', discount_value: 500 });
    const plan = await newPlan(merchant.client, { min_card_months: 36 });
    const card = { ...GOOD_CARD, expire_month: 12, expire_year: new Date().getFullYear() + 1 };
    const body = subscriptionBody(plan.id, { coupon_code: coupon.code, card });
    expectStatus(await merchant.client('createSubscription', { body }), 422);
    expect(await redemptions(coupon)).toBe(0);
  });

  it('succeeds for exactly ten of a hundred concurrent requests if ten are left', async () => {
    const coupon = await newCoupon({ discount_type: 'percentage', discount_value: 10, max_redemptions: 10 });
    const plan = await newPlan(merchant.client, { trial_period_days: 7 });
    const body = subscriptionBody(plan.id, { coupon_code: coupon.code });
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => merchant.client('createSubscription', { body })),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(90);
    expect(new Set(refused.map(({ body: answer }) => (answer as { code: string }).code))).toEqual(
      new Set(['coupon_exhausted']),
    );
    expect(await redemptions(coupon)).toBe(10);
    const query = { plan_id: plan.id, per_page: 100 };
    expect(expectStatus(await merchant.client('listSubscriptions', { query }), 200).body.meta.total).toBe(10);
  });
});
