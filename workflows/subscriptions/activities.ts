import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities';

/** Tried until the database takes it. */
const retry = {
  initialInterval: '200 milliseconds',
  backoffCoefficient: 2,
  maximumInterval: '60 seconds',
} as const;
const startToCloseTimeout = '15 seconds';

/**
 * One short transaction each, made within the task of the workflow that asks for it: half the work for the server, and
 * for whoever pays beside thousands of renewals. A database that is away is waited for by the server's timers.
 */
export const localActivities = proxyLocalActivities<Activities>({
  startToCloseTimeout,
  retry,
  localRetryThreshold: '2 seconds',
});

/** The same for runs that began before steps were made within tasks. */
export const activities = proxyActivities<Activities>({ startToCloseTimeout, retry });
