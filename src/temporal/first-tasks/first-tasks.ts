import type { WorkflowStartOptions } from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import type { AfterFirstTask } from '../../../workflows/shared/first-task';
import { noSpans, runWithin, type Spans } from '../../tracing/spans';
import { traceparentOf } from '../tracing-interceptors';
import type { FirstTaskClient } from './first-task-client';
import { HeldTask } from './held-task';

/** The local activity of a first task, and what follows from its result. */
export interface FirstTaskWork<Result> {
  readonly activity: string;
  readonly summary: string;
  readonly run: () => Promise<Result>;
  /** @param now epoch ms */
  readonly after: (result: Result, now: number) => AfterFirstTask;
  /** Called if a worker gets the task while the activity runs here. */
  readonly onLost?: () => void;
}

type StartOptions<T extends Workflow> = WorkflowStartOptions<T> & {
  /** In ms. */
  readonly workflowTaskTimeout: number;
};

interface StartedWorkflow {
  readonly workflowId: string;
  readonly workflowType: string;
  /** The span of the start; undefined without one. */
  readonly traceparent: string | undefined;
}

interface Log {
  warn(fields: object, message: string): void;
}

/**
 * Makes the first tasks of workflows in this process, without the SDK's worker: it runs their one local activity, and sends Temporal
 * the commands that the workflow's code would make of its result (docs/decisions/first-tasks.md). What it cannot finish like this, a
 * worker goes on with from the history.
 */
export class FirstTasks {
  /** From their start on. */
  private readonly inProgress = new Set<Promise<unknown>>();

  constructor(
    private readonly client: FirstTaskClient,
    private readonly log: Log,
    private readonly spans: Spans = noSpans,
  ) {}

  /** How many tasks are in progress. */
  get size(): number {
    return this.inProgress.size;
  }

  /** Starts the workflow and begins its first task. False if a worker has it, or gets it. */
  async start<T extends Workflow, Result>(
    workflowType: string,
    options: StartOptions<T>,
    work: FirstTaskWork<Result>,
  ): Promise<boolean> {
    const { workflowId, workflowTaskTimeout: timeoutMs } = options;
    const { onLost = () => undefined } = work;
    const startedAt = Date.now();
    const started = await this.track(
      this.client.withDeadline(startedAt + timeoutMs, () =>
        this.client.startForTask<T>(workflowType, options),
      ),
    );
    if (started === null) return false;
    const held = new HeldTask(this.client, started.task, { timeoutMs, startedAt, onLost });
    const workflow = { workflowId, workflowType, traceparent: traceparentOf(started.headers) };
    void this.track(
      this.perform(held, workflow, work).catch((error: unknown) => {
        this.log.warn({ err: error }, 'first task not completed; a worker takes it over after its timeout');
      }),
    );
    return true;
  }

  /** Resolves when the tasks in progress have ended. Start no others. */
  async settled(): Promise<void> {
    while (this.inProgress.size > 0) await Promise.allSettled(this.inProgress);
  }

  private track<Result>(step: Promise<Result>): Promise<Result> {
    this.inProgress.add(step);
    const remove = (): void => void this.inProgress.delete(step);
    step.then(remove, remove);
    return step;
  }

  private async perform<Result>(
    held: HeldTask,
    workflow: StartedWorkflow,
    { activity, summary, run, after }: FirstTaskWork<Result>,
  ): Promise<void> {
    const scheduledAt = Date.now();
    let result: Result;
    try {
      result = await runWithin(this.startSpan(activity, workflow), run);
    } catch {
      // The activity has logged it. A worker runs it again.
      await held.stopProlonging();
      return held.complete([], { goesOn: true });
    }
    const endedAt = Date.now();
    await held.stopProlonging();
    const next = after(result, endedAt);
    if (next.kind === 'handed_over' && !next.keepsResult) return held.complete([], { goesOn: true });
    const ended = { type: activity, summary, result, scheduledAt, endedAt };
    const commands = await this.client.payloadsOf(workflow.workflowId).commands(ended, next);
    await held.complete(commands, { goesOn: next.kind === 'handed_over' });
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
