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
import { companyFairness } from './task-priority';

/** A Temporal that has fallen silent must not keep the sweeper, or a caller, waiting. */
const START_WITHIN_MS = 5_000;

/** A delivery whose workflow is to run. */
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
    /** `here`: the worker of this process, whose connection the client uses, gets the first task with the answer. */
    private readonly firstTask: 'anywhere' | 'here' = 'anywhere',
  ) {}

  /** Starts the workflow unless it runs already. */
  async ensureStarted(delivery: DeliveryRef): Promise<void> {
    await this.client.withDeadline(Date.now() + START_WITHIN_MS, () =>
      this.client.workflow.start<typeof webhookDelivery>('webhookDelivery', {
        ...this.startOptions(delivery),
        requestEagerStart: this.firstTask === 'here',
      }),
    );
  }

  /** Has the workflow, started if need be, make an attempt that has become due. */
  async resend(delivery: DeliveryRef): Promise<void> {
    await this.client.withDeadline(Date.now() + START_WITHIN_MS, () =>
      this.client.workflow.signalWithStart<typeof webhookDelivery>('webhookDelivery', {
        ...this.startOptions(delivery),
        signal: resendSignal,
      }),
    );
  }

  private startOptions({ id, companyId, endpointId, event }: DeliveryRef) {
    return {
      workflowId: deliveryWorkflowId(id),
      taskQueue: deliveryTaskQueue(this.taskQueue),
      workflowIdConflictPolicy: 'USE_EXISTING' as const,
      args: [{ companyId, endpointId, deliveryId: id }] as [DeliveryInput],
      staticSummary: deliverySummary(endpointId, event),
      typedSearchAttributes: deliverySearchAttributes(companyId, event),
      priority: companyFairness(companyId),
    };
  }
}
