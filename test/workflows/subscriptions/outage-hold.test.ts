import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { registerWithGateways } from '../../api/support/engine-api';
import { paymentRequest } from '../../support/fixtures/payments';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type Subscription,
  type SubscriptionMerchant,
} from './subscription-merchant';

const DAY_MS = 86_400_000;
const UNAVAILABLE = { status: 503 };
/** A payment ends soon after its only attempt was not answered. */
const ONE_SHORT_ATTEMPT = {
  MAX_ATTEMPTS: '1',
  GATEWAY_TIMEOUT: '0.5',
  SEND_WINDOW: '0.5',
  ABSENCE_PROVEN_AFTER: '1.1',
};

let merchant: SubscriptionMerchant;
beforeAll(async () => {
  merchant = await startMerchant(ONE_SHORT_ATTEMPT);
});
afterAll(() => merchant.api.stop());

/** An active subscription whose next `charges` charges are answered with 503. */
async function subscribedBeforeOutage(
  charges: number,
  client: ApiClient = merchant.client,
): Promise<{ subscription: TestSubscription; amount: number }> {
  const amount = uniqueAmount();
  const plan = await newPlan(client, { amount, interval: 'monthly' });
  const subscription = await TestSubscription.create(client, subscriptionBody(plan.id));
  await waitFor(async () => (await subscription.current()).status === 'active');
  if (charges > 0) {
    await merchant.api.engine.simulator.script({ amount, operation: 'charge' }, UNAVAILABLE, charges);
  }
  return { subscription, amount };
}

const held = (subscription: TestSubscription): Promise<Subscription> =>
  waitFor(
    async () => {
      const present = await subscription.current();
      return present.charge_on_hold?.reason === 'gateway_unavailable' && present;
    },
    { what: 'the charge to be on hold' },
  );

const setRow = (id: string, set: string): Promise<unknown> =>
  merchant.api.engine.context.db.query(`UPDATE subscriptions SET ${set} WHERE uuid = $1`, [id]);

/** Makes the renewal due now, in real time. */
async function renewNow(subscription: TestSubscription): Promise<void> {
  await setRow(subscription.id, 'period_end = now(), recover_after = now()');
  await merchant.api.engine.sweeper.sweepOnce();
}

async function countPayments({ id }: TestSubscription): Promise<number> {
  const rows = await merchant.api.engine.context.db.query('SELECT FROM payments WHERE subscription_id = $1', [
    id,
  ]);
  return rows.length;
}

describe('a renewal during an outage', () => {
  it('of ten days is told as delayed, not as failed, counts no retry and is paid once afterwards', async () => {
    const { subscription, amount } = await subscribedBeforeOutage(2);
    const { current_period: first } = await subscription.current();
    const dueAt = first?.end ?? '';
    const due = Date.parse(dueAt);
    const at = (hours: number): string => new Date(due + hours * 3_600_000).toISOString();
    // The clock waits for none of the payments that get no answer.
    expect(await subscription.advanceTo(at(2))).toMatchObject({
      status: 'active',
      dunning: null,
      charge_on_hold: { since: dueAt },
    });
    await held(subscription);
    expect(await subscription.advanceTo(at(11 * 24))).toMatchObject({
      status: 'active',
      charge_on_hold: { since: dueAt },
    });
    await held(subscription);
    const paid = await subscription.advanceTo(at(12 * 24));

    expect(paid).toMatchObject({ status: 'active', dunning: null, charge_on_hold: null });
    const types = (await subscription.events()).map(({ event }) => event.replace('subscription.', ''));
    expect(types.slice(3)).toEqual(['payment.delayed', 'payment.success']);
    const cycle = (await subscription.cycles()).at(-1);
    expect(cycle).toMatchObject({ number: 2, status: 'paid', retry_count: 0, amount_charged: amount });
    expect(cycle?.payments).toHaveLength(3);
    const ledgers = (cycle?.payments ?? []).map((id) => merchant.api.engine.simulator.ledger(id));
    const captured = (await Promise.all(ledgers)).map(({ totals }) => totals.captured);
    expect(captured).toEqual([0, 0, amount]);
  });

  it('whose outcome its gateway cannot tell is on hold and does not stop the test clock', async () => {
    // gateway_3 can neither look charges up nor repeat them.
    const client = await registerWithGateways(merchant.api, ['gateway_3']);
    const { subscription } = await subscribedBeforeOutage(1, client);
    const { current_period: first } = await subscription.current();
    const dueAt = first?.end ?? '';
    const target = new Date(Date.parse(dueAt) + 40 * DAY_MS).toISOString();
    expect(await subscription.advanceTo(target)).toMatchObject({
      status: 'active',
      charge_on_hold: { since: dueAt, reason: 'outcome_unknown' },
    });
    const types = (await subscription.events()).map(({ event }) => event.replace('subscription.', ''));
    expect(types.slice(3)).toEqual(['payment.delayed']);
    expect(await countPayments(subscription)).toBe(2);
  });

  it('creates no payment while every circuit is open, and is sent once a gateway answers', async () => {
    const client = await registerWithGateways(merchant.api);
    const { subscription, amount } = await subscribedBeforeOutage(0, client);
    const { context, sweeper } = merchant.api.engine;
    await context.db.query(
      `INSERT INTO gateway_circuits (company_id, gateway_slug, open_until, reason)
       SELECT company_id, 'gateway_1', now() + interval '1 hour', 'unavailable' FROM subscriptions WHERE uuid = $1`,
      [subscription.id],
    );
    await renewNow(subscription);
    await held(subscription);
    expect(await countPayments(subscription)).toBe(1);
    await sweeper.sweepOnce();
    expect(await countPayments(subscription)).toBe(1);
    for (const [charge_on_hold, ids] of [
      ['true', [subscription.id]],
      ['false', []],
    ] as const) {
      const listed = expectStatus(await client('listSubscriptions', { query: { charge_on_hold } }), 200);
      expect(listed.body.data.map(({ id }) => id)).toEqual(ids);
    }

    await context.db.query(`DELETE FROM gateway_circuits WHERE open_until > now() + interval '30 minutes'`);
    expectStatus(await client('createCardPayment', { body: paymentRequest() }), 200);
    await sweeper.sweepOnce();
    const paid = await waitFor(async () => {
      const present = await subscription.current();
      return present.charge_on_hold === null && present;
    });
    expect(paid).toMatchObject({ status: 'active', dunning: null });
    expect((await subscription.cycles()).at(-1)).toMatchObject({ status: 'paid', amount_charged: amount });
  });
});
