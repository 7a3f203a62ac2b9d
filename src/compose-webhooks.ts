import { Client } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { ListEvents } from './application/list-events';
import { WebhookDeliveries } from './application/webhook-deliveries';
import { WebhookEndpoints } from './application/webhook-endpoints';
import type { Parts } from './compose';
import type { Config } from './config';
import type { WebhookOperationsDeps } from './http/routes/webhooks';
import type { Logger } from './log';
import { SafeFetch } from './security/safe-fetch';
import { DeliveryWorkflows, type DeliveryToRun } from './temporal/webhook-deliveries';
import { Starter } from './temporal/starter';
import { workflowLink } from './temporal/workflow-link';
import { deliveryWorkflowId } from '../workflows/messages';

/** Webhook endpoints, what was sent to them, and what was published at all. */
export function composeWebhooks(
  config: Config,
  parts: Parts,
  log: Pick<Logger, 'warn'>,
): WebhookOperationsDeps {
  const { allowLoopback } = config.webhooks;
  const { uiUrl: url, namespace } = config.temporal;
  return {
    webhookEndpoints: new WebhookEndpoints({ ...parts, safeFetch: new SafeFetch({ allowLoopback }) }),
    webhookDeliveries: new WebhookDeliveries({
      ...parts,
      workflows: composeDeliveryWorkflows(config, parts),
      reportError: (error) => log.warn({ err: error }, 'a delivery is due and its workflow still asleep'),
    }),
    listEvents: new ListEvents(parts.events),
    deliveryLink: (deliveryId) => workflowLink({ url, namespace }, deliveryWorkflowId(deliveryId)),
  };
}

/** With the connection of a worker that makes deliveries, their first tasks are that worker's. */
export function composeDeliveryWorkflows(
  { temporal: { namespace, taskQueue } }: Config,
  { temporal, dataConverter }: Parts,
  connection?: NativeConnection,
): DeliveryWorkflows {
  if (connection === undefined) return new DeliveryWorkflows(temporal, taskQueue);
  return new DeliveryWorkflows(new Client({ connection, namespace, dataConverter }), taskQueue, 'here');
}

export function composeDeliveryStarter(
  workflows: DeliveryWorkflows,
  log: { warn(context: object, message: string): void },
): Starter<DeliveryToRun> {
  return new Starter(
    (delivery) => workflows.ensureStarted(delivery),
    (error) => log.warn({ err: error }, 'a delivery is left to the sweeper'),
  );
}
