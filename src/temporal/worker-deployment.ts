import { isGrpcServiceError, type Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { setTimeout as delay } from 'node:timers/promises';
import { deliveryTaskQueue } from '../../workflows/messages';

/** A release whose workers Temporal knows. */
export interface DeployedBuild {
  readonly buildId: string;
  /** `draining`: runs that it began are open. `drained`: none is, so its workers can be stopped. */
  readonly state: 'current' | 'draining' | 'drained' | 'inactive';
}

const CALL_TIMEOUT_MS = 10_000;
const RETRY_INTERVAL_MS = 500;
/** Runs moved with one query of the visibility store. */
const PAGE = 100;
/** API processes poll for workflow tasks too, but only worker processes run regular activities. */
const ACTIVITY_TASKS = temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY;
/** gRPC status code, https://grpc.io/docs/guides/status-codes/ */
const NOT_FOUND = 5;

/**
 * The Worker Deployment of this service (https://docs.temporal.io/worker-versioning): its builds, of which one is current. New
 * runs begin on the current build; a pinned run stays on the build that began it. It is named after the task queue.
 */
export class WorkerDeployment {
  constructor(
    private readonly client: Client,
    private readonly taskQueue: string,
  ) {}

  /** The build on which new runs begin; null if there is none, so that only workers without a build get them. */
  async currentBuild(): Promise<string | null> {
    const info = await this.describe();
    return info?.routingConfig?.currentDeploymentVersion?.buildId || null;
  }

  /** Every build that Temporal knows, newest first. */
  async builds(): Promise<DeployedBuild[]> {
    const info = await this.describe();
    return (info?.versionSummaries ?? []).map(({ deploymentVersion, status }) => ({
      buildId: deploymentVersion?.buildId ?? '',
      state: stateOf(status),
    }));
  }

  /**
   * Makes a build the current one, as soon as its workers poll both task queues.
   *
   * @throws after `withinMs` if they do not; then the current build stays what it was
   */
  async promote(buildId: string, withinMs: number): Promise<void> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const missing = await this.queuesWithoutWorkers(buildId);
      if (missing.length === 0) break;
      if (Date.now() > deadline) throw new Error(`no worker of ${buildId} polls ${missing.join(' and ')}`);
      await delay(RETRY_INTERVAL_MS);
    }
    await this.call((service) =>
      service.setWorkerDeploymentCurrentVersion({
        namespace: this.client.options.namespace,
        deploymentName: this.taskQueue,
        buildId,
      }),
    );
  }

  /**
   * Moves the open runs of a build to the current one, which replays their histories: for runs that wait for days, so that the
   * build's workers need not wait with them. Returns how many it moved.
   *
   * @throws if the build is the current one
   */
  async moveOpenRuns(buildId: string, withinMs: number): Promise<number> {
    if ((await this.currentBuild()) === buildId) throw new Error(`${buildId} is the current build`);
    const deadline = Date.now() + withinMs;
    const moved = new Set<string>();
    for (;;) {
      const open = await this.pinnedRuns(buildId);
      if (open.length === 0) return moved.size;
      if (Date.now() > deadline) throw new Error(`runs of ${buildId} are still open`);
      const runs = open.filter(({ runId }) => !moved.has(runId));
      await Promise.all(runs.map((run) => this.moveRun(run)));
      for (const { runId } of runs) moved.add(runId);
      // The visibility store is eventually consistent.
      if (runs.length === 0) await delay(RETRY_INTERVAL_MS);
    }
  }

  private async queuesWithoutWorkers(buildId: string): Promise<string[]> {
    const queues = [this.taskQueue, deliveryTaskQueue(this.taskQueue)];
    try {
      const { versionTaskQueues } = await this.call((service) =>
        service.describeWorkerDeploymentVersion({
          namespace: this.client.options.namespace,
          deploymentVersion: { deploymentName: this.taskQueue, buildId },
        }),
      );
      return queues.filter(
        (queue) => !versionTaskQueues.some(({ name, type }) => name === queue && type === ACTIVITY_TASKS),
      );
    } catch (error) {
      if (isNotFound(error)) return queues;
      throw error;
    }
  }

  private async pinnedRuns(buildId: string): Promise<Array<{ workflowId: string; runId: string }>> {
    const { executions } = await this.call((service) =>
      service.listWorkflowExecutions({
        namespace: this.client.options.namespace,
        pageSize: PAGE,
        query: [
          `TemporalWorkerDeploymentVersion = "${this.taskQueue}:${buildId}"`,
          'TemporalWorkflowVersioningBehavior = "Pinned"',
          'ExecutionStatus = "Running"',
        ].join(' AND '),
      }),
    );
    return executions.map(({ execution }) => ({
      workflowId: execution?.workflowId ?? '',
      runId: execution?.runId ?? '',
    }));
  }

  /** A run that has closed meanwhile needs no move. */
  private async moveRun(workflowExecution: { workflowId: string; runId: string }): Promise<void> {
    try {
      await this.call((service) =>
        service.updateWorkflowExecutionOptions({
          namespace: this.client.options.namespace,
          workflowExecution,
          workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
          updateMask: { paths: ['versioning_override'] },
        }),
      );
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  private async describe() {
    try {
      const { workerDeploymentInfo } = await this.call((service) =>
        service.describeWorkerDeployment({
          namespace: this.client.options.namespace,
          deploymentName: this.taskQueue,
        }),
      );
      return workerDeploymentInfo;
    } catch (error) {
      // Workers with a build have never polled.
      if (isNotFound(error)) return null;
      throw error;
    }
  }

  private call<T>(use: (service: Client['workflowService']) => Promise<T>): Promise<T> {
    return this.client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () => use(this.client.workflowService));
  }
}

function stateOf(status: temporal.api.enums.v1.WorkerDeploymentVersionStatus | null | undefined) {
  const statuses = temporal.api.enums.v1.WorkerDeploymentVersionStatus;
  switch (status) {
    case statuses.WORKER_DEPLOYMENT_VERSION_STATUS_CURRENT:
      return 'current';
    case statuses.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINING:
      return 'draining';
    case statuses.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED:
      return 'drained';
    default:
      return 'inactive';
  }
}

function isNotFound(error: unknown): boolean {
  return isGrpcServiceError(error) && Number(error.code) === NOT_FOUND;
}
