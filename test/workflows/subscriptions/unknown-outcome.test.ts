import { randomUUID } from 'node:crypto';
import type { Behavior } from '../../../src/simulator/scripts';
import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { ask, OTHER_GOOD_CARD } from './command-requests';
import {
  newPlan,
  openShop,
  subscriptionBody,
  TestSubscription,
  type SubscriptionShop,
} from './subscription-merchant';

/** Charges without an answer stay open for some seconds; callers lose their patience long before. */
const SLOW_GATEWAY = {
  PAYMENT_SYNC_TIMEOUT: '0.7',
  GATEWAY_TIMEOUT: '3',
  SEND_WINDOW: '1',
  ABSENCE_PROVEN_AFTER: '4.5',
  STUCK_AFTER: '12',
};
/** Committed, and nobody is told. */
const NO_ANSWER: Behavior = { hang: 'after' };

let shop: SubscriptionShop;
beforeAll(async () => {
  shop = await openShop(SLOW_GATEWAY);
});
afterAll(() => shop.api.stop());

interface PaymentRow {
  readonly id: string;
  readonly status: string;
  readonly ofPlanChange: boolean;
}

const paymentsOf = (id: string): Promise<PaymentRow[]> =>
  shop.api.engine.parts.db.query<PaymentRow>(
    `SELECT transaction_id AS id, status, plan_change_id IS NOT NULL AS "ofPlanChange"
       FROM payments WHERE subscription_id = $1 ORDER BY id`,
    [id],
  );

/** What its gateway's books say was taken for a subscription, charge by charge; nothing was given back. */
async function captured(id: string): Promise<number[]> {
  const ledgers = (await paymentsOf(id)).map((payment) => shop.api.engine.simulator.ledger(payment.id));
  return (await Promise.all(ledgers)).flatMap(({ entries, totals }) => {
    expect(totals.refunded).toBe(0);
    return entries.filter(({ kind }) => kind === 'captured').map(({ amount }) => amount);
  });
}

const script = (amount: number, behavior: Behavior): Promise<void> =>
  shop.api.engine.simulator.script({ amount, operation: 'charge' }, behavior);

async function untilPaid(subscription: TestSubscription): Promise<TestSubscription> {
  await waitFor(async () => (await subscription.now()).status === 'active', { what: 'its first charge' });
  return subscription;
}

async function subscribed(client: ApiClient, amount: number): Promise<TestSubscription> {
  const plan = await newPlan(client, { amount });
  return untilPaid(await TestSubscription.create(client, subscriptionBody(plan.id)));
}

/** A subscription whose first renewal is under way, and unanswered. */
async function inDoubt(
  behavior: Behavior = NO_ANSWER,
): Promise<{ subscription: TestSubscription; amount: number }> {
  const amount = uniqueAmount();
  const subscription = await subscribed(shop.client, amount);
  await script(amount, behavior);
  const advance_to = new Date(Date.parse(subscription.dayAfter(7)) + 60_000).toISOString();
  const params = { uuid: subscription.id };
  expectStatus(await shop.client('moveSubscriptionClock', { params, body: { advance_to } }), 200);
  await waitFor(async () => (await paymentsOf(subscription.id)).length === 2, {
    what: 'its renewal',
    everyMs: 10,
  });
  return { subscription, amount };
}

/** Resolves once no charge is open and nothing that was asked waits. */
const settled = (subscription: TestSubscription) =>
  waitFor(
    async () => {
      const open = (await paymentsOf(subscription.id)).some(({ status }) => status === 'processing');
      const present = await subscription.now();
      const isDone = present.clock === null || present.clock.reached;
      return !open && isDone && present.pending_action === null && present;
    },
    { what: 'all of it to be settled' },
  );

describe('a renewal whose outcome is unknown', () => {
  it('waits: it has not failed, nothing else is charged meanwhile, and in the end it is paid once', async () => {
    const { subscription, amount } = await inDoubt();
    expect(await subscription.now()).toMatchObject({
      status: 'active',
      dunning: null,
      clock: { reached: false },
    });
    const [, cycle] = await subscription.cycles();
    expect(cycle).toMatchObject({ number: 2, status: 'open', retry_count: 0, next_retry_at: null });
    await settled(subscription);
    expect(await subscription.log()).toEqual([
      '+0 created',
      '+0 payment.success',
      '+0 activated',
      '+7 payment.success',
    ]);
    expect(await captured(subscription.id)).toEqual([amount, amount]);
  });

  it('has commands wait with 202 and the oldest as pending_action; then they are done, in their order', async () => {
    const { subscription, amount } = await inDoubt();
    const first = expectStatus(
      await ask(shop.client, subscription.id, 'card', { card: OTHER_GOOD_CARD }),
      202,
    );
    expect(first.body.data).toMatchObject({ pending_action: 'change_card', card: { last_4_digits: '1111' } });
    const second = expectStatus(await ask(shop.client, subscription.id, 'pause'), 202);
    expect(second.body.data).toMatchObject({ status: 'active', pending_action: 'change_card' });
    const present = await settled(subscription);
    expect(present).toMatchObject({ status: 'paused', card: { last_4_digits: '4444' } });
    expect((await subscription.log()).slice(3)).toEqual(['+7 payment.success', '+7 paused']);
    // The new card was not charged for what the old one paid.
    expect(await captured(subscription.id)).toEqual([amount, amount]);
  });

  it('stands when it comes through after a cancel was asked for: canceled, paid, and nothing given back', async () => {
    const { subscription, amount } = await inDoubt();
    const key = randomUUID();
    const asked = expectStatus(await ask(shop.client, subscription.id, 'cancel', {}, key), 202);
    expect(asked.body.data).toMatchObject({ status: 'active', pending_action: 'cancel' });
    expect(await settled(subscription)).toMatchObject({ status: 'canceled', cancel_reason: 'requested' });
    expect((await subscription.log()).slice(3)).toEqual(['+7 payment.success', '+7 canceled']);
    expect(await captured(subscription.id)).toEqual([amount, amount]);
    expect((await subscription.cycles()).map(({ status }) => status)).toEqual(['paid', 'paid']);
    // A 202 is no answer that stays: the key has the result now.
    const again = expectStatus(await ask(shop.client, subscription.id, 'cancel', {}, key), 200);
    expect(again.body.data).toMatchObject({ status: 'canceled' });
    await subscription.liveTo(60);
    expect(await captured(subscription.id)).toEqual([amount, amount]);
  });

  it('refuses in its turn what the state then forbids, with a 409 for the key', async () => {
    const { subscription } = await inDoubt();
    const key = randomUUID();
    expectStatus(await ask(shop.client, subscription.id, 'cancel'), 202);
    expectStatus(await ask(shop.client, subscription.id, 'pause', {}, key), 202);
    await settled(subscription);
    const again = expectStatus(await ask(shop.client, subscription.id, 'pause', {}, key), 409);
    expect(again.body).toMatchObject({ code: 'invalid_state', message: 'The subscription is canceled.' });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('keeps its clock where it is, also when it is moved on: every later cycle is charged once, after it', async () => {
    const { subscription, amount } = await inDoubt();
    const params = { uuid: subscription.id };
    for (const days of [15, 22]) {
      const body = { advance_to: subscription.dayAfter(days) };
      const moved = expectStatus(await shop.client('moveSubscriptionClock', { params, body }), 200);
      expect(moved.body.data.clock).toMatchObject({ target: body.advance_to, reached: false });
    }
    await settled(subscription);
    expect((await subscription.log()).slice(3)).toEqual([
      '+7 payment.success',
      '+14 payment.success',
      '+21 payment.success',
    ]);
    expect(await captured(subscription.id)).toEqual(Array(4).fill(amount));
  });

  it('is followed up by its own workflow when the subscription’s was ended from outside, and by the sweeper', async () => {
    const { subscription, amount } = await inDoubt();
    const { parts, sweeper } = shop.api.engine;
    await parts.temporal.workflow.getHandle(`subscription/${subscription.id}`).terminate('by a test');
    await waitFor(async () => {
      for (const [table, column] of [
        ['payments', 'subscription_id'],
        ['subscriptions', 'uuid'],
      ] as const) {
        const due = `UPDATE ${table} SET recover_after = now() WHERE ${column} = $1 AND recover_after IS NOT NULL`;
        await parts.db.query(due, [subscription.id]);
      }
      await sweeper.sweepOnce();
      return (await paymentsOf(subscription.id)).every(({ status }) => status === 'approved');
    });
    await settled(subscription);
    expect((await subscription.log()).slice(3)).toEqual(['+7 payment.success']);
    expect(await captured(subscription.id)).toEqual([amount, amount]);
  });
});

describe('a plan change whose charge has no known outcome', () => {
  it('is answered with 202, is done once it is paid, and charges once however often it is sent', async () => {
    // Nothing was paid for the period that runs: the change costs the whole new price.
    const terms = {
      discount_type: 'percentage',
      discount_value: 100,
      max_cycles: 1,
      valid_from: '2026-01-01',
    };
    const code = `FREE${uniqueAmount()}`;
    expectStatus(await shop.client('createCoupon', { body: { code, name: 'Free', ...terms } }), 201);
    const plan = await newPlan(shop.client);
    const body = subscriptionBody(plan.id, { coupon_code: code });
    const subscription = await TestSubscription.create(shop.client, body);
    const amount = uniqueAmount();
    const dearer = await newPlan(shop.client, { amount, interval: 'monthly' });
    await script(amount, NO_ANSWER);
    const key = randomUUID();
    const change = { plan_id: dearer.id };
    const waiting = expectStatus(await ask(shop.client, subscription.id, 'plan', change, key), 202);
    expect(waiting.body.data).toMatchObject({
      pending_action: 'change_plan',
      plan: subscription.created.plan,
    });
    expectStatus(await ask(shop.client, subscription.id, 'plan', change, key), 202);
    const present = await settled(subscription);
    expect(present.plan.id).toBe(dearer.id);
    expect(await paymentsOf(subscription.id)).toMatchObject([{ status: 'approved', ofPlanChange: true }]);
    expect(await captured(subscription.id)).toEqual([amount]);
    const again = expectStatus(await ask(shop.client, subscription.id, 'plan', change, key), 200);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('a first charge whose outcome is unknown', () => {
  it('is answered 201 pending, becomes active by itself, and its key then says so', async () => {
    const amount = uniqueAmount();
    const plan = await newPlan(shop.client, { amount });
    await script(amount, NO_ANSWER);
    const key = randomUUID();
    const body = subscriptionBody(plan.id);
    const subscription = await TestSubscription.create(shop.client, body, key);
    expect(subscription.created.status).toBe('pending');
    await untilPaid(subscription);
    const again = await TestSubscription.create(shop.client, body, key);
    expect(again.created).toMatchObject({ id: subscription.id, status: 'active' });
    expect(await captured(subscription.id)).toEqual([amount]);
  });

  it('keeps the 23 hours from ending it before the charge has a result', async () => {
    const amount = uniqueAmount();
    const plan = await newPlan(shop.client, { amount });
    await script(amount, NO_ANSWER);
    const subscription = await TestSubscription.create(shop.client, subscriptionBody(plan.id));
    const body = { advance_to: subscription.dayAfter(2) };
    expectStatus(
      await shop.client('moveSubscriptionClock', { params: { uuid: subscription.id }, body }),
      200,
    );
    expect(await settled(subscription)).toMatchObject({ status: 'active' });
    expect(await subscription.log()).toEqual(['+0 created', '+0 payment.success', '+0 activated']);
  });
});
