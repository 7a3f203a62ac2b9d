import { setTimeout as delay } from 'node:timers/promises';
import { createDeliveryActivities } from '../../activities';
import { createPaymentActivities } from '../../activities/payments/payments';
import type { Config } from '../config';
import type { Logger } from '../log';
import { DeliveryFirstTasks } from '../temporal/first-tasks/delivery-first-tasks';
import { FirstTaskClient } from '../temporal/first-tasks/first-task-client';
import { FirstTasks } from '../temporal/first-tasks/first-tasks';
import { PaymentFirstTasks } from '../temporal/first-tasks/payment-first-tasks';
import { tracingInterceptors } from '../temporal/tracing-interceptors';
import type { DeliveryWorkflows } from '../temporal/webhook-deliveries';
import { deliveryTaskQueue } from '../../workflows/messages';
import type { AppContext } from './app-context';
import { LOCAL_ACTIVITY_CONCURRENCY, type WorkerDeps } from './worker';

/** How many first attempts of payments a process makes at the same time. */
export function mostFirstAttempts({ temporal: { concurrency } }: Config): number {
  return concurrency;
}

/**
 * The first tasks of the workflows that a process starts: of payments, in an API process, and of the webhook deliveries of events
 * that it commits.
 */
export class ProcessFirstTasks {
  private readonly payments: FirstTasks;
  private readonly deliveries: FirstTasks;
  private readonly paymentStarts: PaymentFirstTasks;
  private readonly deliveryStarts: DeliveryFirstTasks;
  private stopped = false;

  constructor(
    private readonly config: Config,
    private readonly context: AppContext,
    deps: WorkerDeps,
    log: Pick<Logger, 'warn'>,
  ) {
    const { taskQueue } = config.temporal;
    const client = createFirstTaskClient(config, context);
    this.payments = new FirstTasks(client, taskQueue, log, context.spans);
    this.deliveries = new FirstTasks(client, deliveryTaskQueue(taskQueue), log, context.spans);
    this.paymentStarts = new PaymentFirstTasks(this.payments, taskQueue, createPaymentActivities(deps));
    this.deliveryStarts = new DeliveryFirstTasks(
      this.deliveries,
      taskQueue,
      createDeliveryActivities(deps).deliverLocally,
      LOCAL_ACTIVITY_CONCURRENCY,
      deps.deliveryWorkflows,
    );
  }

  /** Null while the workers make the first attempts: another build should, or the process stops. */
  paymentStarter(): Pick<PaymentFirstTasks, 'startHere'> | null {
    return this.config.payments.firstAttemptsInApi && this.isReady ? this.paymentStarts : null;
  }

  deliveryStarter(): Pick<DeliveryWorkflows, 'ensureStarted'> | null {
    return this.isReady ? this.deliveryStarts : null;
  }

  /** Begins no more first tasks, and lets those in progress finish within `SHUTDOWN_GRACE`. */
  async stop(): Promise<void> {
    this.stopped = true;
    const isOver = new AbortController();
    const settled = Promise.all([this.payments.settled(), this.deliveries.settled()]);
    await Promise.race([
      settled.finally(() => isOver.abort()),
      delay(this.config.temporal.shutdownGraceMs, undefined, { signal: isOver.signal, ref: false }).catch(
        () => undefined,
      ),
    ]);
  }

  private get isReady(): boolean {
    return !this.stopped && this.context.currentBuild.isCurrent();
  }
}

function createFirstTaskClient(
  { temporal: { namespace, taskQueue, buildId } }: Config,
  { temporal, dataConverter, spans }: AppContext,
): FirstTaskClient {
  return new FirstTaskClient(
    {
      connection: temporal.connection,
      namespace,
      dataConverter,
      interceptors: tracingInterceptors(spans).workflow ?? [],
    },
    buildId === null ? null : { deploymentName: taskQueue, buildId },
  );
}
