import { isGrpcServiceError } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import type { FirstTaskClient } from './first-task-client';
import type { TaskAnswer } from './task-payloads';
import type { WorkflowTask } from './workflow-task';

type StickyAttributes = temporal.api.taskqueue.v1.IStickyExecutionAttributes;
type SdkMetadata = temporal.api.sdk.v1.IWorkflowTaskCompletedMetadata;

const { EventType } = temporal.api.enums.v1;
/** A task is prolonged when this share of its timeout is over, like the SDK does. */
const PROLONG_AFTER = 0.8;
/** The only events of a run whose first task is prolonged and to which nothing else happened. */
const OWN_EVENTS: ReadonlySet<unknown> = new Set([
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
]);
/** What the SDK writes into the first completed task of a run: the flags by which it replays the run later, and its version. */
export const FIRST_METADATA: SdkMetadata = {
  coreUsedFlags: [1, 2, 3],
  sdkName: 'temporal-typescript',
  sdkVersion: '1.24.0',
};
/** gRPC status codes, https://grpc.io/docs/guides/status-codes/ */
const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;

export interface HeldTaskOptions {
  readonly timeoutMs: number;
  /** When the start was sent, epoch ms: the task's timeout begins after that. */
  readonly startedAt: number;
  /** Called once, if another worker gets the task. */
  readonly onLost: () => void;
  /** Whether a prolonged task brings something that it did not bring before. */
  readonly hasNews: (task: WorkflowTask) => boolean;
  /** What the SDK writes into such a task. */
  readonly metadata: SdkMetadata;
}

interface Completion extends Partial<TaskAnswer> {
  /** A worker gets the next task at once. */
  readonly goesOn?: boolean;
  /** Which process gets the next task, whenever something happens to the run; null for any worker. */
  readonly next?: StickyAttributes | null;
}

/**
 * A workflow's task in this process. It is prolonged while the local activity runs. It is lost if Temporal has given it to a
 * worker, and given up if a signal or an update arrived meanwhile, which only the workflow's code can handle.
 */
export class HeldTask {
  private taskToken: Uint8Array | null;
  private timer: NodeJS.Timeout | undefined;
  private prolonging: Promise<void> = Promise.resolve();

  constructor(
    private readonly client: Pick<FirstTaskClient, 'respondCompleted' | 'respondFailed'>,
    task: WorkflowTask,
    private readonly options: HeldTaskOptions,
  ) {
    this.taskToken = task.taskToken ?? null;
    this.prolongLater(options.startedAt);
  }

  /** Call it before the first completion: the task is prolonged no longer. */
  async stopProlonging(): Promise<void> {
    clearTimeout(this.timer);
    await this.prolonging;
    clearTimeout(this.timer);
  }

  /** Has no effect if the task is lost. If something arrived meanwhile, Temporal gives the task to a worker instead. */
  async complete({ commands = [], messages = [], goesOn = false, next = null }: Completion): Promise<void> {
    const { taskToken } = this;
    if (taskToken === null) return;
    this.taskToken = null;
    try {
      await this.client.respondCompleted({
        taskToken,
        commands: [...commands],
        messages: [...messages],
        sdkMetadata: this.options.metadata,
        forceCreateNewWorkflowTask: goesOn,
        stickyAttributes: next,
      });
    } catch (error) {
      if (!isTakenOver(error)) throw error;
    }
  }

  private prolongLater(since: number): void {
    const pauseMs = since + PROLONG_AFTER * this.options.timeoutMs - Date.now();
    this.timer = setTimeout(
      () => {
        this.prolonging = this.prolong().catch(() => this.lose());
      },
      Math.max(pauseMs, 0),
    );
    this.timer.unref();
  }

  private async prolong(): Promise<void> {
    const { taskToken } = this;
    if (taskToken === null) return;
    const since = Date.now();
    const next = await this.client.respondCompleted({
      taskToken,
      commands: [],
      sdkMetadata: this.options.metadata,
      forceCreateNewWorkflowTask: true,
      returnNewWorkflowTask: true,
    });
    if (!next?.taskToken) return this.lose();
    this.taskToken = next.taskToken;
    if (!this.options.hasNews(next)) return this.prolongLater(since);
    this.lose();
    await this.client.respondFailed(
      next.taskToken,
      'a signal or an update arrived; a worker takes over the task',
    );
  }

  private lose(): void {
    if (this.taskToken === null) return;
    this.taskToken = null;
    this.options.onLost();
  }
}

/** Whether anything happened to a run in its first task. */
export function hasAnyNews({ history, messages }: WorkflowTask): boolean {
  return (
    (messages ?? []).length > 0 || (history?.events ?? []).some(({ eventType }) => !OWN_EVENTS.has(eventType))
  );
}

/** The task timed out, or a signal that arrived meanwhile keeps the workflow from ending. */
function isTakenOver(error: unknown): boolean {
  return isGrpcServiceError(error) && [NOT_FOUND, INVALID_ARGUMENT].includes(Number(error.code));
}
