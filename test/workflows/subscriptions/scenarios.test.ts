import type { NetworkIds } from '../../../src/domain/shared/charge-initiation';
import { DECLINED_ON_RENEWAL_CARD } from './command-requests';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type SubscriptionMerchant,
} from './subscription-merchant';

describe('a subscription', () => {
  let merchant: SubscriptionMerchant;

  beforeAll(async () => {
    merchant = await startMerchant();
  });

  afterAll(async () => {
    await merchant.api.stop();
  });

  it('is charged immediately and then each week', async () => {
    const { client } = merchant;
    const plan = await newPlan(client);
    const subscription = await TestSubscription.create(client, subscriptionBody(plan.id));
    expect(subscription.created).toMatchObject({
      status: 'active',
      amount: 9_990,
      clock: null,
      dunning: null,
    });
    const later = await subscription.advanceDays(21);
    expect(later).toMatchObject({ status: 'active', next_billing_at: subscription.dayAfter(28) });
    expect(await subscription.log()).toEqual([
      '+0 created',
      '+0 payment.success',
      '+0 activated',
      '+7 payment.success',
      '+14 payment.success',
      '+21 payment.success',
    ]);
    const cycles = await subscription.cycles();
    expect(cycles.map(({ number, status, amount_charged: charged }) => [number, status, charged])).toEqual([
      [1, 'paid', 9_990],
      [2, 'paid', 9_990],
      [3, 'paid', 9_990],
      [4, 'paid', 9_990],
    ]);
    expect(cycles.every(({ payments }) => payments.length === 1)).toBe(true);
  });

  it('with a trial publishes trial_ending before it is charged', async () => {
    const { client } = merchant;
    const plan = await newPlan(client, { trial_period_days: 7 });
    const subscription = await TestSubscription.create(client, subscriptionBody(plan.id));
    expect(subscription.created).toMatchObject({
      status: 'trialing',
      next_billing_at: subscription.dayAfter(7),
    });
    await subscription.advanceDays(7);
    expect(await subscription.log()).toEqual([
      '+0 created',
      '+0 trial_started',
      '+4 trial_ending',
      '+7 payment.success',
      '+7 activated',
    ]);
    const [cycle] = await subscription.cycles();
    const transactionId = cycle?.payments[0] ?? '';
    const { simulator, context } = merchant.api.engine;
    const [row] = await context.db.query<{ ids: NetworkIds | null }>(
      'SELECT network_ids AS ids FROM subscriptions WHERE uuid = $1',
      [subscription.id],
    );
    expect((await simulator.requests(transactionId))[0]?.initiation).toMatchObject({
      ...{ initiator: 'merchant', reason: 'recurring' },
      network_ids: { network_transaction_id: row?.ids?.transactionId },
    });
  });

  it('whose renewal is declined is retried after 1, 4, 9 and 16 days and finally canceled', async () => {
    const { client } = merchant;
    const plan = await newPlan(client);
    const subscription = await TestSubscription.create(
      client,
      subscriptionBody(plan.id, { card: DECLINED_ON_RENEWAL_CARD }),
    );
    await subscription.advanceDays(114);
    expect(await subscription.log()).toEqual([
      '+0 created',
      '+0 payment.success',
      '+0 activated',
      '+7 payment.failed',
      '+7 payment.retry',
      '+8 payment.failed',
      '+8 payment.retry',
      '+11 payment.failed',
      '+11 payment.retry',
      '+16 payment.failed',
      '+16 payment.retry',
      '+23 payment.failed',
      '+23 past_due',
      '+113 canceled',
    ]);
  });
});
