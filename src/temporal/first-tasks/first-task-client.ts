import {
  WorkflowClient,
  type WorkflowClientOptions,
  type WorkflowService,
  type WorkflowStartInput,
  type WorkflowStartOptions,
  type WorkflowStartOutput,
} from '@temporalio/client';
import type { Headers, Workflow, WorkflowSerializationContext } from '@temporalio/common';
import { type temporal, temporal as proto } from '@temporalio/proto';
import { TaskPayloads } from './task-payloads';
import type { WorkflowTask } from './workflow-task';

type Respond = Omit<
  temporal.api.workflowservice.v1.IRespondWorkflowTaskCompletedRequest,
  'namespace' | 'identity' | 'deploymentOptions'
>;

export interface StartedTask {
  readonly task: WorkflowTask;
  /** Those that the workflow was started with. */
  readonly headers: Headers;
}

/** The build of this process in its deployment. */
export interface OwnBuild {
  readonly deploymentName: string;
  readonly buildId: string;
}

/** The task queue of one process, "sticky" in Temporal's words, for runs whose tasks all the others take from `normalName`. */
export interface OwnQueue {
  readonly name: string;
  readonly normalName: string;
}

const { TaskQueueKind, VersioningBehavior, WorkerVersioningMode, WorkflowTaskFailedCause } =
  proto.api.enums.v1;

/** A task that is not answered by then has timed out. */
const RESPOND_TIMEOUT_MS = 10_000;
/** Temporal answers a poll after a minute if no task came. */
const POLL_TIMEOUT_MS = 70_000;

/** Starts workflows so that Temporal returns the first workflow task with the start, and answers such tasks. */
export class FirstTaskClient extends WorkflowClient {
  /** By run id, from the response to the start until its caller takes it. */
  private readonly tasks = new Map<string, StartedTask>();

  /** @param build null if workers are not versioned */
  constructor(
    options: WorkflowClientOptions,
    private readonly build: OwnBuild | null,
  ) {
    super(options);
  }

  /** The first task of the workflow; null if it ran already, or if Temporal gives the task to a worker. */
  async startForTask<T extends Workflow>(
    workflowType: string,
    options: WorkflowStartOptions<T>,
  ): Promise<StartedTask | null> {
    const { firstExecutionRunId: runId } = await this.start<T>(workflowType, options);
    const task = this.tasks.get(runId) ?? null;
    this.tasks.delete(runId);
    return task;
  }

  payloadsOf(workflowId: string): TaskPayloads {
    const context: WorkflowSerializationContext = {
      type: 'workflow',
      namespace: this.options.namespace,
      workflowId,
    };
    return new TaskPayloads(this.dataConverter, context);
  }

  /** Completes a task; its response has the next task if `returnNewWorkflowTask` asks for it. */
  async respondCompleted(respond: Respond): Promise<WorkflowTask | null> {
    const request = {
      ...respond,
      ...this.sender,
      ...(this.build !== null && { versioningBehavior: VersioningBehavior.VERSIONING_BEHAVIOR_PINNED }),
    };
    const { workflowTask } = await this.withDeadline(Date.now() + RESPOND_TIMEOUT_MS, () =>
      this.service.respondWorkflowTaskCompleted(request),
    );
    return workflowTask ?? null;
  }

  /** Gives a task back, so that a worker gets it. */
  async respondFailed(taskToken: Uint8Array, message: string): Promise<void> {
    const cause = WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE;
    const request = { taskToken, cause, failure: { message }, ...this.sender };
    await this.withDeadline(Date.now() + RESPOND_TIMEOUT_MS, () =>
      this.service.respondWorkflowTaskFailed(request),
    );
  }

  /** Waits for a task of the queue, of which Temporal gives this process alone the tasks; null if none came. */
  async pollOwnTask(queue: OwnQueue, signal: AbortSignal): Promise<WorkflowTask | null> {
    const { namespace, identity, deploymentOptions } = this.sender;
    const request = { namespace, identity, deploymentOptions, taskQueue: toTaskQueue(queue) };
    const task = await this.connection.withAbortSignal(signal, () =>
      this.withDeadline(Date.now() + POLL_TIMEOUT_MS, () => this.service.pollWorkflowTaskQueue(request)),
    );
    return task.taskToken.length === 0 ? null : task;
  }

  /** Lets the workers have the tasks of the queue from now on. */
  async closeOwnQueue({ name }: OwnQueue): Promise<void> {
    const { namespace, identity } = this.sender;
    const request = { namespace, identity, stickyTaskQueue: name, reason: 'the process stops' };
    await this.withDeadline(Date.now() + RESPOND_TIMEOUT_MS, () => this.service.shutdownWorker(request));
  }

  protected override async _startWorkflowHandler(input: WorkflowStartInput): Promise<WorkflowStartOutput> {
    const request = await this.createStartWorkflowRequest(input);
    const { runId, eagerWorkflowTask } = await this.service.startWorkflowExecution({
      ...request,
      requestEagerExecution: true,
      eagerWorkerDeploymentOptions: this.deploymentOptions,
    });
    if (!eagerWorkflowTask) return { runId, eagerlyStarted: false };
    this.tasks.set(runId, { task: eagerWorkflowTask, headers: input.headers });
    return { runId, eagerlyStarted: true };
  }

  private get service(): WorkflowService {
    return this.connection.workflowService;
  }

  private get sender() {
    const { namespace, identity } = this.options;
    return { namespace, identity, deploymentOptions: this.deploymentOptions };
  }

  private get deploymentOptions() {
    return this.build === null
      ? null
      : { ...this.build, workerVersioningMode: WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED };
  }
}

export function toTaskQueue({ name, normalName }: OwnQueue): temporal.api.taskqueue.v1.ITaskQueue {
  return { name, normalName, kind: TaskQueueKind.TASK_QUEUE_KIND_STICKY };
}
