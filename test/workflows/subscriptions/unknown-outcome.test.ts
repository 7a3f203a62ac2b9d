import { randomUUID } from 'node:crypto';
import type { Behavior } from '../../../src/simulator/scripts';
import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { sendCommand, OTHER_GOOD_CARD } from './command-requests';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type SubscriptionMerchant,
} from './subscription-merchant';

/** Charges without an answer stay open for seconds, while API calls time out before. */
const SHORT_TIMEOUTS = {
  PAYMENT_SYNC_TIMEOUT: '0.7',
  GATEWAY_TIMEOUT: '5',
  // A charge that a busy machine sends later is not sent at all, and has a certain outcome.
  SEND_WINDOW: '6',
  ABSENCE_PROVEN_AFTER: '11.5',
  STUCK_AFTER: '20',
};
/** The gateway commits the charge and never answers. */
const NO_ANSWER: Behavior = { hang: 'after' };

let merchant: SubscriptionMerchant;
beforeAll(async () => {
  merchant = await startMerchant(SHORT_TIMEOUTS);
});
afterAll(() => merchant.api.stop());

interface PaymentRow {
  readonly id: string;
  readonly status: string;
  readonly ofPlanChange: boolean;
}

const paymentsOf = (id: string): Promise<PaymentRow[]> =>
  merchant.api.engine.context.db.query<PaymentRow>(
    `SELECT p.transaction_id AS id, p.status, c.kind <> 'regular' AS "ofPlanChange"
       FROM payments p JOIN billing_cycles c ON c.id = p.billing_cycle_id WHERE p.subscription_id = $1 ORDER BY p.id`,
    [id],
  );

/** The captured amounts in the gateway's ledger for a subscription; checks that nothing was refunded. */
async function captured(id: string): Promise<number[]> {
  const ledgers = (await paymentsOf(id)).map((payment) => merchant.api.engine.simulator.ledger(payment.id));
  return (await Promise.all(ledgers)).flatMap(({ entries, totals }) => {
    expect(totals.refunded).toBe(0);
    return entries.filter(({ kind }) => kind === 'captured').map(({ amount }) => amount);
  });
}

const script = (amount: number, behavior: Behavior): Promise<void> =>
  merchant.api.engine.simulator.script({ amount, operation: 'charge' }, behavior);

async function untilPaid(subscription: TestSubscription): Promise<TestSubscription> {
  await waitFor(
    async () => {
      return (await subscription.current()).status === 'active';
    },
    { what: 'its first charge' },
  );
  return subscription;
}

async function subscribed(client: ApiClient, amount: number): Promise<TestSubscription> {
  const plan = await newPlan(client, { amount });
  return untilPaid(await TestSubscription.create(client, subscriptionBody(plan.id)));
}

/** A subscription whose first renewal was sent and not answered. */
async function renewalInDoubt(
  behavior: Behavior = NO_ANSWER,
): Promise<{ subscription: TestSubscription; amount: number }> {
  const amount = uniqueAmount();
  const subscription = await subscribed(merchant.client, amount);
  await script(amount, behavior);
  const advance_to = new Date(Date.parse(subscription.dayAfter(7)) + 60_000).toISOString();
  const params = { uuid: subscription.id };
  expectStatus(await merchant.client('moveSubscriptionClock', { params, body: { advance_to } }), 200);
  await waitFor(async () => (await paymentsOf(subscription.id)).length === 2, {
    what: 'its renewal',
    everyMs: 10,
  });
  return { subscription, amount };
}

/** Waits until no charge and no command is open. */
const settled = (subscription: TestSubscription) =>
  waitFor(
    async () => {
      const open = (await paymentsOf(subscription.id)).some(({ status }) => status === 'processing');
      const present = await subscription.current();
      const isDone = present.clock === null || present.clock.reached;
      return !open && isDone && present.pending_action === null && present;
    },
    { what: 'the subscription to be settled' },
  );

describe('a renewal whose outcome is unknown', () => {
  it('has not failed, blocks other charges, and is finally paid once', async () => {
    const { subscription, amount } = await renewalInDoubt();
    expect(await subscription.current()).toMatchObject({
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

  it('makes commands wait with 202 and the oldest as pending_action, and then executes them in order', async () => {
    const { subscription, amount } = await renewalInDoubt();
    const first = expectStatus(
      await sendCommand(merchant.client, subscription.id, 'card', { card: OTHER_GOOD_CARD }),
      202,
    );
    expect(first.body.data).toMatchObject({ pending_action: 'change_card', card: { last_4_digits: '1111' } });
    const second = expectStatus(await sendCommand(merchant.client, subscription.id, 'pause'), 202);
    expect(second.body.data).toMatchObject({ status: 'active', pending_action: 'change_card' });
    const present = await settled(subscription);
    expect(present).toMatchObject({ status: 'paused', card: { last_4_digits: '4444' } });
    expect((await subscription.log()).slice(3)).toEqual([
      '+7 payment.success',
      '+7 card_changed',
      '+7 paused',
    ]);
    // The new card was not charged for what the old one paid.
    expect(await captured(subscription.id)).toEqual([amount, amount]);
  });

  it('that succeeds after a cancellation was requested stays paid, and the subscription is canceled without a refund', async () => {
    const { subscription, amount } = await renewalInDoubt();
    const key = randomUUID();
    const answer = expectStatus(await sendCommand(merchant.client, subscription.id, 'cancel', {}, key), 202);
    expect(answer.body.data).toMatchObject({ status: 'active', pending_action: 'cancel' });
    expect(await settled(subscription)).toMatchObject({ status: 'canceled', cancel_reason: 'requested' });
    expect((await subscription.log()).slice(3)).toEqual(['+7 payment.success', '+7 canceled']);
    expect(await captured(subscription.id)).toEqual([amount, amount]);
    expect((await subscription.cycles()).map(({ status }) => status)).toEqual(['paid', 'paid']);
    // A 202 is not recorded: the key now gets the result.
    const again = expectStatus(await sendCommand(merchant.client, subscription.id, 'cancel', {}, key), 200);
    expect(again.body.data).toMatchObject({ status: 'canceled' });
    await subscription.advanceDays(60);
    expect(await captured(subscription.id)).toEqual([amount, amount]);
  });

  it('refuses a waiting command that the status then forbids, with a 409 for its key', async () => {
    const { subscription } = await renewalInDoubt();
    const key = randomUUID();
    expectStatus(await sendCommand(merchant.client, subscription.id, 'cancel'), 202);
    expectStatus(await sendCommand(merchant.client, subscription.id, 'pause', {}, key), 202);
    await settled(subscription);
    const again = expectStatus(await sendCommand(merchant.client, subscription.id, 'pause', {}, key), 409);
    expect(again.body).toMatchObject({ code: 'invalid_state', message: 'The subscription is canceled.' });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('stops the test clock even if it is advanced again, and every later cycle is charged once afterwards', async () => {
    const { subscription, amount } = await renewalInDoubt();
    const params = { uuid: subscription.id };
    for (const days of [15, 22]) {
      const body = { advance_to: subscription.dayAfter(days) };
      const advanced = expectStatus(await merchant.client('moveSubscriptionClock', { params, body }), 200);
      expect(advanced.body.data.clock).toMatchObject({ target: body.advance_to, reached: false });
    }
    await settled(subscription);
    expect((await subscription.log()).slice(3)).toEqual([
      '+7 payment.success',
      '+14 payment.success',
      '+21 payment.success',
    ]);
    expect(await captured(subscription.id)).toEqual(Array(4).fill(amount));
  });

  it('is settled by its payment workflow and the sweeper if the subscription’s workflow was terminated', async () => {
    const { subscription, amount } = await renewalInDoubt();
    const { context, sweeper } = merchant.api.engine;
    await context.temporal.workflow.getHandle(`subscription/${subscription.id}`).terminate('by a test');
    await waitFor(async () => {
      for (const [table, column] of [
        ['payments', 'subscription_id'],
        ['subscriptions', 'uuid'],
      ] as const) {
        const due = `UPDATE ${table} SET recover_after = now() WHERE ${column} = $1 AND recover_after IS NOT NULL`;
        await context.db.query(due, [subscription.id]);
      }
      await sweeper.sweepOnce();
      return (await paymentsOf(subscription.id)).every(({ status }) => status === 'approved');
    });
    await settled(subscription);
    expect((await subscription.log()).slice(3)).toEqual(['+7 payment.success']);
    expect(await captured(subscription.id)).toEqual([amount, amount]);
  });
});

describe('a plan change whose charge has an unknown outcome', () => {
  it('is answered 202, takes effect once it is paid, and charges once even if it is sent again', async () => {
    // Nothing was paid for the current period, so the change costs the full new price.
    const terms = {
      discount_type: 'percentage',
      discount_value: 100,
      max_cycles: 1,
      valid_from: '2026-01-01',
    };
    const code = `FREE${uniqueAmount()}`;
    expectStatus(await merchant.client('createCoupon', { body: { code, name: 'Free', ...terms } }), 201);
    const plan = await newPlan(merchant.client);
    const body = subscriptionBody(plan.id, { coupon_code: code });
    const subscription = await TestSubscription.create(merchant.client, body);
    const amount = uniqueAmount();
    const dearer = await newPlan(merchant.client, { amount, interval: 'monthly' });
    await script(amount, NO_ANSWER);
    const key = randomUUID();
    const change = { plan_id: dearer.id };
    const waiting = expectStatus(
      await sendCommand(merchant.client, subscription.id, 'plan', change, key),
      202,
    );
    expect(waiting.body.data).toMatchObject({
      pending_action: 'change_plan',
      plan: subscription.created.plan,
    });
    expectStatus(await sendCommand(merchant.client, subscription.id, 'plan', change, key), 202);
    const present = await settled(subscription);
    expect(present.plan.id).toBe(dearer.id);
    expect(await paymentsOf(subscription.id)).toMatchObject([{ status: 'approved', ofPlanChange: true }]);
    expect(await captured(subscription.id)).toEqual([amount]);
    const again = expectStatus(await sendCommand(merchant.client, subscription.id, 'plan', change, key), 200);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('a first charge whose outcome is unknown', () => {
  it('is answered 201 with status pending, and its key gets status active after it succeeds', async () => {
    const amount = uniqueAmount();
    const plan = await newPlan(merchant.client, { amount });
    await script(amount, NO_ANSWER);
    const key = randomUUID();
    const body = subscriptionBody(plan.id);
    const subscription = await TestSubscription.create(merchant.client, body, key);
    expect(subscription.created.status).toBe('pending');
    await untilPaid(subscription);
    const again = await TestSubscription.create(merchant.client, body, key);
    expect(again.created).toMatchObject({ id: subscription.id, status: 'active' });
    expect(await captured(subscription.id)).toEqual([amount]);
  });

  it('does not expire after 23 hours before it has a result', async () => {
    const amount = uniqueAmount();
    const plan = await newPlan(merchant.client, { amount });
    await script(amount, NO_ANSWER);
    const subscription = await TestSubscription.create(merchant.client, subscriptionBody(plan.id));
    const body = { advance_to: subscription.dayAfter(2) };
    expectStatus(
      await merchant.client('moveSubscriptionClock', { params: { uuid: subscription.id }, body }),
      200,
    );
    expect(await settled(subscription)).toMatchObject({ status: 'active' });
    expect(await subscription.log()).toEqual(['+0 created', '+0 payment.success', '+0 activated']);
  });
});
