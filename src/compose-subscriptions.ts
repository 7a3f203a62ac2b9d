import { CreateSubscription } from './application/create-subscription';
import { MoveSubscriptionClock } from './application/move-subscription-clock';
import { OperateSubscription } from './application/operate-subscription';
import { Subscriptions } from './application/subscriptions';
import type { Parts } from './compose';
import { composeDeliveryStarter, composeDeliveryWorkflows } from './compose-webhooks';
import type { Config } from './config';
import type { AdminSubscriptionDeps, SubscriptionOperationsDeps } from './http/routes/subscriptions';
import type { Logger } from './log';
import { presentSubscriptionDetail } from './presenters/subscription';
import { SubscriptionWorkflows } from './temporal/subscriptions';
import { workflowLink } from './temporal/workflow-link';
import { subscriptionWorkflowId } from '../workflows/messages';

/** How much of a subscription's past its page shows. */
const SHOWN_CYCLES = 24;
const SHOWN_EVENTS = 50;

export function composeSubscriptions(
  config: Config,
  parts: Parts,
  log: Pick<Logger, 'error' | 'warn'>,
  workflows: Pick<SubscriptionWorkflows, 'awaitCharge' | 'awaitCommand' | 'wake'> = new SubscriptionWorkflows(
    parts.temporal,
    config.temporal.taskQueue,
  ),
): SubscriptionOperationsDeps & AdminSubscriptionDeps {
  const starter = composeDeliveryStarter(composeDeliveryWorkflows(config, parts), log);
  const subscriptions = new Subscriptions(parts.subscriptions, parts.cycles);
  const deps = {
    ...parts,
    workflows,
    present: parts.presentSubscription,
    startDeliveries: (deliveries: Parameters<typeof starter.start>[0]) => starter.start(deliveries),
    requestHashKey: config.secrets.requestHashKey,
    syncTimeoutMs: config.payments.syncTimeoutMs,
    reportError: (subscriptionId: string, error: unknown) => {
      log.error({ subscription_id: subscriptionId, err: error }, 'no answer after the commit');
    },
  };
  return {
    subscriptions,
    createSubscription: new CreateSubscription(deps),
    operateSubscription: new OperateSubscription(deps),
    moveSubscriptionClock: new MoveSubscriptionClock(deps),
    subscriptionDetail: async (companyId, id) => {
      const subscription = await subscriptions.get(companyId, id);
      const { id: inner, uuid } = subscription.row;
      const [cycles, events] = await Promise.all([
        parts.cycles.list(inner, { number: 1, size: SHOWN_CYCLES }),
        parts.events.newestOf(companyId, uuid, SHOWN_EVENTS),
      ]);
      const { uiUrl: url, namespace } = config.temporal;
      const workflow = workflowLink({ url, namespace }, subscriptionWorkflowId(uuid));
      return presentSubscriptionDetail({ subscription, cycles: cycles.rows, events, workflow });
    },
  };
}
