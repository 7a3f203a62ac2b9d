import {
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  isGrpcServiceError,
} from '@temporalio/client';

/**
 * Whether an update call ended without a result: the deadline passed, Temporal could not be reached, or the run ended
 * before the update completed. The workflow may still carry out the request, so callers must not report a failure.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  return (
    error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
    error instanceof WorkflowUpdateFailedError ||
    isGrpcServiceError(error) ||
    (error instanceof Error && isGrpcServiceError(error.cause))
  );
}

/** The result of the call, or `pending` if its outcome is unknown (`isOutcomeUnknown`). Rethrows other errors. */
export async function pendingOnTimeout<T>(call: () => Promise<T>): Promise<T | 'pending'> {
  try {
    return await call();
  } catch (error) {
    if (isOutcomeUnknown(error)) return 'pending';
    throw error;
  }
}
