import { ApplicationFailure } from '@temporalio/common';

/**
 * The one map from errors to Temporal failures. Every error is worth another try, within the activity's bounds: the
 * database comes back, and a bug gets mended while the payment waits. The original message stays in this process's log:
 * a failure in a history names only the error's class.
 */
export function asActivityFailure<Args extends unknown[], Result>(
  activity: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    try {
      return await activity(...args);
    } catch (error) {
      if (error instanceof ApplicationFailure) throw error;
      const name = error instanceof Error ? error.name : 'UnknownError';
      throw ApplicationFailure.create({
        message: `${name}, see the worker's log`,
        type: name,
        ...cause(error),
      });
    }
  };
}

/** Errors of our own have messages written to be read; a library's may quote what it was given. */
function cause(error: unknown): { cause?: Error } {
  return error instanceof Error && error.constructor === Error ? { cause: error } : {};
}
