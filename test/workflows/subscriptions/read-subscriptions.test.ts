import type { Payload } from '@temporalio/common';
import { expectStatus } from '../../api/support/api-client';
import { registerWithGateways } from '../../api/support/engine-api';
import { EncryptionCodec } from '../../../src/temporal/codec';
import { fetchRuns } from '../../support/scenarios/runs';
import { sendCommand } from './command-requests';
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

describe('a company’s subscriptions', () => {
  it('are listed newest first, in pages, and can be filtered by status, plan and customer', async () => {
    const client = await registerWithGateways(merchant.api);
    const [weekly, trial] = [await newPlan(client), await newPlan(client, { trial_period_days: 7 })];
    const made: TestSubscription[] = [];
    for (const { id } of [weekly, trial, weekly, trial, weekly]) {
      const customer = { name: 'Ana Lima', email: 'ana@example.com', document: `1234567890${made.length}` };
      made.push(await TestSubscription.create(client, subscriptionBody(id, { customer })));
    }
    const [first, second, third, fourth, fifth] = made.map(({ id }) => id);
    expectStatus(await sendCommand(client, third ?? '', 'pause'), 200);
    const list = async (query: Record<string, string | number>) => {
      const { data, meta } = expectStatus(await client('listSubscriptions', { query }), 200).body;
      return [data.map(({ id }) => id), meta.total];
    };
    expect(await list({})).toEqual([[fifth, fourth, third, second, first], 5]);
    expect(await list({ per_page: 2, page: 2 })).toEqual([[third, second], 5]);
    expect(await list({ per_page: 2, page: 4 })).toEqual([[], 5]);
    expect(await list({ status: 'trialing' })).toEqual([[fourth, second], 2]);
    expect(await list({ status: 'paused' })).toEqual([[third], 1]);
    expect(await list({ plan_id: weekly.id, status: 'active' })).toEqual([[fifth, first], 2]);
    expect(await list({ customer: made[3]?.created.customer.token ?? '' })).toEqual([[fourth], 1]);
    expect(await list({ customer: 'nobody' })).toEqual([[], 0]);
    for (const query of [{ status: 'open' }, { plan_id: 'gold' }, { per_page: 101 }, { per_page: 0 }]) {
      const answer = expectStatus(await client('listSubscriptions', { query: query }), 422);
      expect(Object.keys(answer.body.errors ?? {})).toEqual(Object.keys(query));
    }
  });

  it('list their cycles newest first, in pages', async () => {
    const subscription = await TestSubscription.create(
      merchant.client,
      subscriptionBody((await newPlan(merchant.client)).id),
    );
    await subscription.advanceDays(21);
    const params = { uuid: subscription.id };
    const page = async (number: number) => {
      const query = { per_page: 3, page: number };
      const answer = await merchant.client('listSubscriptionCycles', { params, query });
      const { data, meta } = expectStatus(answer, 200).body;
      return [data.map((cycle) => cycle.number), meta];
    };
    const meta = { per_page: 3, total: 4, last_page: 2 };
    expect(await page(1)).toEqual([[4, 3, 2], { ...meta, current_page: 1 }]);
    expect(await page(2)).toEqual([[1], { ...meta, current_page: 2 }]);
  });

  it('are not found by another company', async () => {
    const subscription = await TestSubscription.create(
      merchant.client,
      subscriptionBody((await newPlan(merchant.client)).id),
    );
    const other = await registerWithGateways(merchant.api);
    const params = { uuid: subscription.id };
    for (const id of ['getSubscription', 'listSubscriptionCycles', 'listUpcomingCharges'] as const) {
      expect((await other(id, { params })).status).toBe(404);
    }
    expect(expectStatus(await other('listSubscriptions'), 200).body.data).toEqual([]);
  });
});

describe('the histories of a subscription’s workflow', () => {
  it('contain no personal data, not even encrypted', async () => {
    const { context, config } = merchant.api.engine;
    const subscription = await TestSubscription.create(
      merchant.client,
      subscriptionBody((await newPlan(merchant.client)).id, { metadata: [{ note: 'for Maria' }] }),
    );
    await subscription.advanceDays(8);
    expectStatus(await sendCommand(merchant.client, subscription.id, 'pause'), 200);
    const codec = new EncryptionCodec(config.secrets.codecKeys);
    const runs = await fetchRuns(context.temporal, `subscription/${subscription.id}`);
    const decoded = codec.read(payloadsIn(runs));
    const texts = decoded.map(({ data }) => Buffer.from(data ?? []).toString());
    expect(texts.join('\n')).toContain(subscription.id);
    expect(texts.join('\n')).toContain('subscription.payment.success');
    expect(texts.join('\n')).not.toMatch(/maria|39053344705|41111111|\b737\b|cvv|vault|example\.com/i);
  });
});

function payloadsIn(value: unknown): Payload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if ('metadata' in value && 'data' in value && value.data instanceof Uint8Array) return [value as Payload];
  return Object.values(value).flatMap(payloadsIn);
}
