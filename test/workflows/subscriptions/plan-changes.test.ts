import type { components } from '../../../src/http/generated/openapi';
import { expectStatus } from '../../api/support/api-client';
import { sendCommand, GOOD_CARD, DECLINED_ON_RENEWAL_CARD } from './command-requests';
import { findViolations } from './reconciliation';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type SubscriptionMerchant,
} from './subscription-merchant';

type Plan = components['schemas']['Plan'];

let merchant: SubscriptionMerchant;
let bronze: Plan;
let silver: Plan;
let gold: Plan;
let yearly: Plan;
beforeAll(async () => {
  merchant = await startMerchant();
  const { client } = merchant;
  bronze = await newPlan(client, { name: 'Bronze', amount: 4_990 });
  silver = await newPlan(client, { name: 'Silver', amount: 9_991 });
  gold = await newPlan(client, { name: 'Gold', amount: 23_337 });
  yearly = await newPlan(client, { name: 'Yearly', amount: 600_000, interval: 'yearly' });
});
afterAll(() => merchant.api.stop());

const subscribe = (change: object = {}): Promise<TestSubscription> =>
  TestSubscription.create(merchant.client, subscriptionBody(silver.id, change));

const change = (subscription: TestSubscription, plan: Plan, immediately?: boolean) =>
  sendCommand(merchant.client, subscription.id, 'plan', {
    plan_id: plan.id,
    ...(immediately !== undefined && { immediately }),
  });

/** What the ledger has of the subscription's credit. */
async function postedCredit({ id }: TestSubscription): Promise<Array<[kind: string, cents: number]>> {
  const rows = await merchant.api.engine.context.db.query<{ kind: string; cents: number }>(
    `SELECT kind, amount_cents AS cents FROM ledger_entries e
       JOIN ledger_postings p ON p.company_id = e.company_id AND p.entry_id = e.id
      WHERE step LIKE $1 AND account = 'credits_granted' ORDER BY e.id`,
    [`credit/${id}/%`],
  );
  return rows.map(({ kind, cents }) => [kind, cents]);
}

async function coupon(code: string, terms: object): Promise<string> {
  const body = {
    code,
    name: code,
    discount_type: 'percentage',
    discount_value: 50,
    valid_from: '2026-01-01',
    ...terms,
  };
  expectStatus(await merchant.client('createCoupon', { body }), 201);
  return code;
}

interface ChangePayment {
  readonly id: string;
  readonly status: string;
  readonly amountCents: number;
  /** When the change was executed, on the subscription's clock. */
  readonly billedAt: Date;
}

/** The payments for plan changes, oldest first. */
const paymentsOf = ({ id }: TestSubscription): Promise<ChangePayment[]> =>
  merchant.api.engine.context.db.query<ChangePayment>(
    `SELECT p.transaction_id AS id, p.status, p.amount_cents AS "amountCents", p.billed_at AS "billedAt"
       FROM payments p JOIN billing_cycles c ON c.id = p.billing_cycle_id
      WHERE p.subscription_id = $1 AND c.kind <> 'regular' ORDER BY p.id`,
    [id],
  );

/** The amount for the rest of a period, prorated to the millisecond, in cents, rounded half up. */
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
  it('is charged immediately with the prorated difference, to the cent, and keeps the billing dates', async () => {
    const subscription = await subscribe();
    const before = await subscription.advanceDays(3);
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
    const { totals } = await merchant.api.engine.simulator.ledger(payment.id);
    expect(totals.captured).toBe(payment.amountCents);
    const [cycle] = (await subscription.cycles()).slice(1);
    expect((await subscription.events()).slice(3)).toMatchObject([
      {
        event: 'subscription.payment.success',
        cycle_id: cycle?.id,
        kind: 'proration',
        plan_amount: 23_337,
        amount_charged: payment.amountCents,
        credit_applied: 0,
        transaction_id: payment.id,
      },
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
    await subscription.advanceDays(7);
    expect(await subscription.cycles()).toMatchObject([
      { kind: 'regular', number: 1, amount_charged: 9_991 },
      { kind: 'proration', number: 1, amount_charged: payment.amountCents, payments: [payment.id] },
      { kind: 'regular', number: 2, amount_charged: 23_337 },
    ]);
  });

  it('with a coupon is charged with the discounted difference, to the cent', async () => {
    const subscription = await subscribe({ coupon_code: await coupon('THIRD', { discount_value: 33 }) });
    const before = await subscription.advanceDays(2);
    expectStatus(await change(subscription, gold), 200);
    const [payment] = await paymentsOf(subscription);
    if (payment === undefined) throw new Error('nothing was charged');
    // 33 % of 9,991 is 3,297.03, of 23,337 it is 7,701.21.
    const difference = 23_337 - 7_701 - (9_991 - 3_297);
    expect(payment.amountCents).toBe(leftOf(difference, period(before), payment.billedAt));
    expect((await subscription.current()).coupon).toMatchObject({ cycles_used: 1 });
  });

  it('whose charge is declined is answered 409 with the decline’s message, and changes nothing but its failed cycle', async () => {
    const subscription = await subscribe({ card: DECLINED_ON_RENEWAL_CARD });
    const { updated_at: _before, ...before } = await subscription.current();
    const events = await subscription.events();
    const { body } = expectStatus(await change(subscription, gold), 409);
    const [payment] = await paymentsOf(subscription);
    expect(payment?.status).toBe('failed');
    const declined = expectStatus(
      await merchant.client('getPayment', { params: { id: payment?.id ?? '' } }),
      200,
    ).body;
    expect(body).toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining(declined.message) as string,
    });
    const { updated_at: _after, ...after } = await subscription.current();
    expect(after).toEqual(before);
    const [failed, ...others] = (await subscription.events()).slice(events.length);
    expect(others).toEqual([]);
    expect(failed).toMatchObject({
      event: 'subscription.payment.failed',
      status: 'active',
      kind: 'proration',
      final: false,
      next_retry_at: null,
      transaction_id: payment?.id,
      decline: { code: '51', type: 'soft', message: declined.message },
    });
    expect((await subscription.cycles()).at(-1)).toMatchObject({
      id: failed?.cycle_id,
      kind: 'proration',
      status: 'failed',
    });
    // After a card change the same plan change succeeds.
    expectStatus(await sendCommand(merchant.client, subscription.id, 'card', { card: GOOD_CARD }), 200);
    expect(expectStatus(await change(subscription, gold), 200).body.data.plan.id).toBe(gold.id);
  });

  it('that costs less than the minimum charge is waived and makes no payment', async () => {
    const dearer = await newPlan(merchant.client, { amount: 9_991 + 99 });
    const subscription = await subscribe();
    expectStatus(await change(subscription, dearer), 200);
    expect(await paymentsOf(subscription)).toEqual([]);
    expect(await subscription.current()).toMatchObject({ amount: 10_090 });
    expect((await subscription.cycles()).at(-1)).toMatchObject({
      kind: 'proration',
      status: 'waived',
      amount_charged: 0,
    });
  });

  it('that is requested for the period’s end costs nothing until then', async () => {
    const subscription = await subscribe();
    const { body } = expectStatus(await change(subscription, gold, false), 200);
    expect(body.data).toMatchObject({
      amount: 9_991,
      new_plan_id: gold.id,
      plan_change_at: subscription.dayAfter(7),
    });
    await subscription.advanceDays(7);
    expect(await paymentsOf(subscription)).toEqual([]);
    expect((await subscription.cycles()).map(({ amount_charged }) => amount_charged)).toEqual([
      9_991, 23_337,
    ]);
  });
});

describe('a downgrade', () => {
  it('takes effect at the period’s end and publishes an event when requested and when executed', async () => {
    const subscription = await subscribe();
    const { body } = expectStatus(await change(subscription, bronze), 200);
    expect(body.data).toMatchObject({
      plan: { id: silver.id },
      new_plan_id: bronze.id,
      plan_change_at: subscription.dayAfter(7),
    });
    const expected = await subscription.upcoming(2);
    expect(await subscription.advanceDays(14)).toMatchObject({
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
      expected.map(({ amount_charged, due_at }) => [amount_charged, due_at]),
    );
    expect(charged.map(({ amount_charged }) => amount_charged)).toEqual([4_990, 4_990]);
  });

  it('that is immediate refunds nothing, and the difference for the rest of the period is credit', async () => {
    const subscription = await subscribe();
    expectStatus(await change(subscription, bronze, true), 200);
    expect(await subscription.current()).toMatchObject({
      amount: 4_990,
      next_billing_at: subscription.dayAfter(7),
    });
    expect(await paymentsOf(subscription)).toEqual([]);
    const [cycle] = await subscription.cycles();
    const { totals } = await merchant.api.engine.simulator.ledger(cycle?.payments[0] ?? '');
    expect(totals).toMatchObject({ captured: 9_991, refunded: 0 });
    // The whole difference, because a cent of it lasts two minutes.
    expect((await subscription.current()).credit_balance).toBe(9_991 - 4_990);
    expect(await postedCredit(subscription)).toEqual([['credit_granted', 5_001]]);
    expect(await subscription.upcoming(2)).toMatchObject([
      { amount: 4_990, credit_applied: 4_990, amount_charged: 0 },
      { amount: 4_990, credit_applied: 11, amount_charged: 4_979 },
    ]);
    await subscription.advanceDays(14);
    expect((await subscription.cycles()).slice(1)).toMatchObject([
      { status: 'paid', credit_applied: 4_990, amount_charged: 0, payments: [] },
      { status: 'paid', credit_applied: 11, amount_charged: 4_979 },
    ]);
    expect((await subscription.events()).at(-2)).toMatchObject({
      event: 'subscription.payment.success',
      plan_amount: 4_990,
      amount_charged: 0,
      credit_applied: 4_990,
      transaction_id: null,
      credit_balance: 11,
    });
    expect(await postedCredit(subscription)).toEqual([
      ['credit_granted', 5_001],
      ['credit_used', -4_990],
      ['credit_used', -11],
    ]);
  });

  it('that is planned is canceled by a change to the current plan', async () => {
    const subscription = await subscribe();
    expectStatus(await change(subscription, bronze), 200);
    expect(expectStatus(await change(subscription, silver), 200).body.data).toMatchObject({
      new_plan_id: null,
    });
    expect((await subscription.events()).at(-1)).toMatchObject({
      event: 'subscription.plan_change_withdrawn',
      plan_id: silver.id,
      new_plan_id: bronze.id,
      change_type: 'downgrade',
    });
    await subscription.advanceDays(7);
    expect((await subscription.cycles()).map(({ amount_charged }) => amount_charged)).toEqual([9_991, 9_991]);
  });
});

describe('a change to another interval', () => {
  it('starts a new period immediately and charges the new price less the credit for the old period, to the cent', async () => {
    const subscription = await subscribe();
    const before = await subscription.advanceDays(3);
    const { body } = expectStatus(await change(subscription, yearly), 200);
    const [payment] = await paymentsOf(subscription);
    if (payment === undefined) throw new Error('nothing was charged');
    const left = leftOf(9_991, period(before), payment.billedAt);
    // The service rounds the difference, the test rounds the credit.
    expect(Math.abs(payment.amountCents - (600_000 - left))).toBeLessThanOrEqual(1);
    expect(Date.parse(period(body.data).start)).toBeGreaterThanOrEqual(payment.billedAt.getTime());
    expect(body.data.next_billing_at).toBe(period(body.data).end);
    expect(new Date(period(body.data).end).getUTCFullYear()).toBe(
      new Date(period(body.data).start).getUTCFullYear() + 1,
    );
  });

  it('credits the paid amount, not the price without the used-up coupon', async () => {
    const code = await coupon('ONCE', { max_cycles: 1 });
    const subscription = await subscribe({ coupon_code: code });
    const before = await subscription.current();
    expectStatus(await change(subscription, yearly), 200);
    const [payment] = await paymentsOf(subscription);
    if (payment === undefined) throw new Error('nothing was charged');
    const left = leftOf(9_991 - 4_996, period(before), payment.billedAt);
    expect(Math.abs(payment.amountCents - (600_000 - left))).toBeLessThanOrEqual(1);
  });
});

describe('two changes of interval', () => {
  const planOf = (amount: number, interval: 'monthly' | 'yearly', interval_count = 1): Promise<Plan> =>
    newPlan(merchant.client, { amount, interval, interval_count });

  const charged = async (subscription: TestSubscription): Promise<number> =>
    (await subscription.cycles()).reduce((sum, { amount_charged }) => sum + amount_charged, 0);

  it('monthly 100, yearly 1,200 and two-yearly 2,300 charge 2,300 in all', async () => {
    const monthly = await planOf(10_000, 'monthly');
    const plans = [await planOf(120_000, 'yearly'), await planOf(230_000, 'yearly', 2)];
    const subscription = await TestSubscription.create(merchant.client, subscriptionBody(monthly.id));
    for (const plan of plans) expectStatus(await change(subscription, plan, true), 200);
    expect(await charged(subscription)).toBe(230_000);
    expect(await subscription.cycles()).toMatchObject([
      { kind: 'regular', amount_charged: 10_000 },
      { kind: 'interval_change', amount_charged: 110_000 },
      { kind: 'interval_change', amount_charged: 110_000 },
    ]);
    expect(await findViolations(merchant, subscription)).toEqual([]);
  });

  it('yearly, monthly and yearly charge the year once, and show the credit in between', async () => {
    const year = await planOf(120_000, 'yearly');
    const month = await planOf(10_000, 'monthly');
    const subscription = await TestSubscription.create(merchant.client, subscriptionBody(year.id));
    const { body } = expectStatus(await change(subscription, month), 200);
    expect(body.data).toMatchObject({ plan: { id: month.id }, credit_balance: 110_000 });
    expect((await subscription.upcoming(12)).at(-2)).toMatchObject({
      credit_applied: 10_000,
      amount_charged: 0,
    });
    expectStatus(await change(subscription, year), 200);
    expect(await subscription.current()).toMatchObject({ plan: { id: year.id }, credit_balance: 0 });
    expect(await charged(subscription)).toBe(120_000);
    expect((await subscription.cycles()).at(-1)).toMatchObject({
      kind: 'interval_change',
      status: 'paid',
      credit_applied: 110_000,
      amount_charged: 0,
      payments: [],
    });
    expect(await findViolations(merchant, subscription)).toEqual([]);
  });

  it('leave a credit balance that stays visible after the subscription ended', async () => {
    const year = await planOf(120_000, 'yearly');
    const month = await planOf(10_000, 'monthly');
    const subscription = await TestSubscription.create(merchant.client, subscriptionBody(year.id));
    expectStatus(await change(subscription, month), 200);
    expectStatus(await sendCommand(merchant.client, subscription.id, 'cancel'), 200);
    expect(await subscription.current()).toMatchObject({ status: 'canceled', credit_balance: 110_000 });
    expect((await subscription.events()).at(-1)).toMatchObject({
      event: 'subscription.canceled',
      credit_balance: 110_000,
    });
  });
});

describe('a plan change during the trial', () => {
  it('is immediate and free for any plan, and keeps the trial', async () => {
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
    await subscription.advanceDays(5);
    expect((await subscription.cycles()).map(({ amount_charged }) => amount_charged)).toEqual([600_000]);
  });
});

describe('a deactivated plan with subscribers', () => {
  it('is still charged and accepts no new subscriptions', async () => {
    const plan = await newPlan(merchant.client);
    const subscription = await TestSubscription.create(merchant.client, subscriptionBody(plan.id));
    expectStatus(await merchant.client('deletePlan', { params: { uuid: plan.id } }), 204);
    expectStatus(await merchant.client('createSubscription', { body: subscriptionBody(plan.id) }), 422);
    await subscription.advanceDays(7);
    expect((await subscription.log()).at(-1)).toBe('+7 payment.success');
  });
});
