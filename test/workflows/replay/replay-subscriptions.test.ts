import { Worker } from '@temporalio/worker';
import { expectStatus } from '../../api/support/api-client';
import { recording, saveHistory, type History } from '../../support/scenarios/histories';
import { firstRunOf, runsOf } from '../../support/scenarios/runs';
import { readStack } from '../../support/stack/stack';
import {
  newPlan,
  openShop,
  subscriptionBody,
  TestSubscription,
  type SubscriptionShop,
} from '../subscriptions/subscription-merchant';
import { rawCard } from '../../support/fixtures/payments';

/** The runs of the lives a subscription can have, the last of which has nothing left to do. */
const STORIES: Readonly<Record<string, () => Promise<History[]>>> = {
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

/** A run that ends before it hears of the command has another one hear of it, which has nothing to do. */
async function end(subscription: TestSubscription): Promise<History[]> {
  const { temporal } = shop.api.engine.parts;
  const workflowId = `subscription/${subscription.id}`;
  const first = await firstRunOf(temporal, workflowId);
  await ask(subscription, 'cancelSubscription');
  await temporal.workflow.getHandle(workflowId).result();
  return runsOf(temporal, workflowId, first);
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
  const runs = (await STORIES[name]?.()) ?? [];
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
