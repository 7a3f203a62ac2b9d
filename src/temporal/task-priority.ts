import type { Priority } from '@temporalio/common';

/** Of 1 to 5, of which 3 is everybody's who says nothing. */
const BEHIND_PAYMENTS = 4;

/**
 * Where tasks pile up companies take turns, so that one company's burst does not keep another's payments, or what is to
 * be told of them, waiting (https://docs.temporal.io/develop/task-queue-priority-fairness). The server does so where
 * `matching.enableFairness` is on.
 */
export function companyFairness(companyId: number): Priority {
  return { fairnessKey: String(companyId) };
}

/** The same, but whoever stands at a till goes before all that recurs. */
export function lowPriority(companyId: number): Priority {
  return { ...companyFairness(companyId), priorityKey: BEHIND_PAYMENTS };
}
