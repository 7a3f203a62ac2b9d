import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities';

/** Steps that send to a gateway. A lost worker is noticed by its missing heartbeats; the attempt row keeps a retry from sending again. */
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

/** Questions to a gateway, which move no money. One that fails is put again by the workflow's own schedule. */
export const inquiries = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '5 seconds', maximumAttempts: 5 },
});

/** What only the database has to take. */
export const records = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds', maximumAttempts: 500 },
});
