import { proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities';

/** Retried until the database is available. */
const retry = {
  initialInterval: '200 milliseconds',
  backoffCoefficient: 2,
  maximumInterval: '60 seconds',
} as const;

/**
 * A step is some short transactions and, for a charge, the first request to a gateway. As a local activity it spares the
 * Temporal server most of a renewal, which matters when thousands of subscriptions renew at once. Retries after
 * `localRetryThreshold` use server timers.
 */
export const localActivities = proxyLocalActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  retry,
  localRetryThreshold: '2 seconds',
});
