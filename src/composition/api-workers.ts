import { type NativeConnection, Worker } from '@temporalio/worker';
import { type ActivityDeps, createActivities, createDeliveryActivities } from '../../activities';
import { deliveryTaskQueue } from '../../workflows/messages';
import type { Config } from '../config';
import type { AppContext } from './app-context';
import { commonOptions, LOCAL_ACTIVITY_CONCURRENCY } from './worker';

/** The least that the SDK allows: one for the worker's cached workflows, one for others. Each poll holds a slot. */
const FEW_POLLS = { type: 'simple-maximum', maximum: 2 } as const;
/**
 * The worker inside an API process. It runs workflow tasks alone, above all the first ones of payments created there;
 * regular activities are left to the worker processes.
 */
export function createFirstTaskWorker(
  config: Config,
  context: AppContext,
  deps: ActivityDeps,
  connection: NativeConnection,
  bundlePath: string,
): Promise<Worker> {
  const { taskQueue, concurrency, workflowCacheSize } = config.temporal;
  return Worker.create({
    ...commonOptions(config, context, connection, bundlePath),
    taskQueue,
    activities: createActivities(deps),
    enableNonLocalActivities: false,
    // A run that is dropped from memory during its attempt would lose its task until that times out.
    maxCachedWorkflows: Math.max(workflowCacheSize, 2 * concurrency),
    maxConcurrentWorkflowTaskExecutions: concurrency,
    maxConcurrentLocalActivityExecutions: concurrency,
    workflowTaskPollerBehavior: FEW_POLLS,
  });
}

/** The same for the webhook deliveries of events that are committed in the API process. */
export function createFirstDeliveryWorker(
  config: Config,
  context: AppContext,
  deps: ActivityDeps,
  connection: NativeConnection,
  bundlePath: string,
): Promise<Worker> {
  return Worker.create({
    ...commonOptions(config, context, connection, bundlePath),
    taskQueue: deliveryTaskQueue(config.temporal.taskQueue),
    activities: createDeliveryActivities(deps),
    enableNonLocalActivities: false,
    maxConcurrentLocalActivityExecutions: LOCAL_ACTIVITY_CONCURRENCY,
    maxConcurrentWorkflowTaskExecutions: LOCAL_ACTIVITY_CONCURRENCY,
    workflowTaskPollerBehavior: FEW_POLLS,
  });
}
