import type { ActivityDeps } from '../../activities';
import type { Config } from '../config';
import type { SubscriptionToStart } from '../domain/subscriptions/subscription-start';
import { AfterCommitDispatcher } from '../temporal/after-commit-dispatcher';
import { type PaymentToStart, PaymentWorkflows } from '../temporal/payments';
import { SubscriptionWorkflows } from '../temporal/subscriptions';
import type { DeliveryWorkflows } from '../temporal/webhook-deliveries';
import { createDeliveryDispatcher } from './api-companies';
import type { AppContext } from './app-context';

export interface Dispatchers extends Pick<
  ActivityDeps,
  'startDeliveries' | 'wakeSubscription' | 'startPayment' | 'startToRecord'
> {
  /** Resolves when the calls in flight have ended. */
  readonly dispatchesSettled: () => Promise<void>;
}

/** Starts or signals other workflows after the commits of activities. */
export function createDispatchers(
  config: Config,
  context: AppContext,
  deliveryStarter: Pick<DeliveryWorkflows, 'ensureStarted'>,
  log: ActivityDeps['log'],
): Dispatchers {
  const deliveries = createDeliveryDispatcher(deliveryStarter, log);
  const subscriptionWorkflows = new SubscriptionWorkflows(context.temporal, config.temporal.taskQueue);
  const subscriptions = new AfterCommitDispatcher<SubscriptionToStart>(
    (subscription) => subscriptionWorkflows.wake(subscription),
    (error) => log.warn({ err: error }, 'subscription workflow signal failed; sweeper will retry'),
  );
  const paymentWorkflows = new PaymentWorkflows(context.temporal, config.temporal.taskQueue);
  const payments = new AfterCommitDispatcher<PaymentToStart>(
    (payment) => paymentWorkflows.ensureStarted(payment),
    (error) => log.warn({ err: error }, 'payment workflow start failed; sweeper will retry'),
  );
  return {
    startDeliveries: (refs) => deliveries.dispatch(refs),
    wakeSubscription: (subscription) => subscriptions.dispatch([subscription]),
    startPayment: (payment) => payments.dispatch([payment]),
    startToRecord: (payment, unrecorded) => paymentWorkflows.startToRecord(payment, unrecorded),
    dispatchesSettled: async () => {
      const calls = [deliveries, subscriptions, payments, context.unrecognizedAnswers];
      await Promise.all(calls.map((each) => each.settled()));
    },
  };
}
