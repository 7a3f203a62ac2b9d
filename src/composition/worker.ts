import { type NativeConnection, Worker } from '@temporalio/worker';
import { LRUCache } from 'lru-cache';
import { type ActivityDeps, createActivities, createDeliveryActivities } from '../../activities';
import { failNotAttempted } from '../../activities/payments/claim-attempt';
import { DeliveryLimiter } from '../../activities/webhooks/delivery-limiter';
import { deliveryTaskQueue } from '../../workflows/messages';
import { NotifyEndpointDisabled } from '../application/webhooks/notify-endpoint-disabled';
import type { Config } from '../config';
import { unusedSince } from '../domain/checkout/checkout-session';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import { GatewayHttp } from '../gateways/http';
import type { Logger } from '../log';
import { UserRepository } from '../persistence/companies/user-repository';
import { CounterRepository } from '../persistence/read-models/counter-repository';
import type { SubscriptionToWake } from '../persistence/subscriptions/subscription-repository';
import { SafeFetch } from '../security/safe-fetch';
import { Sweeper } from '../sweeper';
import { AfterCommitDispatcher } from '../temporal/after-commit-dispatcher';
import { type PaymentToStart, PaymentWorkflows } from '../temporal/payments';
import { RecipientWorkflows } from '../temporal/recipients';
import { SubscriptionWorkflows } from '../temporal/subscriptions';
import type { DeliveryWorkflows } from '../temporal/webhook-deliveries';
import { createDeliveryDispatcher, createDeliveryWorkflows } from './api-companies';
import type { AppContext } from './app-context';

/** Bounds recovery after a worker's death: how long a workflow waits for the worker that knew it. */
const STICKY_TIMEOUT = '2 seconds';
/** Below the activities' heartbeat timeout of 5 s, or heartbeats would be held back longer than that. */
const HEARTBEAT_THROTTLE = '1 second';
/** Companies whose client_id is remembered; it never changes. */
const KNOWN_COMPANIES = 10_000;

/** Of the deliveries that one process makes at once: a company whose receivers all sleep leaves four fifths to others. */
const COMPANY_SHARE = 1 / 5;
const ENDPOINT_SHARE = 1 / 20;
/** A quick receiver takes up a burst meanwhile. */
const WAIT_FOR_TURN_MS = 1_000;
/**
 * First attempts are made within workflow tasks; receivers known to be slow are kept out of them. More at once than a
 * busy machine gets done before the server gives a task up (10 s) would be made again and again.
 */
const AT_ONCE = 32;
const COMPANY_AT_ONCE = 16;

export interface WorkerDeps extends ActivityDeps {
  readonly safeFetch: SafeFetch;
  readonly deliveryWorkflows: DeliveryWorkflows;
  /** Until the calls for workflows that activities have begun are over. */
  readonly dispatchesSettled: () => Promise<void>;
}

/** What activities work with, for one worker process; `connection` is its workers', where it has any. */
export function createActivityDeps(
  config: Config,
  parts: AppContext,
  log: ActivityDeps['log'],
  connection?: NativeConnection,
): WorkerDeps {
  const { concurrency, retrySchedule, allowLoopback } = config.webhooks;
  const notifyDisabled = new NotifyEndpointDisabled({
    users: new UserRepository(parts.db),
    mailer: parts.mailer,
  });
  const deliveryWorkflows = createDeliveryWorkflows(config, parts, connection);
  const deliveryStarter = createDeliveryDispatcher(deliveryWorkflows, log);
  const subscriptions = new SubscriptionWorkflows(parts.temporal, config.temporal.taskQueue);
  const subscriptionWaker = new AfterCommitDispatcher<SubscriptionToWake>(
    (subscription) => subscriptions.wake(subscription),
    (error) => log.warn({ err: error }, 'a subscription is left to the sweeper'),
  );
  const payments = new PaymentWorkflows(parts.temporal, config.temporal.taskQueue);
  const paymentStarter = new AfterCommitDispatcher<PaymentToStart>(
    (payment) => payments.ensureStarted(payment),
    (error) => log.warn({ err: error }, 'a payment is left to the sweeper'),
  );
  return {
    ...parts,
    http: new GatewayHttp(),
    deliveryWorkflows,
    wakeSubscription: (subscription) => subscriptionWaker.start([subscription]),
    startPayment: (payment) => paymentStarter.start([payment]),
    dispatchesSettled: async () => {
      await Promise.all([deliveryStarter, subscriptionWaker, paymentStarter].map((each) => each.settled()));
    },
    subscriptionSettings: config.subscriptions,
    startDeliveries: (deliveries) => deliveryStarter.start(deliveries),
    safeFetch: new SafeFetch({ allowLoopback }),
    slots: new DeliveryLimiter({
      perEndpoint: Math.max(1, Math.floor(concurrency * ENDPOINT_SHARE)),
      perCompany: {
        activity: Math.max(1, Math.floor(concurrency * COMPANY_SHARE)),
        at_once: COMPANY_AT_ONCE,
      },
      waitMs: WAIT_FOR_TURN_MS,
    }),
    retrySchedule,
    notifyEndpointDisabled: (endpoint) => notifyDisabled.execute(endpoint),
    random: Math.random,
    settings: { ...config.payments, publicBaseUrl: config.publicBaseUrl },
    platformSlugs: platformSlugs(parts),
    log,
  };
}

export function createPaymentWorker(
  config: Config,
  parts: AppContext,
  deps: ActivityDeps,
  connection: NativeConnection,
  bundlePath: string,
): Promise<Worker> {
  const { taskQueue, concurrency } = config.temporal;
  return Worker.create({
    ...commonOptions(config, parts, connection, bundlePath),
    taskQueue,
    activities: createActivities(deps),
    maxConcurrentActivityTaskExecutions: concurrency,
    maxConcurrentWorkflowTaskExecutions: concurrency,
  });
}

/** Deliveries have slots of their own: receivers are slow in ways that gateways are not, and payments never wait for them. */
export function createDeliveryWorker(
  config: Config,
  parts: AppContext,
  deps: ActivityDeps,
  connection: NativeConnection,
  bundlePath: string,
): Promise<Worker> {
  const { taskQueue } = config.temporal;
  return Worker.create({
    ...commonOptions(config, parts, connection, bundlePath),
    taskQueue: deliveryTaskQueue(taskQueue),
    activities: createDeliveryActivities(deps),
    maxConcurrentActivityTaskExecutions: config.webhooks.concurrency,
    maxConcurrentLocalActivityExecutions: AT_ONCE,
    maxConcurrentWorkflowTaskExecutions: AT_ONCE,
  });
}

function commonOptions(config: Config, parts: AppContext, connection: NativeConnection, bundlePath: string) {
  const { namespace, workflowCacheSize, shutdownGraceMs } = config.temporal;
  return {
    connection,
    namespace,
    dataConverter: parts.dataConverter,
    workflowBundle: { codePath: bundlePath },
    maxCachedWorkflows: workflowCacheSize,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    // Long enough for a gateway call under way to end: the default of 0 would cut it off at every deploy.
    shutdownGraceTime: shutdownGraceMs,
    shutdownForceTime: shutdownGraceMs + 1_000,
  } as const;
}

export function createSweeper(
  config: Config,
  parts: AppContext,
  deps: WorkerDeps,
  log: Pick<Logger, 'warn'>,
): Sweeper {
  const payments = new PaymentWorkflows(parts.temporal, config.temporal.taskQueue);
  const recipients = new RecipientWorkflows(parts.temporal, config.temporal.taskQueue);
  const subscriptions = new SubscriptionWorkflows(parts.temporal, config.temporal.taskQueue);
  const counters = new CounterRepository(parts.db);
  return new Sweeper({
    takeOverduePayments: (limit) => parts.payments.takeOverdue(limit, parts.now()),
    // One that has left `processing` may have a run that waits: it is told to look.
    startPayment: (payment) =>
      payment.status === 'processing' ? payments.ensureStarted(payment) : payments.wake(payment),
    wakeForCallbacks: async (limit) => {
      const asleep = await parts.callbacks.takeOverdue(limit, parts.now());
      await Promise.all(asleep.map((payment) => payments.wake(payment)));
    },
    failNotAttempted: ({ transactionId }) => failNotAttempted(deps, transactionId),
    wakeOverdueSubscriptions: async (limit) => {
      const overdue = await parts.subscriptions.takeOverdue(limit, parts.now());
      await Promise.all(overdue.map((subscription) => subscriptions.wake(subscription)));
    },
    startOverdueSubAccounts: async (limit) => {
      const overdue = await parts.subAccounts.overdueSubAccounts(limit);
      await Promise.all(overdue.map((subAccount) => recipients.ensureStarted(subAccount)));
    },
    startOverdueDeliveries: async (limit) => {
      const overdue = await parts.deliveries.takeOverdue(limit, parts.now());
      await Promise.all(overdue.map((delivery) => deps.deliveryWorkflows.ensureStarted(delivery)));
    },
    sweepExpiredCvvs: (limit) => parts.vault.sweep(limit),
    eraseUnusedSessions: (limit) => parts.checkoutSessions.eraseUnused(limit, unusedSince(parts.now())),
    foldCounters: (limit) => counters.fold(limit),
    now: parts.now,
    log,
  });
}

/** The platform's gateways are offered by client_id, and activities know a company by its number. */
function platformSlugs({ companies, registry }: AppContext): (companyId: number) => Promise<GatewaySlug[]> {
  const clientIds = new LRUCache<number, string>({ max: KNOWN_COMPANIES });
  return async (companyId) => {
    if (!registry.hasPlatformCompanies) return [];
    const clientId = clientIds.get(companyId) ?? (await companies.clientIdOf(companyId));
    clientIds.set(companyId, clientId);
    return registry.platformSlugs(clientId);
  };
}
