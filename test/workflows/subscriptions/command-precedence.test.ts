import { waitFor } from '../../support/stack/wait-for';
import { expectStatus } from '../../api/support/api-client';
import { sendCommand, type CommandName } from './command-requests';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type SubscriptionMerchant,
} from './subscription-merchant';

let merchant: SubscriptionMerchant;
beforeAll(async () => {
  merchant = await startMerchant({ SUBSCRIPTION_JITTER: '1800' });
});
afterAll(() => merchant.api.stop());

/** A subscription whose period has ended and whose renewal is delayed by jitter. */
async function subscriptionDue(): Promise<TestSubscription> {
  const plan = await newPlan(merchant.client);
  const subscription = await TestSubscription.create(merchant.client, subscriptionBody(plan.id));
  await waitFor(async () => (await subscription.current()).status === 'active');
  await merchant.api.engine.context.db.query('UPDATE subscriptions SET period_end = now() WHERE uuid = $1', [
    subscription.id,
  ]);
  return subscription;
}

async function countCharges({ id }: TestSubscription): Promise<number> {
  const rows = await merchant.api.engine.context.db.query(
    'SELECT 1 FROM payments WHERE subscription_id = $1',
    [id],
  );
  return rows.length;
}

describe('a command while a renewal is due and not charged yet', () => {
  it.each<[CommandName, object, string]>([
    ['cancel', {}, 'canceled'],
    ['cancel', { at_period_end: true }, 'canceled'],
    ['pause', {}, 'paused'],
  ])('%s %j takes effect before the renewal, and nothing is charged', async (command, body, status) => {
    const subscription = await subscriptionDue();
    expectStatus(await sendCommand(merchant.client, subscription.id, command, body), 200);
    await waitFor(async () => (await subscription.current()).status === status);
    expect(await countCharges(subscription)).toBe(1);
  });

  it('a change to a cheaper plan makes the renewal charge the cheaper price', async () => {
    const subscription = await subscriptionDue();
    const cheaper = await newPlan(merchant.client, { amount: 4_000 });
    expectStatus(await sendCommand(merchant.client, subscription.id, 'plan', { plan_id: cheaper.id }), 200);
    const [renewal] = await waitFor(async () => {
      const cycles = await subscription.cycles();
      return cycles.length === 2 && cycles.filter(({ number }) => number === 2);
    });
    expect(renewal).toMatchObject({ amount: 4_000 });
  });
});
