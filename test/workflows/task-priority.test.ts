import { randomUUID } from 'node:crypto';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { DeliveryActivities } from '../../activities';
import type { DeliveryId } from '../../src/domain/shared/ids';
import { DeliveryWorkflows } from '../../src/temporal/webhook-deliveries';
import { deliveryTaskQueue } from '../../workflows/messages';
import { startEngine, type Engine } from '../support/stack/engine';
import { readStack } from '../support/stack/stack';
import { waitFor } from '../support/stack/wait-for';

const BUSY = 1;
const QUIET = 2;
const BURST = 60;

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

async function start(companyId: number): Promise<void> {
  const { taskQueue } = engine.config.temporal;
  await new DeliveryWorkflows(engine.context.temporal, taskQueue).ensureStarted({
    id: randomUUID() as DeliveryId,
    companyId,
    endpointId: companyId,
    event: 'transaction.approved',
  });
}

/** The companies in the order in which the worker processes their tasks, one at a time. */
async function processingOrder(count: number): Promise<number[]> {
  const { namespace, taskQueue } = engine.config.temporal;
  const { temporalAddress, workflowBundlePath } = readStack();
  const order: number[] = [];
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const activities: Pick<DeliveryActivities, 'deliverLocally'> = {
    deliverLocally: ({ companyId }) => {
      order.push(companyId);
      return Promise.resolve({
        status: 'delivered',
        attempts: 1,
        answer: '200',
        pauseMs: null,
        notifyDisabled: false,
      });
    },
  };
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: deliveryTaskQueue(taskQueue),
    dataConverter: engine.context.dataConverter,
    workflowBundle: { codePath: workflowBundlePath },
    activities,
    maxCachedWorkflows: 0,
    maxConcurrentWorkflowTaskExecutions: 1,
    maxConcurrentWorkflowTaskPolls: 1,
  });
  await worker.runUntil(waitFor(() => order.length === count));
  await connection.close();
  return order;
}

describe('a company with a backlog of deliveries', () => {
  it('the deliveries of another company do not wait for the backlog', async () => {
    await Promise.all(Array.from({ length: BURST }, () => start(BUSY)));
    await start(QUIET);
    const order = await processingOrder(BURST + 1);
    expect(order.indexOf(QUIET)).toBeLessThan(BURST / 4);
  });
});
