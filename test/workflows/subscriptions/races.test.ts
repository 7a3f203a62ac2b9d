import { randomUUID } from 'node:crypto';
import { apiClient, expectStatus } from '../../api/support/api-client';
import { serve } from '../../api/support/serve';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { ask, GOOD_CARD, OTHER_GOOD_CARD } from './command-requests';
import {
  newPlan,
  openShop,
  subscriptionBody,
  TestSubscription,
  type SubscriptionShop,
} from './subscription-merchant';

let shop: SubscriptionShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.api.stop());

async function subscribe(change: object = {}, interval = 'daily'): Promise<TestSubscription> {
  const plan = await newPlan(shop.client, { interval: interval as 'daily', amount: uniqueAmount() });
  return TestSubscription.create(shop.client, subscriptionBody(plan.id, change));
}

const chargedOnceEach = async (subscription: TestSubscription, cycles: number): Promise<void> => {
  const charged = (await subscription.cycles()).map(({ number, status, payments }) => [
    number,
    status,
    payments.length,
  ]);
  expect(charged).toEqual(Array.from({ length: cycles }, (_, index) => [index + 1, 'paid', 1]));
};

describe('commands that come while cycle after cycle is charged, each in a new run', () => {
  it('are all answered with their result: none is lost between two runs, and no cycle is charged twice', async () => {
    const subscription = await subscribe();
    let isOver = false;
    const lived = subscription.liveTo(10).finally(() => (isOver = true));
    const statuses: number[] = [];
    const asker = async (): Promise<void> => {
      while (!isOver) {
        statuses.push((await ask(shop.client, subscription.id, 'card', { card: OTHER_GOOD_CARD })).status);
      }
    };
    await Promise.all([lived, asker(), asker(), asker()]);
    expect(new Set(statuses)).toEqual(new Set([200]));
    await chargedOnceEach(subscription, 11);
  });
});

describe('a crowd of commands at once', () => {
  it('is answered in time: what is taken is done, what is too much is refused with 429 and leaves its key free', async () => {
    const subscription = await subscribe({}, 'weekly');
    const keys = Array.from({ length: 60 }, () => randomUUID());
    const asking = (key: string) => ask(shop.client, subscription.id, 'cancel', { at_period_end: true }, key);
    const answers = await Promise.all(keys.map(asking));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect((await subscription.now()).pending_action).toBeNull();
    const refused = answers.findIndex(({ status }) => status === 429);
    expect(answers[refused]?.headers.get('retry-after')).toBe('1');
    expectStatus(await asking(keys[refused] ?? ''), 200);
  });
});

describe('a clock', () => {
  it('that is moved by several at once goes where the farthest sent it, and every cycle is charged once', async () => {
    const subscription = await subscribe();
    const params = { uuid: subscription.id };
    const targets = [2, 5, 3, 4].map((days) => subscription.dayAfter(days));
    const answers = await Promise.all(
      targets.map((advance_to) => shop.client('moveSubscriptionClock', { params, body: { advance_to } })),
    );
    for (const { status } of answers) expect([200, 422]).toContain(status);
    await subscription.liveTo(6);
    await chargedOnceEach(subscription, 7);
  });

  it('never goes back, and never too far', async () => {
    const subscription = await subscribe();
    await subscription.liveTo(2);
    const params = { uuid: subscription.id };
    for (const days of [1, 21 * 366]) {
      const body = { advance_to: subscription.dayAfter(days) };
      const { body: answer } = expectStatus(
        await shop.client('moveSubscriptionClock', { params, body }),
        422,
      );
      expect(answer.errors).toHaveProperty('advance_to');
    }
  });
});

describe('two processes that serve the same company', () => {
  it('make one subscription of one key, and carry out one command of one key', async () => {
    const { engine } = shop.api;
    const second = await serve(engine);
    const { client_id, api_key } = expectStatus(
      await shop.api.anonymous('registerCompany', { body: { name: 'Loja' } }),
      200,
    ).body.credentials;
    const keys = { 'X-Client-ID': client_id, 'X-API-Key': api_key };
    const [one, two] = [apiClient(shop.api.baseUrl, keys), apiClient(second.baseUrl, keys)];
    const gateways = [{ gateway_slug: 'gateway_1', secret_key: 'sk_test_two' }];
    expectStatus(await one('saveGateways', { body: { gateways } }), 200);
    const plan = await newPlan(one, { amount: uniqueAmount() });
    const request = { body: subscriptionBody(plan.id), headers: { 'Idempotency-Key': randomUUID() } };
    const [a, b] = await Promise.all([
      one('createSubscription', request),
      two('createSubscription', request),
    ]);
    expect(expectStatus(a, 201).body).toEqual(expectStatus(b, 201).body);
    const { id } = expectStatus(a, 201).body.data;
    const key = randomUUID();
    const dearer = { plan_id: (await newPlan(one, { amount: 3 * uniqueAmount() })).id };
    const changed = await Promise.all([one, two].map((client) => ask(client, id, 'plan', dearer, key)));
    expect(changed.map(({ status }) => status)).toEqual([200, 200]);
    const rows = await engine.parts.db.query('SELECT 1 FROM payments WHERE subscription_id = $1', [id]);
    expect(rows).toHaveLength(2);
    await second.close();
  });
});

describe('a saved card', () => {
  async function customerWithCard(card: object): Promise<{ customer: string; card: string }> {
    const body = { name: 'Ana Lima', email: 'ana@example.com', document: '39053344705' };
    const customer = expectStatus(await shop.client('createCustomer', { body }), 201).body.data.token;
    const params = { token: customer };
    const saved = expectStatus(await shop.client('createCustomerCard', { params, body: card }), 201).body
      .data;
    return { customer, card: saved.token ?? '' };
  }

  it('that its customer deletes goes on paying the subscription, and is erased when that ends', async () => {
    const { engine } = shop.api;
    const owner = await customerWithCard(GOOD_CARD);
    const saved = { customer: { token: owner.customer }, card: { token: owner.card } };
    const subscription = await subscribe(saved);
    const params = { token: owner.customer, card_token: owner.card };
    expectStatus(await shop.client('deleteCustomerCard', { params }), 204);
    await engine.sweeper.sweepOnce();
    await subscription.liveTo(2);
    await chargedOnceEach(subscription, 3);
    const plan = await newPlan(shop.client);
    const body = subscriptionBody(plan.id, saved);
    expectStatus(await shop.client('createSubscription', { body }), 422);
    const vaultCard = `SELECT 1 FROM vault_cards v JOIN subscriptions s ON s.vault_card_id = v.id WHERE s.uuid = $1`;
    expect(await engine.parts.db.query(vaultCard, [subscription.id])).toHaveLength(1);
    expectStatus(await ask(shop.client, subscription.id, 'cancel'), 200);
    // Each sweep erases a few.
    await waitFor(async () => {
      await engine.sweeper.sweepOnce();
      return (await engine.parts.db.query(vaultCard, [subscription.id])).length === 0;
    });
  });

  it('that is deleted while its change waits for a charge is taken all the same, and pays', async () => {
    const { engine } = shop.api;
    const owner = await customerWithCard(GOOD_CARD);
    const subscription = await subscribe({ customer: { token: owner.customer } });
    const { amount } = subscription.created;
    await engine.simulator.script({ amount, operation: 'charge' }, { hang: 'after' });
    const lived = subscription.liveTo(1);
    const charging = `SELECT 1 FROM payments WHERE subscription_id = $1 AND status = 'processing'`;
    await waitFor(async () => (await engine.parts.db.query(charging, [subscription.id])).length > 0);
    const change = ask(shop.client, subscription.id, 'card', { card: { token: owner.card } });
    await waitFor(async () => (await subscription.now()).pending_action);
    const params = { token: owner.customer, card_token: owner.card };
    expectStatus(await shop.client('deleteCustomerCard', { params }), 204);
    await engine.sweeper.sweepOnce();
    await lived;
    expectStatus(await change, 200);
    await subscription.liveTo(2);
    await chargedOnceEach(subscription, 3);
  });
});

describe('a company that moves to another time zone', () => {
  it('keeps the days and times of the subscriptions it has', async () => {
    const subscription = await subscribe({ billing_day: 31 }, 'monthly');
    const before = await subscription.upcoming(6);
    await shop.api.engine.parts.db.query(`UPDATE companies SET timezone = 'Asia/Tokyo'`);
    expect(await subscription.upcoming(6)).toEqual(before);
    await subscription.liveUntil(before[1]?.due_at ?? '');
    expect((await subscription.cycles()).slice(1, 3).map(({ due_at }) => due_at)).toEqual(
      before.slice(0, 2).map(({ due_at }) => due_at),
    );
  });
});
