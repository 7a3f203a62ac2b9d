import { FirstTaskClient } from '../../../src/temporal/first-tasks/first-task-client';
import type { WorkflowTask } from '../../../src/temporal/first-tasks/workflow-task';
import { CYCLES_PER_RUN } from '../../../workflows/subscriptions/messages';
import type { subscription as subscriptionWorkflow } from '../../../workflows/subscriptions/subscription';
import { expectStatus } from '../../api/support/api-client';
import { expectReplay } from '../../support/scenarios/replay';
import { waitFor } from '../../support/stack/wait-for';
import { sendCommand } from '../subscriptions/command-requests';
import {
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  type SubscriptionMerchant,
} from '../subscriptions/subscription-merchant';

let merchant: SubscriptionMerchant;
beforeAll(async () => {
  merchant = await startMerchant();
});
afterAll(() => merchant.api.stop());

/** Starts a run of the subscription and holds its first task, as a worker does that dies soon. */
async function heldRun({ id }: TestSubscription) {
  const { config, context } = merchant.api.engine;
  const { connection, options } = context.temporal;
  const client = new FirstTaskClient(
    { connection, namespace: options.namespace, dataConverter: context.dataConverter },
    null,
  );
  const handle = context.temporal.workflow.getHandle(`subscription/${id}`);
  await handle.terminate('by a test');
  const row = await context.db.queryOne<{ companyId: string }>(
    'SELECT company_id AS "companyId" FROM subscriptions WHERE uuid = $1',
    [id],
  );
  const input = {
    companyId: Number(row?.companyId),
    subscriptionId: id as never,
    cyclesPerRun: CYCLES_PER_RUN,
  };
  const started = await client.startForTask<typeof subscriptionWorkflow>('subscription', {
    workflowId: handle.workflowId,
    taskQueue: config.temporal.taskQueue,
    args: [input],
  });
  if (started === null) throw new Error('a worker has the task');
  return { client, handle, task: started.task };
}

/** Prolongs the task, as for a local activity that takes long, until it brings an update; then a worker gets it. */
async function giveUpWithUpdate(client: FirstTaskClient, first: WorkflowTask): Promise<void> {
  let task = first;
  await waitFor(async () => {
    const next = await client.respondCompleted({
      taskToken: task.taskToken ?? null,
      forceCreateNewWorkflowTask: true,
      returnNewWorkflowTask: true,
    });
    if (next === null) throw new Error('the task is lost');
    task = next;
    return (task.messages ?? []).length > 0;
  });
  await client.respondFailed(task.taskToken ?? new Uint8Array(), 'by a test');
}

describe('a first task that a worker takes over together with a command', () => {
  it('carries out the command, and its history replays', async () => {
    const plan = await newPlan(merchant.client);
    const subscription = await TestSubscription.create(merchant.client, subscriptionBody(plan.id));
    const { client, handle, task } = await heldRun(subscription);
    const paused = sendCommand(merchant.client, subscription.id, 'pause');
    await giveUpWithUpdate(client, task);
    expect(expectStatus(await paused, 200).body.data.status).toBe('paused');
    await expectReplay(merchant.api.engine, handle);
  });
});
