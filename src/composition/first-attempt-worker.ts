import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection, type Worker } from '@temporalio/worker';
import type { Config } from '../config';
import type { ActivityDeps } from '../../activities';
import type { Logger } from '../log';
import { workflowBundlePath } from '../paths';
import { createClient } from '../temporal/client';
import { PaymentWorkflows } from '../temporal/payments';
import type { DeliveryWorkflows } from '../temporal/webhook-deliveries';
import { createDeliveryWorkflows } from './api-companies';
import type { AppContext } from './app-context';
import { runWorkers, stopWorkers } from './run-workers';
import { createFirstDeliveryWorker, createFirstTaskWorker } from './api-workers';

const RETRY_AFTER_MS = 1_000;
const LOG_FAILURES_EVERY_MS = 10_000;
/** Slots for the worker's polls, and for tasks of other workflows. */
const RESERVED_SLOTS = 4;

/** The log line of an API process whose worker has begun. */
export const FIRST_ATTEMPTS_HERE = 'first attempts are made here';

/** How many first attempts an API process makes at the same time. */
export function mostFirstAttempts({ temporal: { concurrency } }: Config): number {
  return Math.max(1, concurrency - RESERVED_SLOTS);
}

interface Running {
  readonly workers: readonly Worker[];
  readonly payments: PaymentWorkflows;
  readonly deliveries: DeliveryWorkflows;
}

/**
 * The workers inside the API process. They make the first attempts of payments that are created here, and of the webhook
 * deliveries of their events. While Temporal is down, or after a worker has failed, the API goes on without them: the
 * worker processes make these attempts.
 */
export class FirstAttemptWorker {
  private current: Running | null = null;
  private readonly stopping = new AbortController();
  private readonly starts = new Set<Promise<unknown>>();
  private running: Promise<void> | undefined;
  private failureLoggedAt = 0;

  constructor(
    private readonly config: Config,
    private readonly context: AppContext,
    private readonly deps: ActivityDeps,
    private readonly log: Pick<Logger, 'info' | 'warn'>,
    private readonly bundlePath = workflowBundlePath,
  ) {}

  start(): void {
    this.running = this.keepRunning();
  }

  /** What starts workflows whose first tasks this process gets; null while it cannot run them, or another build should. */
  starter(): Pick<PaymentWorkflows, 'startHere'> | null {
    const { ready } = this;
    return ready && { startHere: (...start) => this.track(ready.payments.startHere(...start)) };
  }

  /** The same for webhook deliveries. */
  deliveryStarter(): Pick<DeliveryWorkflows, 'ensureStarted'> | null {
    const { ready } = this;
    return ready && { ensureStarted: (delivery) => this.track(ready.deliveries.ensureStarted(delivery)) };
  }

  /** Takes no more first attempts, lets those in progress finish within `SHUTDOWN_GRACE`, and stops the workers. */
  async stop(): Promise<void> {
    this.stopping.abort();
    // A task that arrives at a stopped worker would be lost until it times out.
    await Promise.allSettled(this.starts);
    stopWorkers(this.current?.workers ?? []);
    await this.running;
  }

  private get ready(): Running | null {
    const { current } = this;
    if (current === null || this.stopping.signal.aborted) return null;
    if (!this.context.currentBuild.isCurrent()) return null;
    return current.workers.every((worker) => worker.getState() === 'RUNNING') ? current : null;
  }

  private track<Result>(start: Promise<Result>): Promise<Result> {
    this.starts.add(start);
    const remove = (): void => void this.starts.delete(start);
    start.then(remove, (error: unknown) => {
      remove();
      this.logFailure(error);
    });
    return start;
  }

  private logFailure(error: unknown): void {
    if (Date.now() - this.failureLoggedAt < LOG_FAILURES_EVERY_MS) return;
    this.failureLoggedAt = Date.now();
    this.log.warn({ err: error }, 'a first attempt was not started here; the workers make it');
  }

  private async keepRunning(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await this.run();
      } catch (error) {
        this.log.warn({ err: error }, 'no worker in this process; the workers make first attempts');
      }
      await delay(RETRY_AFTER_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Returns when the workers have stopped. */
  private async run(): Promise<void> {
    const { config, context, deps, bundlePath } = this;
    const connection = await NativeConnection.connect({ address: config.temporal.address ?? '' });
    try {
      const workers = await Promise.all(
        [createFirstTaskWorker, createFirstDeliveryWorker].map((create) =>
          create({ config, context, deps, connection, bundlePath }),
        ),
      );
      this.current = {
        workers,
        payments: createEagerWorkflows(config, context, connection),
        deliveries: createDeliveryWorkflows(config, context, connection),
      };
      const stopped = runWorkers(workers);
      this.log.info(FIRST_ATTEMPTS_HERE);
      if (this.stopping.signal.aborted) stopWorkers(workers);
      await stopped;
    } finally {
      this.current = null;
      await connection.close();
    }
  }
}

/** `connection` is that of the worker which gets the first tasks. */
export function createEagerWorkflows(
  { temporal: { namespace, taskQueue } }: Config,
  { dataConverter, spans }: AppContext,
  connection: NativeConnection,
): PaymentWorkflows {
  return new PaymentWorkflows(createClient(connection, namespace, dataConverter, spans), taskQueue);
}
