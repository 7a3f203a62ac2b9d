import {
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  isGrpcServiceError,
} from '@temporalio/client';

/**
 * Whether waiting for a workflow's answer ended without one: the deadline passed, Temporal was not reached, or the run
 * ended under the update. What was asked for may still happen, so this is never told as a failure of it.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  return (
    error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
    error instanceof WorkflowUpdateFailedError ||
    isGrpcServiceError(error) ||
    (error instanceof Error && isGrpcServiceError(error.cause))
  );
}
