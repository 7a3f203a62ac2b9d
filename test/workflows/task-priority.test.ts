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
  await new DeliveryWorkflows(engine.parts.temporal, taskQueue).ensureStarted({
    id: randomUUID() as DeliveryId,
    companyId,
    endpointId: companyId,
    event: 'transaction.approved',
  });
}

/** The companies in the order of their turns, with one task under way at a time. */
async function turns(count: number): Promise<number[]> {
  const { namespace, taskQueue } = engine.config.temporal;
  const { temporalAddress, workflowBundlePath } = readStack();
  const taken: number[] = [];
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const activities: Pick<DeliveryActivities, 'deliverLocally'> = {
    deliverLocally: ({ companyId }) => {
      taken.push(companyId);
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
    dataConverter: engine.parts.dataConverter,
    workflowBundle: { codePath: workflowBundlePath },
    activities,
    maxCachedWorkflows: 0,
    maxConcurrentWorkflowTaskExecutions: 1,
    maxConcurrentWorkflowTaskPolls: 1,
  });
  await worker.runUntil(waitFor(() => taken.length === count));
  await connection.close();
  return taken;
}

describe('a company whose burst waits for workers', () => {
  it('does not keep the next company waiting behind it', async () => {
    await Promise.all(Array.from({ length: BURST }, () => start(BUSY)));
    await start(QUIET);
    const order = await turns(BURST + 1);
    expect(order.indexOf(QUIET)).toBeLessThan(BURST / 4);
  });
});
