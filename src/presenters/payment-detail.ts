import type { Timeline } from '../domain/timeline/payment-timeline';
import type { ManualResolutionRequest } from '../domain/payments/manual-resolution';
import type { AttemptPurpose, AttemptStatus } from '../domain/payments/payment';
import type { components } from '../http/generated/openapi';
import {
  durationText,
  presentPayment,
  presentPaymentCustomer,
  presentPaymentListItem,
  type PresentableAttempt,
  type PresentablePayment,
} from './payment';
import {
  presentDeliveryLog,
  type DeliveryWorkflowLink,
  type PresentableDelivery,
  type PresentableDeliveryLog,
} from './webhook';
import type { TimelineEntry } from '../domain/timeline/timeline-types';

type Schemas = components['schemas'];

/** A payment with what only the company's people are shown. */
export interface PresentableListedPayment extends PresentablePayment {
  readonly lastGateway: Schemas['GatewaySlug'] | null;
  readonly stuckAt: Date | null;
}

/** An operation with what this service notes of it. */
interface PresentableNotedAttempt extends PresentableAttempt {
  readonly purpose: AttemptPurpose;
  readonly status: AttemptStatus;
  readonly reference: string;
  readonly targetAttemptId: string | null;
  readonly routingReason: string | null;
  readonly declineType: Schemas['UserPaymentAttempt']['decline_type'];
  readonly errorFamily: string | null;
  readonly networkTransactionId: string | null;
  readonly reason: string | null;
  readonly idempotencyKey: string | null;
  readonly tries: number;
  readonly notFoundCount: number;
  readonly sentAt: Date | null;
  readonly updatedAt: Date;
}

interface PresentableEndpointDelivery extends PresentableDeliveryLog {
  readonly endpointId: number;
  readonly url: string;
}

interface PresentablePaymentEvent {
  readonly id: number;
  readonly type: Schemas['UserPaymentEvent']['event'];
  readonly sequence: number;
  readonly createdAt: Date;
}

export interface PresentablePaymentDetail {
  readonly payment: PresentablePayment;
  readonly attempts: readonly PresentableNotedAttempt[];
  readonly deliveries: readonly PresentableEndpointDelivery[];
  readonly events: readonly PresentablePaymentEvent[];
  readonly timeline: Timeline;
  readonly desk: ManualResolutionRequest | null;
}

/** Of each list the newest so many (openapi.yaml, UserPayment). */
const MOST_SHOWN = 500;

export function presentUserPayment(
  detail: PresentablePaymentDetail,
  workflow: Schemas['WorkflowLink'],
  deliveryLink: DeliveryWorkflowLink,
): Schemas['UserPayment'] {
  const { payment, attempts, deliveries, events, timeline, desk } = detail;
  return {
    payment: presentPayment(payment, attempts, deliveries),
    attempts: attempts.slice(-MOST_SHOWN).map(presentNotedAttempt),
    deliveries: deliveries
      .slice(-MOST_SHOWN)
      .map((delivery) => presentEndpointDelivery(delivery, deliveryLink)),
    events: events.slice(-MOST_SHOWN).map(presentPaymentEvent),
    timeline: timeline.entries.map(presentEntry),
    timeline_complete: timeline.complete,
    desk: desk && presentDesk(desk),
    workflow,
  };
}

export function presentUserPaymentListItem(
  payment: PresentableListedPayment,
  attempts: readonly PresentableAttempt[],
  deliveries: readonly PresentableDelivery[],
): Schemas['UserPaymentListItem'] {
  return {
    ...presentPaymentListItem(payment, attempts, deliveries),
    code: payment.code,
    captured_amount: payment.capturedAmountCents,
    refunded_amount: payment.refundedAmountCents,
    gateway: payment.lastGateway,
    customer: presentPaymentCustomer(payment.customer),
    stuck_since: payment.stuckAt?.toISOString() ?? null,
  };
}

function presentNotedAttempt(attempt: PresentableNotedAttempt): Schemas['UserPaymentAttempt'] {
  return {
    id: attempt.id,
    attempt: attempt.attempt,
    operation: attempt.operation,
    purpose: attempt.purpose,
    gateway: attempt.gatewaySlug,
    status: attempt.status,
    amount: attempt.amountCents,
    reference: attempt.reference,
    target_attempt_id: attempt.targetAttemptId,
    routing_reason: attempt.routingReason,
    gateway_transaction_id: attempt.gatewayTransactionId,
    response_code: attempt.responseCode,
    response_message: attempt.responseMessage,
    decline_type: attempt.declineType,
    error_family: attempt.errorFamily,
    authorization_code: attempt.authorizationCode,
    network_transaction_id: attempt.networkTransactionId,
    reason: attempt.reason,
    idempotency_key: attempt.idempotencyKey,
    tries: attempt.tries,
    not_found_count: attempt.notFoundCount,
    request_time: attempt.requestMs === null ? null : durationText(attempt.requestMs),
    sent_at: attempt.sentAt?.toISOString() ?? null,
    created_at: attempt.createdAt.toISOString(),
    updated_at: attempt.updatedAt.toISOString(),
  };
}

function presentEndpointDelivery(
  delivery: PresentableEndpointDelivery,
  deliveryLink: DeliveryWorkflowLink,
): Schemas['UserPaymentDelivery'] {
  const { endpointId: id, url } = delivery;
  return { ...presentDeliveryLog(delivery, deliveryLink), endpoint: { id, url } };
}

function presentPaymentEvent({
  id,
  type,
  sequence,
  createdAt,
}: PresentablePaymentEvent): Schemas['UserPaymentEvent'] {
  return { id, event: type, sequence, created_at: createdAt.toISOString() };
}

function presentEntry({
  at,
  kind,
  title,
  detail,
  actor,
  attemptId,
}: TimelineEntry): Schemas['TimelineEntry'] {
  return { at: at.toISOString(), kind, title, detail, actor, attempt_id: attemptId };
}

function presentDesk({
  attemptId,
  gateway,
  operation,
  since,
  question,
}: ManualResolutionRequest): Schemas['DeskQuestion'] {
  return { attempt_id: attemptId, gateway, operation, since: since.toISOString(), question };
}
