import type { WorkflowStartOptions } from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import { noSpans, runWithin, type Spans } from '../../tracing/spans';
import { traceparentOf } from '../tracing-interceptors';
import type { FirstTaskClient } from './first-task-client';
import { FIRST_METADATA, hasAnyNews, HeldTask } from './held-task';
import { OwnTaskQueue } from './own-queue';
import { bringsMore, flagsOf, readNews, type TaskNews } from './task-news';
import type { EndedStep, StartedWorkflow, TaskStep, WaitingRun } from './task-step';
import type { WorkflowTask } from './workflow-task';

type StartOptions<T extends Workflow> = WorkflowStartOptions<T> & {
  /** In ms. */
  readonly workflowTaskTimeout: number;
};

interface Log {
  warn(fields: object, message: string): void;
}

const ignore = (): void => undefined;

/**
 * Makes the first tasks of workflows in this process, without the SDK's worker: it runs their one local activity, and sends Temporal
 * the commands that the workflow's code would make of its result (docs/decisions/first-tasks.md). Of a run that waits then, it also
 * makes the task that ends it. What it cannot finish like this, a worker goes on with from the history.
 */
export class FirstTasks {
  /** From their start on. */
  private readonly inProgress = new Set<Promise<unknown>>();
  private readonly ownQueue: OwnTaskQueue;

  /** @param taskQueue of the workers */
  constructor(
    private readonly client: FirstTaskClient,
    taskQueue: string,
    private readonly log: Log,
    private readonly spans: Spans = noSpans,
  ) {
    const handle = (task: WorkflowTask, run: WaitingRun | null): void => this.finishLater(task, run);
    this.ownQueue = new OwnTaskQueue(client, taskQueue, handle, log);
  }

  /** How many tasks are in progress. */
  get size(): number {
    return this.inProgress.size;
  }

  /**
   * Starts the workflow and begins its first task. False if a worker has it, or gets it.
   *
   * @param onLost called if a worker gets the task while the activity runs here
   */
  async start<T extends Workflow>(
    workflowType: string,
    options: StartOptions<T>,
    step: TaskStep,
    onLost: () => void = ignore,
  ): Promise<boolean> {
    const { workflowId, workflowTaskTimeout: timeoutMs } = options;
    const startedAt = Date.now();
    const started = await this.track(
      this.client.withDeadline(startedAt + timeoutMs, () =>
        this.client.startForTask<T>(workflowType, options),
      ),
    );
    if (started === null) return false;
    const { task, headers } = started;
    const own = { hasNews: hasAnyNews, metadata: FIRST_METADATA };
    const held = new HeldTask(this.client, task, { timeoutMs, startedAt, onLost, ...own });
    const workflow = { workflowId, workflowType, traceparent: traceparentOf(headers), timeoutMs };
    this.finish(this.performFirst(held, runIdOf(task), workflow, step));
    return true;
  }

  /** Resolves when the tasks in progress have ended. Start no others. */
  async settled(): Promise<void> {
    const closed = this.ownQueue.stop();
    while (this.inProgress.size > 0) await Promise.allSettled(this.inProgress);
    await closed;
  }

  private track<Result>(step: Promise<Result>): Promise<Result> {
    this.inProgress.add(step);
    const remove = (): void => void this.inProgress.delete(step);
    step.then(remove, remove);
    return step;
  }

  private finish(task: Promise<void>): void {
    void this.track(
      task.catch((error: unknown) => {
        this.log.warn({ err: error }, 'task not completed; a worker takes it over after its timeout');
      }),
    );
  }

  private async performFirst(
    held: HeldTask,
    runId: string,
    workflow: StartedWorkflow,
    step: TaskStep,
  ): Promise<void> {
    const made = await this.run(held, workflow, step);
    if (made === null) return held.complete({ goesOn: true });
    const next = made.after(made.endedAt);
    if (next.kind === 'handed_over' && !next.keepsResult) return held.complete({ goesOn: true });
    const answer = await this.client.payloadsOf(workflow.workflowId).first(made, next);
    if (next.kind !== 'waiting' || made.later === undefined)
      return held.complete({ ...answer, goesOn: next.kind === 'handed_over' });
    const run = { workflow, waitSummary: next.timer.summary, later: made.later };
    await held.complete({ ...answer, next: this.ownQueue.keep(runId, run) });
  }

  /** Makes the task that something has brought to a run that waits. */
  private finishLater(task: WorkflowTask, run: WaitingRun | null): void {
    const news = readNews(task);
    const timeoutMs = run?.workflow.timeoutMs ?? 0;
    // The newest message about an update is the one to answer.
    let latest = news;
    const hasNews = (prolonged: WorkflowTask): boolean => {
      latest = readNews(prolonged) ?? latest;
      return news === null || bringsMore(prolonged, news);
    };
    const held = new HeldTask(this.client, task, {
      timeoutMs,
      startedAt: Date.now(),
      onLost: ignore,
      hasNews,
      metadata: { langUsedFlags: news === null ? [] : flagsOf(news) },
    });
    this.finish(
      run === null || news === null
        ? this.handOver(held)
        : this.performLater(held, run, news, () => latest ?? news),
    );
  }

  private async performLater(
    held: HeldTask,
    { workflow, waitSummary, later }: WaitingRun,
    news: TaskNews,
    latest: () => TaskNews,
  ): Promise<void> {
    const payloads = this.client.payloadsOf(workflow.workflowId);
    const args = news.kind === 'update' ? await payloads.decode(news.request.input?.args?.payloads) : [];
    const step = later(news, args);
    if (step === null) return this.handOver(held);
    const traceparent = traceparentOf(news.headers) ?? workflow.traceparent;
    const made = await this.run(held, { ...workflow, traceparent }, step);
    if (made === null) return held.complete({ goesOn: true });
    const next = made.after(made.endedAt);
    if (next.kind === 'handed_over' && !next.keepsResult) return held.complete({ goesOn: true });
    const answer = await payloads.later(made, next, { news: latest(), waitSummary });
    await held.complete({ ...answer, goesOn: next.kind === 'handed_over' });
  }

  private async handOver(held: HeldTask): Promise<void> {
    await held.stopProlonging();
    await held.complete({ goesOn: true });
  }

  /** Null if the activity failed, which has logged it: a worker runs it again. */
  private async run(held: HeldTask, workflow: StartedWorkflow, step: TaskStep) {
    const scheduledAt = Date.now();
    let ended: EndedStep;
    try {
      ended = await runWithin(this.startSpan(step.activity, workflow), step.run);
    } catch {
      await held.stopProlonging();
      return null;
    }
    const endedAt = Date.now();
    await held.stopProlonging();
    return { ...ended, type: step.activity, summary: step.summary, scheduledAt, endedAt };
  }

  /** The same span as that of an activity in a worker. */
  private startSpan(
    activity: string,
    { workflowId, workflowType, traceparent }: StartedWorkflow,
  ): ReturnType<Spans['start']> {
    const attributes = {
      activity,
      activity_attempt: 1,
      activity_is_local: true,
      workflow_type: workflowType,
      workflow_id: workflowId,
    };
    const parent = traceparent === undefined ? undefined : { traceparent, isOurs: true };
    return this.spans.start({ name: `activity ${activity}`, kind: 'consumer', attributes }, parent);
  }
}

function runIdOf({ workflowExecution }: WorkflowTask): string {
  return workflowExecution?.runId ?? '';
}
