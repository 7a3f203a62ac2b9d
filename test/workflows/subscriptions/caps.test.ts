import { expectStatus } from '../../api/support/api-client';
import { sendCommand, DECLINED_ON_RENEWAL_CARD } from './command-requests';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type SubscriptionMerchant,
} from './subscription-merchant';

/** Visa's cap: fewer than 15 declines of a card and amount in 30 days. */
const MAX_DECLINES = 14;

let merchant: SubscriptionMerchant;
beforeAll(async () => {
  merchant = await startMerchant();
});
afterAll(() => merchant.api.stop());

async function countPayments({ id }: TestSubscription): Promise<number> {
  const rows = await merchant.api.engine.context.db.query(
    'SELECT 1 FROM payments WHERE subscription_id = $1',
    [id],
  );
  return rows.length;
}

describe('a card whose declines have reached the network’s cap', () => {
  it('is not charged for a new cycle of another subscription until the cap allows it', async () => {
    const { client } = merchant;
    const plan = await newPlan(client);
    const declined = await TestSubscription.create(
      client,
      subscriptionBody(plan.id, { card: DECLINED_ON_RENEWAL_CARD }),
    );
    await declined.advanceDays(7);
    for (let declines = 1; declines < MAX_DECLINES; declines += 1) {
      expectStatus(await sendCommand(client, declined.id, 'retry'), 200);
    }
    const tooOften = expectStatus(await sendCommand(client, declined.id, 'retry'), 409);
    expect(tooOften.body.message).toContain('refused too often');
    const body = subscriptionBody(plan.id, { card: DECLINED_ON_RENEWAL_CARD, trial_period_days: 8 });
    const other = await TestSubscription.create(client, body);
    await other.advanceDays(9);
    expect(await countPayments(other)).toBe(0);
    const [cycle] = await other.cycles();
    expect(cycle).toMatchObject({ status: 'open', retry_count: 0 });
    expect(cycle?.next_retry_at?.slice(0, 10)).toBe(other.dayAfter(37).slice(0, 10));
  });
});
