import { ApplicationFailure } from '@temporalio/common';
import type { Log } from './log';

/**
 * The one map from errors to Temporal failures. Every error is worth another try, within the activity's bounds: the
 * database comes back, and a bug gets mended while the payment waits. The cause goes to this process's log; a failure
 * in a history names only the error's class, since a library's message may quote what it was given.
 */
export function reportFailures(log: Log) {
  return <Args extends unknown[], Result>(
      name: string,
      activity: (...args: Args) => Promise<Result>,
    ): ((...args: Args) => Promise<Result>) =>
    async (...args) => {
      try {
        return await activity(...args);
      } catch (error) {
        if (error instanceof ApplicationFailure) throw error;
        log.error({ operation: name, err: error }, 'an activity failed and is tried again');
        const type = error instanceof Error ? error.name : 'UnknownError';
        throw ApplicationFailure.create({ message: `${type}, see the worker's log`, type });
      }
    };
}
