import { expectStatus } from '../../api/support/api-client';
import { recording, saveHistory, type History, workflowIdOf } from '../../support/scenarios/histories';
import { expectReplays } from '../../support/scenarios/replay';
import { fetchFirstRunId, fetchRuns } from '../../support/scenarios/runs';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type SubscriptionMerchant,
} from '../subscriptions/subscription-merchant';
import { rawCard } from '../../support/fixtures/payments';

/** Each scenario returns the workflow runs of a subscription that is finally canceled. Older versions recorded the first three. */
const SCENARIOS: Readonly<Record<string, () => Promise<History[]>>> = {
  'subscription-renewed': async () => {
    const subscription = await subscribe();
    await subscription.advanceDays(14);
    return cancelAndFetchRuns(subscription);
  },
  'subscription-paused': async () => {
    const subscription = await subscribe({ trial_period_days: 2 });
    await subscription.advanceDays(3);
    await send(subscription, 'pauseSubscription');
    await send(subscription, 'resumeSubscription');
    return cancelAndFetchRuns(subscription);
  },
  'subscription-in-dunning': async () => {
    const subscription = await subscribe({ card: rawCard('4000000000000341') });
    await subscription.advanceDays(9);
    await send(subscription, 'changeSubscriptionCard', { card: rawCard('5555555555554444') });
    return cancelAndFetchRuns(subscription);
  },
  // More cycles than one run closes.
  'subscription-charged-in-steps': async () => {
    const subscription = await subscribe();
    await subscription.advanceDays(50);
    const runs = await cancelAndFetchRuns(subscription);
    expect(runs).toHaveLength(2);
    return runs;
  },
};

let merchant: SubscriptionMerchant;
beforeAll(async () => {
  merchant = await startMerchant();
});
afterAll(async () => {
  await merchant.api.stop();
});

async function subscribe(change: object = {}): Promise<TestSubscription> {
  const plan = await newPlan(merchant.client);
  return TestSubscription.create(merchant.client, subscriptionBody(plan.id, change));
}

/** Cancels the subscription and returns all its runs. */
async function cancelAndFetchRuns(subscription: TestSubscription): Promise<History[]> {
  const { temporal } = merchant.api.engine.context;
  const workflowId = `subscription/${subscription.id}`;
  const first = await fetchFirstRunId(temporal, workflowId);
  await send(subscription, 'cancelSubscription');
  await temporal.workflow.getHandle(workflowId).result();
  return fetchRuns(temporal, workflowId, first);
}

async function send(
  { id }: TestSubscription,
  routeId: 'pauseSubscription' | 'resumeSubscription' | 'cancelSubscription' | 'changeSubscriptionCard',
  body?: object,
): Promise<void> {
  expectStatus(
    await merchant.client(routeId, { params: { uuid: id }, ...(body === undefined ? {} : { body }) }),
    200,
  );
}

it.each(Object.keys(SCENARIOS))('%s: every run replays with the current workflow code', async (name) => {
  const runs = (await SCENARIOS[name]?.()) ?? [];
  expect(runs).not.toHaveLength(0);
  if (recording) for (const [index, run] of runs.entries()) saveHistory(`${name}-${index + 1}`, run);
  await expectReplays(
    merchant.api.engine,
    runs.map((history) => ({ workflowId: workflowIdOf(history), history })),
  );
});
