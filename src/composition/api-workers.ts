import { Worker } from '@temporalio/worker';
import { createActivities, createDeliveryActivities } from '../../activities';
import { deliveryTaskQueue } from '../../workflows/messages';
import { commonOptions, LOCAL_ACTIVITY_CONCURRENCY, type WorkerParts } from './worker';

/** The least that the SDK allows: one for the worker's cached workflows, one for others. Each poll holds a slot. */
const FEW_POLLS = { type: 'simple-maximum', maximum: 2 } as const;

/**
 * The worker inside an API process. It runs workflow tasks alone, above all the first ones of payments created there;
 * regular activities are left to the worker processes.
 */
export function createFirstTaskWorker(parts: WorkerParts): Promise<Worker> {
  const { taskQueue, concurrency, workflowCacheSize } = parts.config.temporal;
  return Worker.create({
    ...commonOptions(parts),
    taskQueue,
    activities: createActivities(parts.deps),
    enableNonLocalActivities: false,
    // A run that is dropped from memory during its attempt would lose its task until that times out.
    maxCachedWorkflows: Math.max(workflowCacheSize, 2 * concurrency),
    maxConcurrentWorkflowTaskExecutions: concurrency,
    maxConcurrentLocalActivityExecutions: concurrency,
    workflowTaskPollerBehavior: FEW_POLLS,
  });
}

/** The same for the webhook deliveries of events that are committed in the API process. */
export function createFirstDeliveryWorker(parts: WorkerParts): Promise<Worker> {
  return Worker.create({
    ...commonOptions(parts),
    taskQueue: deliveryTaskQueue(parts.config.temporal.taskQueue),
    activities: createDeliveryActivities(parts.deps),
    enableNonLocalActivities: false,
    maxConcurrentLocalActivityExecutions: LOCAL_ACTIVITY_CONCURRENCY,
    maxConcurrentWorkflowTaskExecutions: LOCAL_ACTIVITY_CONCURRENCY,
    workflowTaskPollerBehavior: FEW_POLLS,
  });
}
