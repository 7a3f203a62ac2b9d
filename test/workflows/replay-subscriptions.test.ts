import { Worker } from '@temporalio/worker';
import { expectStatus } from '../http/support/api-client';
import { recording, saveHistory, type History } from '../support/histories';
import { runsOf } from '../support/runs';
import { readStack } from '../support/stack';
import {
  newPlan,
  openShop,
  subscriptionBody,
  TestSubscription,
  type SubscriptionShop,
} from '../subscriptions/shop';
import { rawCard } from '../support/payments';

/** The lives a subscription can have, each ending in a run that has nothing left to do. */
const STORIES: Readonly<Record<string, () => Promise<TestSubscription>>> = {
  'subscription-renewed': async () => {
    const subscription = await subscribe();
    await subscription.liveTo(14);
    return end(subscription);
  },
  'subscription-paused': async () => {
    const subscription = await subscribe({ trial_period_days: 2 });
    await subscription.liveTo(3);
    await ask(subscription, 'pauseSubscription');
    await ask(subscription, 'resumeSubscription');
    return end(subscription);
  },
  'subscription-in-dunning': async () => {
    const subscription = await subscribe({ card: rawCard('4000000000000341') });
    await subscription.liveTo(9);
    await ask(subscription, 'changeSubscriptionCard', { card: rawCard('5555555555554444') });
    return end(subscription);
  },
};

let shop: SubscriptionShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(async () => {
  await shop.api.stop();
});

async function subscribe(change: object = {}): Promise<TestSubscription> {
  const plan = await newPlan(shop.client);
  return TestSubscription.create(shop.client, subscriptionBody(plan.id, change));
}

async function end(subscription: TestSubscription): Promise<TestSubscription> {
  await ask(subscription, 'cancelSubscription');
  await shop.api.engine.parts.temporal.workflow.getHandle(`subscription/${subscription.id}`).result();
  return subscription;
}

async function ask(
  { id }: TestSubscription,
  operation: 'pauseSubscription' | 'resumeSubscription' | 'cancelSubscription' | 'changeSubscriptionCard',
  body?: object,
): Promise<void> {
  expectStatus(
    await shop.client(operation, { params: { uuid: id }, ...(body === undefined ? {} : { body }) }),
    200,
  );
}

it.each(Object.keys(STORIES))('%s: every run replays by the code as it is', async (name) => {
  const subscription = await STORIES[name]?.();
  const runs = await runsOf(shop.api.engine.parts.temporal, `subscription/${subscription?.id ?? ''}`);
  expect(runs.length).toBeGreaterThan(1);
  if (recording) for (const [index, run] of runs.entries()) saveHistory(`${name}-${index + 1}`, run);
  await expectReplayable(runs.map((history, index) => ({ workflowId: `${name}-${index + 1}`, history })));
});

async function expectReplayable(
  histories: ReadonlyArray<{ workflowId: string; history: History }>,
): Promise<void> {
  const { workflowBundlePath: codePath } = readStack();
  const { dataConverter } = shop.api.engine.parts;
  const options = { workflowBundle: { codePath }, dataConverter };
  for await (const { error, workflowId } of Worker.runReplayHistories(options, histories)) {
    if (error !== undefined) throw new Error(`${workflowId} does not replay`, { cause: error });
  }
}
