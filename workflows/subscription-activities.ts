import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';

/** One short transaction each: tried until the database takes it. */
export const subscriptionSteps = proxyActivities<Activities>({
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '60 seconds' },
});
