import { randomUUID } from 'node:crypto';
import { apiClient, expectStatus } from '../../api/support/api-client';
import { serve } from '../../api/support/serve';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { sendCommand, GOOD_CARD, OTHER_GOOD_CARD } from './command-requests';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type SubscriptionMerchant,
} from './subscription-merchant';

let merchant: SubscriptionMerchant;
beforeAll(async () => {
  merchant = await startMerchant();
});
afterAll(() => merchant.api.stop());

async function subscribe(change: object = {}, interval = 'daily'): Promise<TestSubscription> {
  const plan = await newPlan(merchant.client, { interval: interval as 'daily', amount: uniqueAmount() });
  return TestSubscription.create(merchant.client, subscriptionBody(plan.id, change));
}

const chargedOnceEach = async (subscription: TestSubscription, cycles: number): Promise<void> => {
  const charged = (await subscription.cycles()).map(({ number, status, payments }) => [
    number,
    status,
    payments.length,
  ]);
  expect(charged).toEqual(Array.from({ length: cycles }, (_, index) => [index + 1, 'paid', 1]));
};

describe('commands while cycle after cycle is charged, each in a new workflow run', () => {
  it('are all answered, none is lost between two runs, and no cycle is charged twice', async () => {
    const subscription = await subscribe();
    let isOver = false;
    const advanced = subscription.advanceDays(10).finally(() => (isOver = true));
    const statuses: number[] = [];
    const sender = async (): Promise<void> => {
      while (!isOver) {
        statuses.push(
          (await sendCommand(merchant.client, subscription.id, 'card', { card: OTHER_GOOD_CARD })).status,
        );
      }
    };
    await Promise.all([advanced, sender(), sender(), sender()]);
    expect(new Set(statuses)).toEqual(new Set([200]));
    await chargedOnceEach(subscription, 11);
  });
});

describe('many concurrent commands', () => {
  it('are executed or refused with 429, and a refused command does not claim its key', async () => {
    const subscription = await subscribe({}, 'weekly');
    const keys = Array.from({ length: 60 }, () => randomUUID());
    const cancelWith = (key: string) =>
      sendCommand(merchant.client, subscription.id, 'cancel', { at_period_end: true }, key);
    const answers = await Promise.all(keys.map(cancelWith));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect((await subscription.current()).pending_action).toBeNull();
    const refused = answers.findIndex(({ status }) => status === 429);
    expect(answers[refused]?.headers.get('retry-after')).toBe('1');
    expectStatus(await cancelWith(keys[refused] ?? ''), 200);
  });
});

describe('a test clock', () => {
  it('advances to the latest of several concurrent targets and charges every cycle once', async () => {
    const subscription = await subscribe();
    const params = { uuid: subscription.id };
    const targets = [2, 5, 3, 4].map((days) => subscription.dayAfter(days));
    const answers = await Promise.all(
      targets.map((advance_to) => merchant.client('moveSubscriptionClock', { params, body: { advance_to } })),
    );
    for (const { status } of answers) expect([200, 422]).toContain(status);
    await subscription.advanceDays(6);
    await chargedOnceEach(subscription, 7);
  });

  it('neither goes back nor advances too far', async () => {
    const subscription = await subscribe();
    await subscription.advanceDays(2);
    const params = { uuid: subscription.id };
    for (const days of [1, 21 * 366]) {
      const body = { advance_to: subscription.dayAfter(days) };
      const { body: answer } = expectStatus(
        await merchant.client('moveSubscriptionClock', { params, body }),
        422,
      );
      expect(answer.errors).toHaveProperty('advance_to');
    }
  });
});

describe('two processes that serve the same company', () => {
  it('create one subscription and execute one command per key', async () => {
    const { engine } = merchant.api;
    const second = await serve(engine);
    const { client_id, api_key } = expectStatus(
      await merchant.api.anonymous('registerCompany', { body: { name: 'Loja' } }),
      200,
    ).body.credentials;
    const keys = { 'X-Client-ID': client_id, 'X-API-Key': api_key };
    const [one, two] = [apiClient(merchant.api.baseUrl, keys), apiClient(second.baseUrl, keys)];
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
    const changed = await Promise.all(
      [one, two].map((client) => sendCommand(client, id, 'plan', dearer, key)),
    );
    expect(changed.map(({ status }) => status)).toEqual([200, 200]);
    const rows = await engine.context.db.query('SELECT 1 FROM payments WHERE subscription_id = $1', [id]);
    expect(rows).toHaveLength(2);
    await second.close();
  });
});

describe('a saved card', () => {
  async function customerWithCard(card: object): Promise<{ customer: string; card: string }> {
    const body = { name: 'Ana Lima', email: 'ana@example.com', document: '39053344705' };
    const customer = expectStatus(await merchant.client('createCustomer', { body }), 201).body.data.token;
    const params = { token: customer };
    const saved = expectStatus(await merchant.client('createCustomerCard', { params, body: card }), 201).body
      .data;
    return { customer, card: saved.token ?? '' };
  }

  it('that pays a subscription cannot be deleted, and is erased with it once that is canceled', async () => {
    const { engine } = merchant.api;
    const owner = await customerWithCard(GOOD_CARD);
    const saved = { customer: { token: owner.customer }, card: { token: owner.card } };
    const subscription = await subscribe(saved);
    const params = { token: owner.customer, card_token: owner.card };
    expect(expectStatus(await merchant.client('deleteCustomerCard', { params }), 409).body).toMatchObject({
      code: 'card_in_use',
      resource_id: subscription.id,
    });
    await engine.sweeper.sweepOnce();
    await subscription.advanceDays(2);
    await chargedOnceEach(subscription, 3);
    expectStatus(await sendCommand(merchant.client, subscription.id, 'cancel'), 200);
    expectStatus(await merchant.client('deleteCustomerCard', { params }), 204);
    const vaultCard = `SELECT 1 FROM vault_cards v JOIN subscriptions s ON s.vault_card_id = v.id WHERE s.uuid = $1`;
    // Each sweep erases a limited number of cards.
    await waitFor(async () => {
      await engine.sweeper.sweepOnce();
      return (await engine.context.db.query(vaultCard, [subscription.id])).length === 0;
    });
  });

  it('that a card change waits to use cannot be deleted, and pays', async () => {
    const { engine } = merchant.api;
    const owner = await customerWithCard(GOOD_CARD);
    const subscription = await subscribe({ customer: { token: owner.customer } });
    const { amount } = subscription.created;
    await engine.simulator.script({ amount, operation: 'charge' }, { hang: 'after' });
    const advanced = subscription.advanceDays(1);
    const charging = `SELECT 1 FROM payments WHERE subscription_id = $1 AND status = 'processing'`;
    await waitFor(async () => (await engine.context.db.query(charging, [subscription.id])).length > 0);
    const change = sendCommand(merchant.client, subscription.id, 'card', { card: { token: owner.card } });
    await waitFor(async () => (await subscription.current()).pending_action);
    const params = { token: owner.customer, card_token: owner.card };
    expectStatus(await merchant.client('deleteCustomerCard', { params }), 409);
    await engine.sweeper.sweepOnce();
    await advanced;
    expectStatus(await change, 200);
    await subscription.advanceDays(2);
    await chargedOnceEach(subscription, 3);
  });
});

describe('a company that changes its time zone', () => {
  it('keeps the billing dates of its existing subscriptions', async () => {
    const subscription = await subscribe({ billing_day: 31 }, 'monthly');
    const before = await subscription.upcoming(6);
    await merchant.api.engine.context.db.query(`UPDATE companies SET timezone = 'Asia/Tokyo'`);
    expect(await subscription.upcoming(6)).toEqual(before);
    await subscription.advanceTo(before[1]?.due_at ?? '');
    expect((await subscription.cycles()).slice(1, 3).map(({ due_at }) => due_at)).toEqual(
      before.slice(0, 2).map(({ due_at }) => due_at),
    );
  });
});
