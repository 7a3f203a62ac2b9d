import type { NativeConnection } from '@temporalio/worker';
import { Worker } from '@temporalio/worker';
import { LRUCache } from 'lru-cache';
import { createActivities, type ActivityDeps } from '../activities';
import { failNotAttempted } from '../activities/claim-attempt';
import type { Parts } from './compose';
import type { Config } from './config';
import type { GatewaySlug } from './domain/gateway-slug';
import { GatewayHttp } from './gateways/http';
import type { Logger } from './log';
import { Sweeper } from './sweeper';
import { PaymentWorkflows } from './temporal/payments';
import { RecipientWorkflows } from './temporal/recipients';

/** Bounds recovery after a worker's death: how long a workflow waits for the worker that knew it. */
const STICKY_TIMEOUT = '2 seconds';
/** Below the activities' heartbeat timeout of 5 s, or heartbeats would be held back longer than that. */
const HEARTBEAT_THROTTLE = '1 second';
/** Companies whose client_id is remembered; it never changes. */
const KNOWN_COMPANIES = 10_000;

/** What activities work with, for one worker process. */
export function composeActivityDeps(config: Config, parts: Parts, log: ActivityDeps['log']): ActivityDeps {
  return {
    ...parts,
    http: new GatewayHttp(),
    settings: config.payments,
    platformSlugs: platformSlugs(parts),
    log,
  };
}

export function composeWorker(
  config: Config,
  parts: Parts,
  deps: ActivityDeps,
  connection: NativeConnection,
  bundlePath: string,
): Promise<Worker> {
  const { namespace, taskQueue, workflowCacheSize, concurrency, shutdownGraceMs } = config.temporal;
  return Worker.create({
    connection,
    namespace,
    taskQueue,
    dataConverter: parts.dataConverter,
    workflowBundle: { codePath: bundlePath },
    activities: createActivities(deps),
    maxCachedWorkflows: workflowCacheSize,
    maxConcurrentActivityTaskExecutions: concurrency,
    maxConcurrentWorkflowTaskExecutions: concurrency,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    // Long enough for a gateway call under way to end: the default of 0 would cut it off at every deploy.
    shutdownGraceTime: shutdownGraceMs,
    shutdownForceTime: shutdownGraceMs + 1_000,
  });
}

export function composeSweeper(
  config: Config,
  parts: Parts,
  deps: ActivityDeps,
  log: Pick<Logger, 'warn'>,
): Sweeper {
  const payments = new PaymentWorkflows(parts.temporal, config.temporal.taskQueue);
  const recipients = new RecipientWorkflows(parts.temporal, config.temporal.taskQueue);
  return new Sweeper({
    takeOverduePayments: (limit) => parts.payments.takeOverdue(limit, parts.now()),
    startPayment: (payment) => payments.ensureStarted(payment),
    failNotAttempted: ({ transactionId }) => failNotAttempted(deps, transactionId),
    startOverdueSubAccounts: async (limit) => {
      const overdue = await parts.subAccounts.overdueSubAccounts(limit);
      await Promise.all(overdue.map((subAccount) => recipients.ensureStarted(subAccount)));
    },
    sweepExpiredCvvs: (limit) => parts.vault.sweep(limit),
    now: parts.now,
    log,
  });
}

/** The platform's gateways are offered by client_id, and activities know a company by its number. */
function platformSlugs({ companies, registry }: Parts): (companyId: number) => Promise<GatewaySlug[]> {
  const clientIds = new LRUCache<number, string>({ max: KNOWN_COMPANIES });
  return async (companyId) => {
    if (!registry.hasPlatformCompanies) return [];
    const clientId = clientIds.get(companyId) ?? (await companies.clientIdOf(companyId));
    clientIds.set(companyId, clientId);
    return registry.platformSlugs(clientId);
  };
}
