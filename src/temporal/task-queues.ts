import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { deliveryTaskQueue } from '../../workflows/messages';

const { TASK_QUEUE_TYPE_WORKFLOW, TASK_QUEUE_TYPE_ACTIVITY } = temporal.api.enums.v1.TaskQueueType;
const CALL_TIMEOUT_MS = 2_000;

/** Tasks of one kind that wait at Temporal until a process takes them. Temporal's figures are approximate. */
export interface TaskQueueState {
  readonly queue: 'main' | 'webhooks';
  readonly tasks: 'workflow' | 'activity';
  readonly waiting: number;
  /** In seconds; 0 if none waits. */
  readonly oldestAgeSeconds: number;
  /** The average of the last 30 s. */
  readonly addedPerSecond: number;
  /** Processes that asked for tasks in the last minutes. */
  readonly pollers: number;
}

/**
 * What waits in the service's task queues, over all processes. Tasks on the way to a process that has the workflow in its cache
 * are not counted; they wait for seconds at most.
 *
 * @throws if Temporal does not answer in time
 */
export function readTaskQueues(client: Client, taskQueue: string): Promise<TaskQueueState[]> {
  const kinds = [
    { queue: 'main', name: taskQueue, tasks: 'workflow', type: TASK_QUEUE_TYPE_WORKFLOW },
    { queue: 'main', name: taskQueue, tasks: 'activity', type: TASK_QUEUE_TYPE_ACTIVITY },
    {
      queue: 'webhooks',
      name: deliveryTaskQueue(taskQueue),
      tasks: 'workflow',
      type: TASK_QUEUE_TYPE_WORKFLOW,
    },
    {
      queue: 'webhooks',
      name: deliveryTaskQueue(taskQueue),
      tasks: 'activity',
      type: TASK_QUEUE_TYPE_ACTIVITY,
    },
  ] as const;
  const { namespace } = client.options;
  const describe = async ({ queue, name, tasks, type }: (typeof kinds)[number]): Promise<TaskQueueState> => {
    const { stats, pollers } = await client.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name },
      taskQueueType: type,
      reportStats: true,
    });
    const age = stats?.approximateBacklogAge;
    return {
      ...{ queue, tasks },
      waiting: Number(stats?.approximateBacklogCount ?? 0),
      oldestAgeSeconds: Number(age?.seconds ?? 0) + (age?.nanos ?? 0) / 1e9,
      addedPerSecond: stats?.tasksAddRate ?? 0,
      pollers: pollers?.length ?? 0,
    };
  };
  return client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () => Promise.all(kinds.map(describe)));
}
