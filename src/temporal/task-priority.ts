import type { Priority } from '@temporalio/common';

/** Priority keys range from 1 (highest) to 5; the default is 3. */
const LOW_PRIORITY_KEY = 4;

/**
 * Task queue fairness by company, so that one company's backlog does not delay another's payments and webhooks
 * (https://docs.temporal.io/develop/task-queue-priority-fairness). It needs `matching.enableFairness` on the server.
 */
export function companyFairness(companyId: number): Priority {
  return { fairnessKey: String(companyId) };
}

/** Company fairness at a lower priority: one-off payments go before renewals. */
export function lowPriority(companyId: number): Priority {
  return { ...companyFairness(companyId), priorityKey: LOW_PRIORITY_KEY };
}
