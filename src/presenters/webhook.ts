import type { DeliveryId } from '../domain/shared/ids';
import type { WebhookAttempt } from '../domain/webhooks/webhook-attempt';
import type { DeliveryStatus } from '../domain/webhooks/webhook-event';
import { presentEventBody, type PresentableEventBody } from './event-body';
import type { components } from '../http/generated/openapi';

type Schemas = components['schemas'];

/** A stored delivery. */
export interface PresentableDelivery {
  readonly id: string;
  readonly event: string;
  readonly status: DeliveryStatus;
  readonly retryCount: number;
  readonly nextRetryAt: Date | null;
}

export function presentDelivery(delivery: PresentableDelivery): Schemas['WebhookDeliverySummary'] {
  return {
    id: delivery.id,
    event: delivery.event,
    status: delivery.status,
    retry_count: delivery.retryCount,
    next_retry_at: delivery.nextRetryAt?.toISOString() ?? null,
  };
}

/** A stored endpoint. */
export interface PresentableEndpoint {
  readonly id: number;
  readonly url: string;
  readonly events: ReadonlyArray<Schemas['WebhookEventName']>;
  readonly enabled: boolean;
  readonly disabledReason: Schemas['WebhookEndpoint']['disabled_reason'];
  readonly failingSince: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function presentEndpoint(endpoint: PresentableEndpoint): Schemas['WebhookEndpoint'] {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: [...endpoint.events],
    enabled: endpoint.enabled,
    disabled_reason: endpoint.disabledReason,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}

/** A stored delivery with all its attempts. */
export interface PresentableDeliveryLog extends PresentableDelivery {
  readonly id: DeliveryId;
  readonly eventId: number;
  readonly transactionId: string | null;
  readonly subscriptionId: string | null;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
  readonly attempts: readonly WebhookAttempt[];
}

/** Links to a delivery's workflow in Temporal's UI, for support staff. */
export type DeliveryWorkflowLink = (deliveryId: DeliveryId) => Schemas['WorkflowLink'];

export function presentDeliveryLog(
  delivery: PresentableDeliveryLog,
  workflowLink: DeliveryWorkflowLink,
): Schemas['WebhookDelivery'] {
  return {
    ...presentDelivery(delivery),
    webhook_id: `msg_${delivery.id}`,
    event_id: delivery.eventId,
    transaction_id: delivery.transactionId,
    subscription_id: delivery.subscriptionId,
    created_at: delivery.createdAt.toISOString(),
    delivered_at: delivery.deliveredAt?.toISOString() ?? null,
    attempts: delivery.attempts.map((attempt) => ({
      number: attempt.number,
      started_at: attempt.startedAt.toISOString(),
      duration_ms: attempt.durationMs,
      status_code: attempt.statusCode,
      error: attempt.error,
      response_excerpt: attempt.responseExcerpt,
    })),
    workflow: workflowLink(delivery.id),
  };
}

/** A delivery in the list of its endpoint. */
export interface PresentableListedDelivery extends PresentableDeliveryLog {
  readonly payment: {
    readonly merchantOrderId: string;
    readonly amountCents: number;
    readonly currency: string;
  } | null;
}

export function presentListedDelivery(
  delivery: PresentableListedDelivery,
  workflowLink: DeliveryWorkflowLink,
): Schemas['ListedWebhookDelivery'] {
  const { payment } = delivery;
  return {
    ...presentDeliveryLog(delivery, workflowLink),
    payment: payment && {
      merchant_order_id: payment.merchantOrderId,
      amount: payment.amountCents,
      currency: payment.currency,
    },
  };
}

export interface PresentableEvent extends PresentableEventBody {
  readonly type: Schemas['Event']['event'];
  readonly createdAt: Date;
}

export function presentEvent(event: PresentableEvent): Schemas['Event'] {
  const { id, type, subject, sequence, createdAt } = event;
  const body = presentEventBody(event) as Schemas['Event']['body'];
  return { id, event: type, subject, sequence, created_at: createdAt.toISOString(), body };
}
