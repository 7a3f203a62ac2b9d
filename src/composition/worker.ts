import { type ActivityInterceptorsFactory, type NativeConnection, Worker } from '@temporalio/worker';
import { LRUCache } from 'lru-cache';
import { type ActivityDeps, createActivities, createDeliveryActivities } from '../../activities';
import { failNotAttempted } from '../../activities/payments/claim-attempt';
import { postMissingEntries } from '../../activities/payments/ledger/post-missing-entries';
import { DeliveryLimiter } from '../../activities/webhooks/delivery-limiter';
import { deliveryTaskQueue } from '../../workflows/messages';
import { SendReceipts } from '../application/checkout/send-receipts';
import { NotifyDisputes } from '../application/disputes/notify-disputes';
import { NotifyRejectedCredentials } from '../application/companies/notify-rejected-credentials';
import { NotifyEndpointDisabled } from '../application/webhooks/notify-endpoint-disabled';
import type { Config } from '../config';
import { unusedSessionCutoff } from '../domain/checkout/checkout-session';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import { GatewayHttp } from '../gateways/http';
import { noFirstAttempts } from '../application/payments/first-attempts';
import { adoptParkedCallbacks } from '../application/payments/adopt-parked-callbacks';
import type { Logger } from '../log';
import { LedgerBalances } from '../persistence/ledger/ledger-balances';
import { UnpostedPayments } from '../persistence/ledger/unposted-payments';
import { UserRepository } from '../persistence/companies/user-repository';
import { CounterRepository } from '../persistence/read-models/counter-repository';
import { CardVerificationRepository } from '../persistence/customers/card-verification-repository';
import { deleteOldCallbackBodies } from '../persistence/retention/old-callback-bodies';
import { deleteOldEvents } from '../persistence/retention/old-events';
import { RetentionPasses } from '../persistence/retention/retention-passes';
import { HeldChargeRepository } from '../persistence/subscriptions/held-charge-repository';
import type { SafeFetch } from '../security/safe-fetch';
import { Sweeper } from '../sweeper';
import { deploymentOptions } from './deployment-options';
import { PaymentWorkflows } from '../temporal/payments';
import { DisputeWorkflows } from '../temporal/disputes';
import { RecipientWorkflows } from '../temporal/recipients';
import { SettlementWorkflows } from '../temporal/settlements';
import { SubscriptionWorkflows } from '../temporal/subscriptions';
import { tracedActivities } from './traced-activities';
import type { DeliveryWorkflows } from '../temporal/webhook-deliveries';
import { createDeliveryWorkflows } from './api-companies';
import type { AppContext } from './app-context';
import { createChargeSlots } from './charge-slots';
import { addDueSettlements } from './settlements/due-settlements';
import { createDispatchers } from './dispatchers';
import { createWebhookTransport } from './webhook-receivers';

/** After a worker crash, its cached workflows continue on another worker within this time. */
const STICKY_TIMEOUT = '2 seconds';
/** Must be below the activities' heartbeat timeout of 5 s, because the SDK may delay heartbeats by this long. */
const HEARTBEAT_THROTTLE = '1 second';
/** Size of the cache of client ids, which never change. */
const CLIENT_ID_CACHE_SIZE = 10_000;

/** Shares of the process's concurrent deliveries: a company whose receivers all hang leaves four fifths to others. */
const COMPANY_SHARE = 1 / 5;
const ENDPOINT_SHARE = 1 / 20;
/** Long enough for a fast receiver to work through a burst. */
const PERMIT_WAIT_MS = 1_000;
/**
 * First attempts run as local activities inside workflow tasks, except to receivers known to be slow. More of them than a
 * busy machine completes within the workflow task timeout (10 s) would be repeated again and again.
 */
export const LOCAL_ACTIVITY_CONCURRENCY = 32;
const COMPANY_LOCAL_ACTIVITIES = 16;

type DeliveryStarter = Pick<DeliveryWorkflows, 'ensureStarted'>;

export interface WorkerDeps extends ActivityDeps {
  readonly safeFetch: Pick<SafeFetch, 'post' | 'close'>;
  readonly deliveryWorkflows: DeliveryWorkflows;
  /** Resolves when the dispatchers' calls in flight have ended. */
  readonly dispatchesSettled: () => Promise<void>;
}

/** The activities' dependencies. */
export function createActivityDeps(
  config: Config,
  context: AppContext,
  log: ActivityDeps['log'],
  /** What makes the first attempts of webhook deliveries in this process; null while the workers make them. */
  findDeliveryStarter: () => DeliveryStarter | null = () => null,
): WorkerDeps {
  const { concurrency, retrySchedule } = config.webhooks;
  const deliveryWorkflows = createDeliveryWorkflows(config, context);
  const deliveryStarter: DeliveryStarter = {
    ensureStarted: (delivery) => (findDeliveryStarter() ?? deliveryWorkflows).ensureStarted(delivery),
  };
  const notifyDisabled = new NotifyEndpointDisabled({
    users: new UserRepository(context.db),
    mailer: context.mailer,
  });
  return {
    ...context,
    ...createDispatchers(config, context, deliveryStarter, log),
    http: new GatewayHttp(),
    callers: noFirstAttempts,
    deliveryWorkflows,
    subscriptionSettings: config.subscriptions,
    chargeSlots: createChargeSlots(config),
    safeFetch: createWebhookTransport(config, context),
    limiter: createDeliveryLimiter(concurrency),
    retrySchedule,
    notifyEndpointDisabled: (endpoint) => notifyDisabled.execute(endpoint),
    observeDelivery: (attempt) => context.metrics.webhookAttempted(attempt),
    random: Math.random,
    settings: { ...config.payments, publicBaseUrl: config.publicBaseUrl },
    platformSlugs: platformSlugs(context),
    log,
  };
}

function createDeliveryLimiter(concurrency: number): DeliveryLimiter {
  return new DeliveryLimiter({
    perEndpoint: Math.max(1, Math.floor(concurrency * ENDPOINT_SHARE)),
    perCompany: {
      activity: Math.max(1, Math.floor(concurrency * COMPANY_SHARE)),
      local: COMPANY_LOCAL_ACTIVITIES,
    },
    waitMs: PERMIT_WAIT_MS,
  });
}

/** What every worker of this service is made of. */
export interface WorkerParts {
  readonly config: Config;
  readonly context: AppContext;
  readonly deps: ActivityDeps;
  readonly connection: NativeConnection;
  readonly bundlePath: string;
}

export function createPaymentWorker(parts: WorkerParts): Promise<Worker> {
  const { taskQueue, concurrency } = parts.config.temporal;
  return Worker.create({
    ...commonOptions(parts),
    taskQueue,
    activities: createActivities(parts.deps),
    maxConcurrentActivityTaskExecutions: concurrency,
    maxConcurrentWorkflowTaskExecutions: concurrency,
  });
}

/** A separate worker with its own task slots, so that slow webhook receivers never delay payments. */
export function createDeliveryWorker(parts: WorkerParts): Promise<Worker> {
  const { temporal, webhooks } = parts.config;
  return Worker.create({
    ...commonOptions(parts),
    taskQueue: deliveryTaskQueue(temporal.taskQueue),
    activities: createDeliveryActivities(parts.deps),
    maxConcurrentActivityTaskExecutions: webhooks.concurrency,
    maxConcurrentLocalActivityExecutions: LOCAL_ACTIVITY_CONCURRENCY,
    maxConcurrentWorkflowTaskExecutions: LOCAL_ACTIVITY_CONCURRENCY,
  });
}

/** The options of every worker of this service. */
export function commonOptions({ config, context, connection, bundlePath }: WorkerParts) {
  const { namespace, workflowCacheSize, shutdownGraceMs, taskQueue, buildId } = config.temporal;
  const interceptors = { activity: [countingRetries(context.metrics), ...tracedActivities(context.spans)] };
  return {
    connection,
    namespace,
    dataConverter: context.dataConverter,
    workflowBundle: { codePath: bundlePath },
    maxCachedWorkflows: workflowCacheSize,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    // Lets gateway calls in flight finish; the default of 0 would interrupt them at every deployment.
    shutdownGraceTime: shutdownGraceMs,
    shutdownForceTime: shutdownGraceMs + 1_000,
    interceptors,
    ...deploymentOptions(taskQueue, buildId),
  } as const;
}

function countingRetries(metrics: AppContext['metrics']): ActivityInterceptorsFactory {
  return ({ info: { activityType, attempt } }) => {
    if (attempt > 1) metrics.activityRetried(activityType);
    return {};
  };
}

export function createSweeper(
  config: Config,
  context: AppContext,
  deps: WorkerDeps,
  log: Pick<Logger, 'warn'>,
): Sweeper {
  const payments = new PaymentWorkflows(context.temporal, config.temporal.taskQueue);
  const disputes = new DisputeWorkflows(context.temporal, config.temporal.taskQueue);
  const settlements = new SettlementWorkflows(context.temporal, config.temporal.taskQueue);
  const recipients = new RecipientWorkflows(context.temporal, config.temporal.taskQueue);
  const subscriptions = new SubscriptionWorkflows(context.temporal, config.temporal.taskQueue);
  const counters = new CounterRepository(context.db);
  const { retention } = config;
  const passes = new RetentionPasses(context.db);
  const ago = (ms: number): Date => new Date(context.now().getTime() - ms);
  const [balances, unposted] = [new LedgerBalances(context.db), new UnpostedPayments(context.db)];
  const heldCharges = new HeldChargeRepository(context.db);
  const verifications = new CardVerificationRepository(context.db);
  const mailing = { ...context, users: new UserRepository(context.db), publicBaseUrl: config.publicBaseUrl };
  const rejections = new NotifyRejectedCredentials(mailing);
  const disputeMails = new NotifyDisputes(mailing);
  return new Sweeper({
    claimOverduePayments: (limit) =>
      context.payments.claimOverdue(limit, context.now(), config.payments.stuckAfterMs),
    // A payment past `processing` or in manual review may have a sleeping workflow, which starting would not wake.
    startPayment: (payment) =>
      payment.status === 'processing' && payment.stuckAt === null
        ? payments.ensureStarted(payment)
        : payments.wake(payment),
    adoptParkedCallbacks: (limit) => adoptParkedCallbacks(context, limit, context.now()),
    wakeForUnprocessedCallbacks: async (limit) => {
      const overdue = await context.callbacks.claimOverdue(limit, context.now());
      const ids = overdue
        .filter(({ disputeId }) => disputeId === null)
        .map((payment) => payment.transactionId);
      await context.payments.scheduleRecoveryOfWoken(ids, context.now());
      await Promise.all(
        overdue.map(({ disputeId, ...payment }) =>
          disputeId === null ? payments.wake(payment) : disputes.wake({ ...payment, disputeId }),
        ),
      );
      return overdue.length;
    },
    failNotAttempted: async ({ transactionId }) => {
      // Its charge may be among those that are being imported.
      if (!context.restoreState.isInProgress) await failNotAttempted(deps, transactionId);
    },
    wakeOverdueSubscriptions: async (limit) => {
      const overdue = await context.subscriptions.claimOverdue(limit, context.now());
      await Promise.all(overdue.map((subscription) => subscriptions.wake(subscription)));
      return overdue.length;
    },
    releaseHeldCharges: async (limit) => {
      const { heldReleasesPerMinute } = config.subscriptions;
      const released = await heldCharges.release(limit, heldReleasesPerMinute, context.now());
      await Promise.all(released.map((subscription) => subscriptions.wake(subscription)));
      return released.length;
    },
    wakeOverdueDisputes: async (limit) => {
      const overdue = await context.disputes.claimOverdue(limit, context.now());
      await Promise.all(overdue.map((dispute) => disputes.wake(dispute)));
      return overdue.length;
    },
    addDueSettlements: (limit) => addDueSettlements(context, limit),
    wakeOverdueSettlements: async (limit) => {
      const overdue = await context.settlements.claimOverdue(limit, context.now());
      await Promise.all(overdue.map((settlement) => settlements.wake(settlement)));
      return overdue.length;
    },
    startOverdueSubAccounts: async (limit) => {
      const overdue = await context.subAccounts.claimOverdue(limit);
      await Promise.all(overdue.map((subAccount) => recipients.ensureStarted(subAccount)));
      return overdue.length;
    },
    startOverdueDeliveries: async (limit) => {
      const overdue = await context.deliveries.claimOverdue(limit, context.now());
      await Promise.all(overdue.map((delivery) => deps.deliveryWorkflows.ensureStarted(delivery)));
      return overdue.length;
    },
    deleteExpiredCvvs: (limit) => context.vault.sweep(limit),
    deleteOldCallbacks: (limit) =>
      context.callbacks.deleteOldUnsigned(limit, ago(retention.unsignedCallbacksMs)),
    deleteOldEvents: (limit) =>
      passes.next('event', context.now(), (position) =>
        deleteOldEvents(context.db, { position, before: ago(retention.eventsMs), limit }),
      ),
    deleteOldCallbackBodies: (limit) =>
      passes.next('callback_body', context.now(), (position) =>
        deleteOldCallbackBodies(context.db, { position, before: ago(retention.callbackBodiesMs), limit }),
      ),
    deleteExpiredKeys: (limit) => context.idempotency.deleteExpired(limit, context.now()),
    deleteUnusedSessions: (limit) =>
      context.checkoutSessions.deleteUnused(limit, unusedSessionCutoff(context.now())),
    deleteOldVerifications: (limit) => verifications.deleteOld(limit, context.now()),
    deleteOldReceived: (limit) => context.receivers.deleteOld(limit, context.now()),
    hashNames: (limit) => context.customerSearch.hashNames(limit),
    eraseGatewaySecrets: (limit) => context.gatewaySecrets.eraseUnneeded(limit, context.now()),
    notifyRejectedCredentials: (limit) => rejections.execute(limit),
    notifyDisputes: (limit) => disputeMails.execute(limit),
    sendReceipts: (limit) => new SendReceipts(context).execute(limit),
    applyCounterDeltas: (limit) => counters.applyDeltas(limit),
    postMissingEntries: (limit) => postMissingEntries(context, unposted, limit),
    addToBalances: (limit) => balances.addEntries(limit),
    now: context.now,
    observer: context.metrics,
    log,
  });
}

/** Platform gateways are configured by client id, but activities know only the company's numeric id. */
function platformSlugs({ companies, registries }: AppContext): (companyId: number) => Promise<GatewaySlug[]> {
  const clientIds = new LRUCache<number, string>({ max: CLIENT_ID_CACHE_SIZE });
  return async (companyId) => {
    const registry = registries.of(companyId);
    if (!registry.hasPlatformCompanies) return [];
    const clientId = clientIds.get(companyId) ?? (await companies.getClientId(companyId));
    clientIds.set(companyId, clientId);
    return registry.platformSlugs(clientId);
  };
}
