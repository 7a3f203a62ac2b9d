import { expectStatus } from '../../api/support/api-client';
import { ask, RUNS_DRY } from './command-requests';
import {
  newPlan,
  openShop,
  subscriptionBody,
  TestSubscription,
  type SubscriptionShop,
} from './subscription-merchant';

/** Visa's: fewer than fifteen refusals of a card and amount in thirty days. */
const MOST_REFUSALS = 14;

let shop: SubscriptionShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.api.stop());

async function payments({ id }: TestSubscription): Promise<number> {
  const rows = await shop.api.engine.parts.db.query('SELECT 1 FROM payments WHERE subscription_id = $1', [
    id,
  ]);
  return rows.length;
}

describe('a card that was refused as often as its network allows', () => {
  it('is not charged for another subscription’s new cycle until it may be', async () => {
    const { client } = shop;
    const plan = await newPlan(client);
    const refused = await TestSubscription.create(client, subscriptionBody(plan.id, { card: RUNS_DRY }));
    await refused.liveTo(7);
    for (let refusals = 1; refusals < MOST_REFUSALS; refusals += 1) {
      expectStatus(await ask(client, refused.id, 'retry'), 200);
    }
    const tooOften = expectStatus(await ask(client, refused.id, 'retry'), 409);
    expect(tooOften.body.message).toContain('refused too often');
    const body = subscriptionBody(plan.id, { card: RUNS_DRY, trial_period_days: 8 });
    const other = await TestSubscription.create(client, body);
    await other.liveTo(9);
    expect(await payments(other)).toBe(0);
    const [cycle] = await other.cycles();
    expect(cycle).toMatchObject({ status: 'open', retry_count: 0 });
    expect(cycle?.next_retry_at?.slice(0, 10)).toBe(other.dayAfter(37).slice(0, 10));
  });
});
