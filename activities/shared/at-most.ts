import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

/**
 * Refuses calls while `limit` of them are in progress in this process. A local activity holds a slot of the worker that other
 * workflows need for their tasks, also while a gateway does not answer.
 *
 * @throws ApplicationFailure `Busy`: nothing was done
 */
export function atMost<Args extends unknown[], Result>(
  limit: number,
  activity: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  let inProgress = 0;
  return async (...args) => {
    if (inProgress >= limit) {
      throw ApplicationFailure.create({
        type: 'Busy',
        message: 'as many are in progress as this process may have',
        category: ApplicationFailureCategory.BENIGN,
        nonRetryable: true,
      });
    }
    inProgress += 1;
    try {
      return await activity(...args);
    } finally {
      inProgress -= 1;
    }
  };
}
