import type { components } from '../../../src/http/generated/openapi';
import { expectStatus } from '../../api/support/api-client';
import { uniqueAmount } from '../../support/scenarios/pay';
import { ask, GOOD_CARD, REFUSED_CARD } from './command-requests';
import {
  newPlan,
  openShop,
  subscriptionBody,
  TestSubscription,
  type SubscriptionShop,
} from './subscription-merchant';

type Coupon = components['schemas']['Coupon'];

let shop: SubscriptionShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.api.stop());

let coupons = 0;

async function newCoupon(terms: object): Promise<Coupon> {
  coupons += 1;
  const body = { code: `CODE${coupons}`, name: 'Launch', valid_from: '2026-01-01', ...terms };
  return expectStatus(await shop.client('createCoupon', { body }), 201).body.data;
}

async function redemptions({ id: uuid }: Coupon): Promise<number> {
  return expectStatus(await shop.client('getCoupon', { params: { uuid } }), 200).body.data.redemptions_count;
}

async function subscribe(coupon: Coupon, amount: number, change: object = {}): Promise<TestSubscription> {
  const plan = await newPlan(shop.client, { amount });
  return TestSubscription.create(
    shop.client,
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
  it('of a percentage is taken off each cycle, rounded half up, and shown in the subscription', async () => {
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
    await subscription.liveTo(7);
    // 15 % of 99.90 is 14.985.
    const cycle = ['paid', 9_990, 1_499, 8_491, 1];
    expect(await chargesOf(subscription)).toEqual([cycle, cycle]);
    expect(await redemptions(coupon)).toBe(1);
  });

  it('for a number of cycles counts those that were paid, not those that were refused', async () => {
    const coupon = await newCoupon({ discount_type: 'fixed', discount_value: 1_000, max_cycles: 2 });
    const amount = uniqueAmount();
    const subscription = await subscribe(coupon, amount);
    const script = { amount: amount - 1_000, operation: 'charge' } as const;
    await shop.api.engine.simulator.script(script, { decline: '51' }, 2);
    const later = await subscription.liveTo(14);
    expect(await chargesOf(subscription)).toEqual([
      ['paid', amount, 1_000, amount - 1_000, 1],
      ['paid', amount, 1_000, amount - 1_000, 3],
      ['paid', amount, 0, amount, 1],
    ]);
    expect(later).toMatchObject({ amount, discount_amount: 0, coupon: { cycles_used: 2 } });
  });

  it('that takes off all makes paid cycles without a payment, and is told of as paid', async () => {
    const coupon = await newCoupon({ discount_type: 'percentage', discount_value: 100, max_cycles: 2 });
    const subscription = await subscribe(coupon, 9_990, { card: REFUSED_CARD });
    expect(subscription.created.status).toBe('active');
    await subscription.liveTo(7);
    const waived = ['waived', 9_990, 9_990, 0, 0];
    expect(await chargesOf(subscription)).toEqual([waived, waived]);
    const paid = (await subscription.events()).filter(({ event }) => event.endsWith('payment.success'));
    expect(paid).toMatchObject([
      { amount_charged: 0, transaction_id: null },
      { amount_charged: 0, transaction_id: null },
    ]);
    const rows = await shop.api.engine.parts.db.query('SELECT 1 FROM payments WHERE subscription_id = $1', [
      subscription.id,
    ]);
    expect(rows).toEqual([]);
    // The third is not free, and its card is refused for it.
    expect(await subscription.liveTo(14)).toMatchObject({ status: 'active', dunning: { retry_count: 0 } });
  });

  it.each([
    ['that leaves 99 cents makes a waived cycle', 9_901, ['waived', 10_000, 9_901, 0, 0]],
    ['that leaves one real has it charged', 9_900, ['paid', 10_000, 9_900, 100, 1]],
    ['of more than the price takes off the price', 12_000, ['waived', 10_000, 10_000, 0, 0]],
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
  it('is given back when the first payment never succeeds', async () => {
    const coupon = await newCoupon({ discount_type: 'fixed', discount_value: 500, max_redemptions: 1 });
    const subscription = await subscribe(coupon, 9_990, { card: REFUSED_CARD });
    expect(await redemptions(coupon)).toBe(1);
    expect(await subscription.liveTo(1)).toMatchObject({
      status: 'canceled',
      cancel_reason: 'payment_failed',
      canceled_at: new Date(Date.parse(subscription.created.created_at) + 23 * 3_600_000).toISOString(),
    });
    expect(await redemptions(coupon)).toBe(0);
    expect((await subscribe(coupon, 9_990)).created.status).toBe('active');
  });

  it('is given back once only, whatever is asked at once when it ends', async () => {
    const coupon = await newCoupon({ discount_type: 'fixed', discount_value: 500 });
    const [kept, subscription] = [
      await subscribe(coupon, 9_990),
      await subscribe(coupon, 9_990, { card: REFUSED_CARD }),
    ];
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ask(shop.client, subscription.id, 'cancel')),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await redemptions(coupon)).toBe(1);
    expect((await kept.now()).status).toBe('active');
  });

  it('stays where the first payment succeeded later, by another card, and the subscription was canceled then', async () => {
    const coupon = await newCoupon({ discount_type: 'fixed', discount_value: 500 });
    const subscription = await subscribe(coupon, 9_990, { card: REFUSED_CARD });
    expectStatus(await ask(shop.client, subscription.id, 'card', { card: GOOD_CARD }), 200);
    expectStatus(await ask(shop.client, subscription.id, 'cancel'), 200);
    expect(await redemptions(coupon)).toBe(1);
  });

  it('is not made by a creation that is refused for another reason', async () => {
    const coupon = await newCoupon({ discount_type: 'fixed', discount_value: 500 });
    const plan = await newPlan(shop.client, { min_card_months: 36 });
    const card = { ...GOOD_CARD, expire_month: 12, expire_year: new Date().getFullYear() + 1 };
    const body = subscriptionBody(plan.id, { coupon_code: coupon.code, card });
    expectStatus(await shop.client('createSubscription', { body }), 422);
    expect(await redemptions(coupon)).toBe(0);
  });

  it('of the last ten is made by exactly ten of a hundred who ask at once', async () => {
    const coupon = await newCoupon({ discount_type: 'percentage', discount_value: 10, max_redemptions: 10 });
    const plan = await newPlan(shop.client, { trial_period_days: 7 });
    const body = subscriptionBody(plan.id, { coupon_code: coupon.code });
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => shop.client('createSubscription', { body })),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(90);
    expect(new Set(refused.map(({ body: answer }) => (answer as { code: string }).code))).toEqual(
      new Set(['coupon_exhausted']),
    );
    expect(await redemptions(coupon)).toBe(10);
    const query = { plan_id: plan.id, per_page: 100 };
    expect(expectStatus(await shop.client('listSubscriptions', { query }), 200).body.meta.total).toBe(10);
  });
});
