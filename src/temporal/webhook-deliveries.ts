import type { Client } from '@temporalio/client';
import type { DeliveryId } from '../domain/shared/ids';
import type { WebhookEventType } from '../domain/webhooks/webhook-event';
import {
  deliverySummary,
  deliveryTaskQueue,
  deliveryWorkflowId,
  resendSignal,
  type DeliveryInput,
} from '../../workflows/messages';
import { deliverySearchAttributes } from '../../workflows/search-attributes';
import type { webhookDelivery } from '../../workflows/webhooks/webhook-delivery';
import { START_TIMEOUT_MS } from './client';
import { companyFairness } from './task-priority';

/** The data that starts a delivery's workflow. */
export interface DeliveryRef {
  readonly id: DeliveryId;
  readonly companyId: number;
  readonly endpointId: number;
  readonly event: WebhookEventType;
}

export class DeliveryWorkflows {
  constructor(
    private readonly client: Client,
    private readonly taskQueue: string,
  ) {}

  /** Starts the workflow unless it is already running. */
  async ensureStarted(delivery: DeliveryRef): Promise<void> {
    await this.client.withDeadline(Date.now() + START_TIMEOUT_MS, () =>
      this.client.workflow.start<typeof webhookDelivery>(
        'webhookDelivery',
        deliveryStartOptions(this.taskQueue, delivery),
      ),
    );
  }

  /** Signals the workflow to make the due attempt; starts it if it is not running. */
  async resend(delivery: DeliveryRef): Promise<void> {
    await this.client.withDeadline(Date.now() + START_TIMEOUT_MS, () =>
      this.client.workflow.signalWithStart<typeof webhookDelivery>('webhookDelivery', {
        ...deliveryStartOptions(this.taskQueue, delivery),
        signal: resendSignal,
      }),
    );
  }
}

export function deliveryStartOptions(taskQueue: string, { id, companyId, endpointId, event }: DeliveryRef) {
  return {
    workflowId: deliveryWorkflowId(id),
    taskQueue: deliveryTaskQueue(taskQueue),
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    args: [{ companyId, endpointId, deliveryId: id, statusShown: 'if_failed' }] as [DeliveryInput],
    staticSummary: deliverySummary(endpointId, event),
    typedSearchAttributes: deliverySearchAttributes(companyId, event),
    priority: companyFairness(companyId),
  };
}
