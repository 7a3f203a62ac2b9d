import type { SearchAttributeUpdatePair } from '@temporalio/common';

/**
 * What a workflow does after the local activity of a task, for a process that makes that task without the SDK's worker
 * (docs/decisions/first-tasks.md). It must be what the workflow's code does: a test compares the histories.
 */
export type AfterTask =
  | {
      readonly kind: 'completed';
      readonly attributes: readonly SearchAttributeUpdatePair[];
      readonly result: unknown;
    }
  | {
      readonly kind: 'waiting';
      readonly attributes: readonly SearchAttributeUpdatePair[];
      readonly timer: { readonly ms: number; readonly summary: string };
    }
  /**
   * A worker runs the workflow's code. It runs the local activity again, which finds what was committed, unless the result is kept
   * because nothing else has it.
   */
  | { readonly kind: 'handed_over'; readonly keepsResult: boolean };

export const HANDED_OVER: AfterTask = { kind: 'handed_over', keepsResult: false };
export const KEEPS_RESULT: AfterTask = { kind: 'handed_over', keepsResult: true };
