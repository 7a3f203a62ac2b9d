import { waitFor } from '../../support/stack/wait-for';
import { expectStatus } from '../../api/support/api-client';
import { ask, type Asked } from './command-requests';
import {
  newPlan,
  openShop,
  subscriptionBody,
  TestSubscription,
  type SubscriptionShop,
} from './subscription-merchant';

let shop: SubscriptionShop;
beforeAll(async () => {
  shop = await openShop({ SUBSCRIPTION_JITTER: '1800' });
});
afterAll(() => shop.api.stop());

/** A subscription whose period is over, and whose renewal is spread: nobody has charged it yet. */
async function due(): Promise<TestSubscription> {
  const plan = await newPlan(shop.client);
  const subscription = await TestSubscription.create(shop.client, subscriptionBody(plan.id));
  await waitFor(async () => (await subscription.now()).status === 'active');
  await shop.api.engine.parts.db.query('UPDATE subscriptions SET period_end = now() WHERE uuid = $1', [
    subscription.id,
  ]);
  return subscription;
}

async function charges({ id }: TestSubscription): Promise<number> {
  const rows = await shop.api.engine.parts.db.query('SELECT 1 FROM payments WHERE subscription_id = $1', [
    id,
  ]);
  return rows.length;
}

describe('what is asked while a renewal is due and not charged yet', () => {
  it.each<[Asked, object, string]>([
    ['cancel', {}, 'canceled'],
    ['cancel', { at_period_end: true }, 'canceled'],
    ['pause', {}, 'paused'],
  ])('%s %j is done before it: nothing is charged', async (asked, body, status) => {
    const subscription = await due();
    expectStatus(await ask(shop.client, subscription.id, asked, body), 200);
    await waitFor(async () => (await subscription.now()).status === status);
    expect(await charges(subscription)).toBe(1);
  });

  it('a cheaper plan is charged at its own price', async () => {
    const subscription = await due();
    const cheaper = await newPlan(shop.client, { amount: 4_000 });
    expectStatus(await ask(shop.client, subscription.id, 'plan', { plan_id: cheaper.id }), 200);
    const [renewal] = await waitFor(async () => {
      const cycles = await subscription.cycles();
      return cycles.length === 2 && cycles.filter(({ number }) => number === 2);
    });
    expect(renewal).toMatchObject({ amount: 4_000 });
  });
});
