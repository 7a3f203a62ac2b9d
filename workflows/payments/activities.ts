import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities';

/** Activities that send to a gateway. Missing heartbeats reveal a lost worker; the attempt row prevents a retry from sending again. */
export const chargeActivities = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '5 seconds',
  retry: {
    initialInterval: '200 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '10 seconds',
    maximumAttempts: 500,
  },
});

/** Inquiries to a gateway, which move no money. The workflow's schedule repeats one that fails. */
export const inquiryActivities = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '5 seconds', maximumAttempts: 5 },
});

/** Activities that use only the database. */
export const databaseActivities = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds', maximumAttempts: 500 },
});
