import { proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities';

/** Retried until the database is available. */
const retry = {
  initialInterval: '200 milliseconds',
  backoffCoefficient: 2,
  maximumInterval: '60 seconds',
} as const;

/**
 * Each is one short transaction. As local activities they halve the load on the Temporal server, which matters when
 * thousands of subscriptions renew at once. Retries after `localRetryThreshold` use server timers.
 */
export const localActivities = proxyLocalActivities<Activities>({
  startToCloseTimeout: '15 seconds',
  retry,
  localRetryThreshold: '2 seconds',
});
