import { randomUUID } from 'node:crypto';
import type { FailpointName } from '../../../src/failpoints';
import { apiClient, expectStatus, type ApiClient } from '../../api/support/api-client';
import { registerWithGateways, type EngineApi } from '../../api/support/engine-api';
import { serve } from '../../api/support/serve';
import { startEngine } from '../../support/stack/engine';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { sendCommand, GOOD_CARD, OTHER_GOOD_CARD } from './command-requests';
import { findViolations } from './reconciliation';
import { newPlan, subscriptionBody, TestSubscription } from './subscription-merchant';

/** The failpoint that throws: the first time, or with `every` every other time. `hits` counts how often each was reached. */
let crashAt: { readonly name: FailpointName; readonly every: boolean } | null = null;
const hits = new Map<FailpointName, number>();

class SimulatedCrash extends Error {}

function failpoint(name: FailpointName): void {
  if (crashAt?.name !== name) return;
  const times = (hits.get(name) ?? 0) + 1;
  hits.set(name, times);
  if (crashAt.every ? times % 2 === 1 : times === 1) throw new SimulatedCrash(`crash at ${name}`);
}

let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  const engine = await startEngine({}, { workers: 'all', change: { failpoint } });
  const { baseUrl, close } = await serve({ ...engine, context: { ...engine.context, failpoint } });
  api = {
    engine,
    baseUrl,
    anonymous: apiClient(baseUrl),
    stop: async () => {
      await close();
      await engine.stop();
    },
  };
  client = await registerWithGateways(api);
});
afterAll(() => api.stop());
afterEach(() => {
  crashAt = null;
  hits.clear();
});

/** Makes the subscription overdue and runs the sweeper. */
async function sweep(id: string): Promise<void> {
  const overdue =
    'UPDATE subscriptions SET recover_after = now() WHERE uuid = $1 AND recover_after IS NOT NULL';
  await api.engine.context.db.query(overdue, [id]);
  await api.engine.sweeper.sweepOnce();
}

describe('a worker that crashes at every other step, before or after its commit', () => {
  it.each([
    { name: 'subscription-step', leastHits: 5 },
    { name: 'subscription-step-committed', leastHits: 5 },
    // Once for each charge: a retry finds the outcome recorded.
    { name: 'outcome-committed', leastHits: 4 },
  ] as const)('at $name has every step executed exactly once by retries', async ({ name, leastHits }) => {
    crashAt = { name, every: true };
    const amount = uniqueAmount();
    const plan = await newPlan(client, { amount, trial_period_days: 2 });
    const dearer = await newPlan(client, { amount: 3 * amount });
    const subscription = await TestSubscription.create(client, subscriptionBody(plan.id));
    await api.engine.simulator.script({ amount, operation: 'charge' }, { decline: '51' });
    await subscription.advanceDays(3);
    expectStatus(await sendCommand(client, subscription.id, 'plan', { plan_id: dearer.id }), 200);
    expectStatus(await sendCommand(client, subscription.id, 'card', { card: OTHER_GOOD_CARD }), 200);
    await subscription.advanceDays(9);
    expectStatus(
      await sendCommand(client, subscription.id, 'pause', { paused_until: subscription.dayAfter(12) }),
      200,
    );
    await subscription.advanceDays(12);
    expectStatus(await sendCommand(client, subscription.id, 'cancel', {}, randomUUID()), 200);
    expect(await subscription.log()).toEqual([
      '+0 created',
      '+0 trial_started',
      '+1 trial_ending',
      '+2 payment.failed',
      '+2 payment.retry',
      '+3 payment.success',
      '+3 activated',
      '+3 payment.success',
      '+3 plan_changed',
      '+3 card_changed',
      '+9 payment.success',
      '+9 paused',
      '+12 resumed',
      '+12 canceled',
    ]);
    expect(await findViolations({ api, client }, subscription)).toEqual([]);
    expect(hits.get(name)).toBeGreaterThanOrEqual(leastHits);
  });
});

describe('a process that crashes between its commit and its call to the workflow', () => {
  it('leaves a created subscription that the sweeper has charged, and its key gets the answer', async () => {
    crashAt = { name: 'subscription-committed', every: false };
    const plan = await newPlan(client, { amount: uniqueAmount() });
    const key = randomUUID();
    const body = subscriptionBody(plan.id);
    const request = { body, headers: { 'Idempotency-Key': key } };
    expectStatus(await client('createSubscription', request), 500);
    const query = { plan_id: plan.id };
    const [made] = expectStatus(await client('listSubscriptions', { query }), 200).body.data;
    expect(made?.status).toBe('pending');
    await sweep(made?.id ?? '');
    const subscription = await TestSubscription.create(client, body, key);
    expect(subscription.created).toMatchObject({ id: made?.id, status: 'active' });
    expect(await findViolations({ api, client }, subscription)).toEqual([]);
  });

  it('leaves a stored command that the sweeper has executed once, and its key gets the answer', async () => {
    const plan = await newPlan(client, { amount: uniqueAmount() });
    const dearer = await newPlan(client, { amount: 3 * uniqueAmount() });
    const subscription = await TestSubscription.create(client, subscriptionBody(plan.id));
    crashAt = { name: 'subscription-command-committed', every: false };
    const key = randomUUID();
    const change = { plan_id: dearer.id };
    expectStatus(await sendCommand(client, subscription.id, 'plan', change, key), 500);
    expect(await subscription.current()).toMatchObject({
      pending_action: 'change_plan',
      plan: { id: plan.id },
    });
    await sweep(subscription.id);
    await waitFor(async () => (await subscription.current()).plan.id === dearer.id, {
      what: 'its plan to change',
    });
    const again = expectStatus(await sendCommand(client, subscription.id, 'plan', change, key), 200);
    expect(again.body.data).toEqual(await subscription.current());
    expect(await findViolations({ api, client }, subscription)).toEqual([]);
  });
});

describe('a subscription whose workflow was terminated', () => {
  it('is restarted by the sweeper when an event is due, and not before', async () => {
    const { context, sweeper } = api.engine;
    const plan = await newPlan(client, { amount: uniqueAmount() });
    const subscription = await TestSubscription.create(
      client,
      subscriptionBody(plan.id, { card: GOOD_CARD }),
    );
    const handle = context.temporal.workflow.getHandle(`subscription/${subscription.id}`);
    await handle.terminate('by a test');
    const due = Date.parse(subscription.dayAfter(7));
    const recoverAfter = await waitFor(async () => {
      const row = 'SELECT recover_after AS at FROM subscriptions WHERE uuid = $1';
      return (await context.db.queryOne<{ at: Date }>(row, [subscription.id]))?.at;
    });
    expect(+recoverAfter).toBeGreaterThanOrEqual(due);
    // Jitter of up to half an hour, and the recovery delay of two minutes.
    expect(+recoverAfter).toBeLessThanOrEqual(due + 32 * 60_000);
    await sweeper.sweepOnce();
    expect((await handle.describe()).status.name).toBe('TERMINATED');
    // Simulates that seven days have passed.
    const later = 'UPDATE subscriptions SET clock_offset_ms = $2, recover_after = now() WHERE uuid = $1';
    await context.db.query(later, [subscription.id, 7 * 86_400_000]);
    await sweeper.sweepOnce();
    await waitFor(async () => (await subscription.cycles()).length === 2, { what: 'its renewal' });
    await waitFor(async () => (await subscription.cycles()).every(({ status }) => status === 'paid'));
    expect(await findViolations({ api, client }, subscription)).toEqual([]);
  });
});
