import type { components } from '../../../src/http/generated/openapi';
import { expectStatus } from '../../api/support/api-client';
import { ask, GOOD_CARD, RUNS_DRY } from './command-requests';
import {
  newPlan,
  openShop,
  subscriptionBody,
  TestSubscription,
  type SubscriptionShop,
} from './subscription-merchant';

type Plan = components['schemas']['Plan'];

let shop: SubscriptionShop;
let bronze: Plan;
let silver: Plan;
let gold: Plan;
let yearly: Plan;
beforeAll(async () => {
  shop = await openShop();
  const { client } = shop;
  bronze = await newPlan(client, { name: 'Bronze', amount: 4_990 });
  silver = await newPlan(client, { name: 'Silver', amount: 9_991 });
  gold = await newPlan(client, { name: 'Gold', amount: 23_337 });
  yearly = await newPlan(client, { name: 'Yearly', amount: 600_000, interval: 'yearly' });
});
afterAll(() => shop.api.stop());

const subscribe = (change: object = {}): Promise<TestSubscription> =>
  TestSubscription.create(shop.client, subscriptionBody(silver.id, change));

const change = (subscription: TestSubscription, plan: Plan, immediately?: boolean) =>
  ask(shop.client, subscription.id, 'plan', {
    plan_id: plan.id,
    ...(immediately !== undefined && { immediately }),
  });

async function coupon(code: string, terms: object): Promise<string> {
  const body = {
    code,
    name: code,
    discount_type: 'percentage',
    discount_value: 50,
    valid_from: '2026-01-01',
    ...terms,
  };
  expectStatus(await shop.client('createCoupon', { body }), 201);
  return code;
}

interface ChangePayment {
  readonly id: string;
  readonly status: string;
  readonly amountCents: number;
  /** When it was asked for, in the subscription's own time. */
  readonly billedAt: Date;
}

/** The payments made for changes of its plan, the oldest first. */
const paymentsOf = ({ id }: TestSubscription): Promise<ChangePayment[]> =>
  shop.api.engine.parts.db.query<ChangePayment>(
    `SELECT transaction_id AS id, status, amount_cents AS "amountCents", billed_at AS "billedAt" FROM payments
      WHERE subscription_id = $1 AND plan_change_id IS NOT NULL ORDER BY id`,
    [id],
  );

/** An amount times what is left of a period, to the millisecond, in cents, rounded half up. */
function leftOf(cents: number, period: { start: string; end: string }, at: Date): number {
  const [start, end] = [BigInt(Date.parse(period.start)), BigInt(Date.parse(period.end))];
  const whole = end - start;
  return Number((2n * BigInt(cents) * (end - BigInt(at.getTime())) + whole) / (2n * whole));
}

const period = (subscription: { current_period: { start: string; end: string } | null }) => {
  if (subscription.current_period === null) throw new Error('no period runs');
  return subscription.current_period;
};

describe('an upgrade', () => {
  it('costs the difference for what is left, to the cent, at once, and keeps the dates', async () => {
    const subscription = await subscribe();
    const before = await subscription.liveTo(3);
    const { body } = expectStatus(await change(subscription, gold), 200);
    expect(body.data).toMatchObject({
      amount: 23_337,
      plan: { id: gold.id },
      next_billing_at: before.next_billing_at,
      current_period: before.current_period,
      status: 'active',
    });
    const [payment, ...others] = await paymentsOf(subscription);
    expect(others).toEqual([]);
    if (payment === undefined) throw new Error('nothing was charged');
    expect(payment).toMatchObject({
      status: 'approved',
      amountCents: leftOf(23_337 - 9_991, period(before), payment.billedAt),
    });
    const { totals } = await shop.api.engine.simulator.ledger(payment.id);
    expect(totals.captured).toBe(payment.amountCents);
    expect((await subscription.events()).slice(3)).toMatchObject([
      {
        event: 'subscription.plan_changed',
        plan_id: gold.id,
        new_plan_id: gold.id,
        change_type: 'upgrade',
        immediately: true,
        executed: true,
        amount: 23_337,
      },
    ]);
    await subscription.liveTo(7);
    expect((await subscription.cycles()).map(({ amount_charged }) => amount_charged)).toEqual([
      9_991, 23_337,
    ]);
  });

  it('with a coupon costs the discounted difference, to the cent', async () => {
    const subscription = await subscribe({ coupon_code: await coupon('THIRD', { discount_value: 33 }) });
    const before = await subscription.liveTo(2);
    expectStatus(await change(subscription, gold), 200);
    const [payment] = await paymentsOf(subscription);
    if (payment === undefined) throw new Error('nothing was charged');
    // 33 % of 9,991 is 3,297.03, of 23,337 it is 7,701.21.
    const difference = 23_337 - 7_701 - (9_991 - 3_297);
    expect(payment.amountCents).toBe(leftOf(difference, period(before), payment.billedAt));
    expect((await subscription.now()).coupon).toMatchObject({ cycles_used: 1 });
  });

  it('whose charge is declined is a 409 with the decline’s message, and leaves all as it was', async () => {
    const subscription = await subscribe({ card: RUNS_DRY });
    const { updated_at: _before, ...before } = await subscription.now();
    const events = await subscription.events();
    const { body } = expectStatus(await change(subscription, gold), 409);
    const [payment] = await paymentsOf(subscription);
    expect(payment?.status).toBe('failed');
    const declined = expectStatus(
      await shop.client('getPayment', { params: { id: payment?.id ?? '' } }),
      200,
    ).body;
    expect(body).toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining(declined.message) as string,
    });
    const { updated_at: _after, ...after } = await subscription.now();
    expect(after).toEqual(before);
    expect(await subscription.events()).toEqual(events);
    // Its card can be changed, and the change of plan made then.
    expectStatus(await ask(shop.client, subscription.id, 'card', { card: GOOD_CARD }), 200);
    expect(expectStatus(await change(subscription, gold), 200).body.data.plan.id).toBe(gold.id);
  });

  it('that comes to less than a real is free, and makes no payment', async () => {
    const dearer = await newPlan(shop.client, { amount: 9_991 + 99 });
    const subscription = await subscribe();
    expectStatus(await change(subscription, dearer), 200);
    expect(await paymentsOf(subscription)).toEqual([]);
    expect(await subscription.now()).toMatchObject({ amount: 10_090 });
  });

  it('that is asked for at the period’s end waits for it, and costs nothing until then', async () => {
    const subscription = await subscribe();
    const { body } = expectStatus(await change(subscription, gold, false), 200);
    expect(body.data).toMatchObject({
      amount: 9_991,
      new_plan_id: gold.id,
      plan_change_at: subscription.dayAfter(7),
    });
    await subscription.liveTo(7);
    expect(await paymentsOf(subscription)).toEqual([]);
    expect((await subscription.cycles()).map(({ amount_charged }) => amount_charged)).toEqual([
      9_991, 23_337,
    ]);
  });
});

describe('a downgrade', () => {
  it('waits for the period’s end and is told of twice, when it is asked for and when it is done', async () => {
    const subscription = await subscribe();
    const { body } = expectStatus(await change(subscription, bronze), 200);
    expect(body.data).toMatchObject({
      plan: { id: silver.id },
      new_plan_id: bronze.id,
      plan_change_at: subscription.dayAfter(7),
    });
    const foreseen = await subscription.upcoming(2);
    expect(await subscription.liveTo(14)).toMatchObject({
      plan: { id: bronze.id },
      new_plan_id: null,
      plan_change_at: null,
    });
    const changes = (await subscription.events()).filter(
      ({ event }) => event === 'subscription.plan_changed',
    );
    expect(changes).toMatchObject([
      {
        plan_id: silver.id,
        new_plan_id: bronze.id,
        change_type: 'downgrade',
        immediately: false,
        executed: false,
      },
      {
        plan_id: bronze.id,
        new_plan_id: bronze.id,
        change_type: 'downgrade',
        immediately: false,
        executed: true,
      },
    ]);
    expect((await subscription.log()).slice(3)).toEqual([
      '+0 plan_changed',
      '+7 plan_changed',
      '+7 payment.success',
      '+14 payment.success',
    ]);
    const charged = (await subscription.cycles()).slice(1);
    expect(charged.map(({ amount_charged, due_at }) => [amount_charged, due_at])).toEqual(
      foreseen.map(({ amount_charged, due_at }) => [amount_charged, due_at]),
    );
    expect(charged.map(({ amount_charged }) => amount_charged)).toEqual([4_990, 4_990]);
  });

  it('that does not wait is free and gives nothing back', async () => {
    const subscription = await subscribe();
    expectStatus(await change(subscription, bronze, true), 200);
    expect(await subscription.now()).toMatchObject({
      amount: 4_990,
      next_billing_at: subscription.dayAfter(7),
    });
    expect(await paymentsOf(subscription)).toEqual([]);
    const [cycle] = await subscription.cycles();
    const { totals } = await shop.api.engine.simulator.ledger(cycle?.payments[0] ?? '');
    expect(totals).toMatchObject({ captured: 9_991, refunded: 0 });
  });

  it('that was planned is taken back by its own plan', async () => {
    const subscription = await subscribe();
    expectStatus(await change(subscription, bronze), 200);
    expect(expectStatus(await change(subscription, silver), 200).body.data).toMatchObject({
      new_plan_id: null,
    });
    await subscription.liveTo(7);
    expect((await subscription.cycles()).map(({ amount_charged }) => amount_charged)).toEqual([9_991, 9_991]);
  });
});

describe('a change to another interval', () => {
  it('begins a new period at once, and charges the new price less what is left of the old, to the cent', async () => {
    const subscription = await subscribe();
    const before = await subscription.liveTo(3);
    const { body } = expectStatus(await change(subscription, yearly), 200);
    const [payment] = await paymentsOf(subscription);
    if (payment === undefined) throw new Error('nothing was charged');
    const left = leftOf(9_991, period(before), payment.billedAt);
    // 600,000 less a fraction of a cent is rounded half up as a whole.
    expect(Math.abs(payment.amountCents - (600_000 - left))).toBeLessThanOrEqual(1);
    expect(Date.parse(period(body.data).start)).toBeGreaterThanOrEqual(payment.billedAt.getTime());
    expect(body.data.next_billing_at).toBe(period(body.data).end);
    expect(new Date(period(body.data).end).getUTCFullYear()).toBe(
      new Date(period(body.data).start).getUTCFullYear() + 1,
    );
  });

  it('credits what was paid, not what the period costs without the coupon that is used up', async () => {
    const code = await coupon('ONCE', { max_cycles: 1 });
    const subscription = await subscribe({ coupon_code: code });
    const before = await subscription.now();
    expectStatus(await change(subscription, yearly), 200);
    const [payment] = await paymentsOf(subscription);
    if (payment === undefined) throw new Error('nothing was charged');
    const left = leftOf(9_991 - 4_996, period(before), payment.billedAt);
    expect(Math.abs(payment.amountCents - (600_000 - left))).toBeLessThanOrEqual(1);
  });
});

describe('a change of plan in the trial', () => {
  it('is immediate and free, whatever the plan, and the trial stays', async () => {
    const subscription = await subscribe({ trial_period_days: 5 });
    for (const plan of [gold, bronze, yearly]) {
      const { body } = expectStatus(await change(subscription, plan), 200);
      expect(body.data).toMatchObject({
        status: 'trialing',
        plan: { id: plan.id },
        trial: subscription.created.trial,
        next_billing_at: subscription.dayAfter(5),
      });
    }
    expect(await paymentsOf(subscription)).toEqual([]);
    await subscription.liveTo(5);
    expect((await subscription.cycles()).map(({ amount_charged }) => amount_charged)).toEqual([600_000]);
  });
});

describe('a plan that is turned off under its subscribers', () => {
  it('goes on being charged, and nobody new can take it', async () => {
    const plan = await newPlan(shop.client);
    const subscription = await TestSubscription.create(shop.client, subscriptionBody(plan.id));
    expectStatus(await shop.client('deletePlan', { params: { uuid: plan.id } }), 204);
    expectStatus(await shop.client('createSubscription', { body: subscriptionBody(plan.id) }), 422);
    await subscription.liveTo(7);
    expect((await subscription.log()).at(-1)).toBe('+7 payment.success');
  });
});
