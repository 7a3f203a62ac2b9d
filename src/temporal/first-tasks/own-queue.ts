import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { msToTs } from '@temporalio/common/lib/time';
import type { temporal } from '@temporalio/proto';
import { toTaskQueue, type FirstTaskClient, type OwnQueue } from './first-task-client';
import type { WaitingRun } from './task-step';
import type { WorkflowTask } from './workflow-task';

type StickyAttributes = temporal.api.taskqueue.v1.IStickyExecutionAttributes;
type Client = Pick<FirstTaskClient, 'pollOwnTask' | 'closeOwnQueue'>;

interface Log {
  warn(fields: object, message: string): void;
}

/** How long a task waits for this process before any worker gets it. Temporal gives it to a worker at once if nobody polls. */
const TAKE_WITHIN_MS = 2_000;
const POLLS_AT_ONCE = 2;
/** More runs are left to the workers; those that have waited longest are forgotten first. */
const MOST_WAITING = 10_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;
/** A server that is about to stop answers polls at once. */
const PAUSE_AFTER_NONE_MS = 100;

/**
 * The runs that wait after a task that this process made, and the task queue by which Temporal gives it their next ones: Temporal's
 * "sticky" queue, which every SDK uses for the runs in its cache.
 */
export class OwnTaskQueue {
  private readonly queue: OwnQueue;
  private readonly runs = new Map<string, WaitingRun>();
  private readonly stopping = new AbortController();
  private polls: Promise<unknown> | undefined;
  private failedPolls = 0;

  /** @param handle called with each task, and with its run if it is known; must not reject */
  constructor(
    private readonly client: Client,
    taskQueue: string,
    private readonly handle: (task: WorkflowTask, run: WaitingRun | null) => void,
    private readonly log: Log,
  ) {
    this.queue = { name: `${taskQueue}-${randomUUID()}`, normalName: taskQueue };
  }

  /** Keeps a run that is about to wait. Returns what makes Temporal give its next task to this process; null for a worker. */
  keep(runId: string, run: WaitingRun): StickyAttributes | null {
    if (this.stopping.signal.aborted || this.failedPolls > 0) return null;
    this.polls ??= this.pollUntilStopped();
    this.runs.set(runId, run);
    const [longest] = this.runs.keys();
    if (this.runs.size > MOST_WAITING && longest !== undefined) this.runs.delete(longest);
    return {
      workerTaskQueue: toTaskQueue(this.queue),
      scheduleToStartTimeout: msToTs(TAKE_WITHIN_MS),
    };
  }

  /** Leaves the runs to the workers. */
  async stop(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    this.stopping.abort();
    this.runs.clear();
    if (this.polls === undefined) return;
    await this.polls;
    await this.client.closeOwnQueue(this.queue).catch((error: unknown) => {
      this.log.warn({ err: error }, 'task queue not closed; its tasks go to the workers some seconds late');
    });
  }

  private async pollUntilStopped(): Promise<void> {
    await Promise.all(Array.from({ length: POLLS_AT_ONCE }, () => this.poll()));
  }

  private async poll(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        const task = await this.pollOnce();
        this.failedPolls = 0;
        if (task === null) await this.pause(PAUSE_AFTER_NONE_MS);
        else this.take(task);
      } catch (error) {
        if (signal.aborted) return;
        this.failedPolls += 1;
        this.log.warn({ err: error }, 'no tasks of waiting runs are taken; workers take them');
        await this.pause(PAUSE_AFTER_FAILURE_MS);
      }
    }
  }

  /** With a signal of its own: the connection leaves its listeners on it. */
  private async pollOnce(): Promise<WorkflowTask | null> {
    const poll = new AbortController();
    const abort = (): void => poll.abort();
    this.stopping.signal.addEventListener('abort', abort, { once: true });
    try {
      return await this.client.pollOwnTask(this.queue, poll.signal);
    } finally {
      this.stopping.signal.removeEventListener('abort', abort);
    }
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal, ref: false }).catch(() => undefined);
  }

  private take(task: WorkflowTask): void {
    // Temporal asks a worker when this is not answered: only the workflow's code can.
    if (task.query) return;
    const runId = task.workflowExecution?.runId ?? '';
    const run = this.runs.get(runId) ?? null;
    this.runs.delete(runId);
    this.handle(task, run);
  }
}
