import type { AfterTask } from '../../../workflows/shared/first-task';
import type { TaskNews } from './task-news';

/** The local activity of a task. */
export interface TaskStep {
  readonly activity: string;
  readonly summary: string;
  readonly run: () => Promise<EndedStep>;
}

/** What followed from the activity. */
export interface EndedStep {
  readonly result: unknown;
  /** @param now epoch ms */
  readonly after: (now: number) => AfterTask;
  /** How this process makes the next task of a run that waits; left out if a worker makes it. */
  readonly later?: LaterSteps;
}

/**
 * The step by which a run handles what a task has brought; null for what only the workflow's code can handle.
 *
 * @param args of the update
 */
export type LaterSteps = (news: TaskNews, args: readonly unknown[]) => TaskStep | null;

/** A workflow that this process started. */
export interface StartedWorkflow {
  readonly workflowId: string;
  readonly workflowType: string;
  /** The span of the start; undefined without one. */
  readonly traceparent: string | undefined;
  /** Of its workflow tasks. */
  readonly timeoutMs: number;
}

/** A run that waits after a task that this process made. */
export interface WaitingRun {
  readonly workflow: StartedWorkflow;
  /** Of the timer by which it waits. */
  readonly waitSummary: string;
  readonly later: LaterSteps;
}
