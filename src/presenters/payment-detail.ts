import type { NetworkIds } from '../domain/shared/charge-initiation';
import { clientKeyOf } from '../domain/shared/idempotency-scope';
import type { Timeline } from '../domain/timeline/payment-timeline';
import type { ManualResolutionRequest } from '../domain/payments/manual-resolution';
import type { AttemptPurpose, AttemptStatus } from '../domain/payments/payment';
import type { RoutingReason } from '../domain/routing/routing-reason';
import type { RequestedInquiry } from '../domain/payments/operations/requested-inquiry';
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
import type { TimelineEntry, TimelineKind } from '../domain/timeline/timeline-types';

type Schemas = components['schemas'];

/** A payment with the fields that only users of the dashboard see. */
export interface PresentableListedPayment extends PresentablePayment {
  readonly lastGateway: Schemas['GatewaySlug'] | null;
  readonly stuckAt: Date | null;
}

/** An attempt with its internal fields. */
interface PresentableAttemptDetail extends PresentableAttempt {
  readonly status: AttemptStatus;
  readonly reference: string;
  readonly targetAttemptId: string | null;
  readonly routingReason: string | null;
  readonly routingReasons: readonly RoutingReason[] | null;
  readonly declineType: Schemas['UserPaymentAttempt']['decline_type'];
  readonly errorFamily: string | null;
  readonly networkIds: NetworkIds | null;
  readonly reason: string | null;
  readonly idempotencyKey: string | null;
  readonly sendCount: number;
  readonly notFoundCount: number;
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
  readonly payment: PresentablePayment & Pick<PresentableListedPayment, 'stuckAt'> & RequestedInquiry;
  readonly attempts: readonly PresentableAttemptDetail[];
  readonly deliveries: readonly PresentableEndpointDelivery[];
  readonly events: readonly PresentablePaymentEvent[];
  readonly timeline: Timeline;
  readonly manualResolution: ManualResolutionRequest | null;
}

/** Each list shows its newest entries, at most this many (openapi.yaml, UserPayment). */
const MAX_LIST_ENTRIES = 500;

export function presentUserPayment(
  detail: PresentablePaymentDetail,
  workflow: Schemas['WorkflowLink'],
  deliveryLink: DeliveryWorkflowLink,
): Schemas['UserPayment'] {
  const { payment, attempts, deliveries, events, timeline, manualResolution } = detail;
  return {
    payment: presentPayment(payment, attempts, deliveries),
    attempts: attempts.slice(-MAX_LIST_ENTRIES).map(presentAttemptDetail),
    deliveries: deliveries
      .slice(-MAX_LIST_ENTRIES)
      .map((delivery) => presentEndpointDelivery(delivery, deliveryLink)),
    events: events.slice(-MAX_LIST_ENTRIES).map(presentPaymentEvent),
    timeline: timeline.entries.map(presentEntry),
    timeline_complete: timeline.complete,
    stuck_since: payment.stuckAt?.toISOString() ?? null,
    desk: manualResolution && presentManualResolution(manualResolution),
    inquiry: payment.inquiryRequestedAt === null ? null : presentInquiry(payment),
    workflow,
  };
}

/** The last inquiry that a user requested. */
export function presentInquiry({
  inquiryRequestedAt: requestedAt,
  inquiryAnsweredAt: answeredAt,
  inquiryOutcome: outcome,
}: RequestedInquiry): Schemas['PaymentInquiry'] {
  if (requestedAt === null) throw new Error('no inquiry was requested');
  return {
    requested_at: requestedAt.toISOString(),
    answered_at: answeredAt?.toISOString() ?? null,
    outcome,
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

const NO_PARAMETERS = {
  ...{ gateway: null, gateways: null, order: null, percent: null, reason: null, rule: null },
} as const;

function presentRoutingReason(reason: RoutingReason): Schemas['RoutingReason'] {
  switch (reason.code) {
    case 'share': {
      const { code, rule, percent } = reason;
      return { ...NO_PARAMETERS, code, rule, percent };
    }
    case 'circuits_open':
    case 'lacking_data':
      return { ...NO_PARAMETERS, code: reason.code, gateways: [...reason.gateways] };
    default:
      return { ...NO_PARAMETERS, ...reason };
  }
}

/** The API's names of purposes. */
const PURPOSES: Readonly<Record<AttemptPurpose, Schemas['UserPaymentAttempt']['purpose']>> = {
  charge: 'charge',
  merchant_request: 'command',
  reversal: 'reversal',
  authorization_expired: 'lapse',
  duplicate_purchase: 'duplicate',
  found_at_gateway: 'external',
};

function presentAttemptDetail(attempt: PresentableAttemptDetail): Schemas['UserPaymentAttempt'] {
  return {
    id: attempt.id,
    attempt: attempt.attempt,
    operation: attempt.operation,
    purpose: PURPOSES[attempt.purpose],
    gateway: attempt.gatewaySlug,
    status: attempt.status,
    amount: attempt.amountCents,
    reference: attempt.reference,
    target_attempt_id: attempt.targetAttemptId,
    routing_reason: attempt.routingReason,
    routing_reasons: attempt.routingReasons?.map(presentRoutingReason) ?? null,
    gateway_transaction_id: attempt.gatewayTransactionId,
    response_code: attempt.responseCode,
    response_message: attempt.responseMessage,
    decline_type: attempt.declineType,
    error_family: attempt.errorFamily,
    authorization_code: attempt.authorizationCode,
    network_transaction_id: attempt.networkIds?.transactionId ?? null,
    reason: attempt.reason,
    idempotency_key: attempt.idempotencyKey && clientKeyOf(attempt.idempotencyKey),
    tries: attempt.sendCount,
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

function presentTimelineKind(kind: TimelineKind): Schemas['TimelineEntry']['kind'] {
  switch (kind) {
    case 'manual_review_started':
      return 'desk_entered';
    case 'manual_review_ended':
      return 'desk_left';
    default:
      return kind;
  }
}

function presentEntry({
  at,
  kind,
  title,
  detail,
  actor,
  attemptId,
}: TimelineEntry): Schemas['TimelineEntry'] {
  return {
    at: at.toISOString(),
    kind: presentTimelineKind(kind),
    title,
    detail,
    actor,
    attempt_id: attemptId,
  };
}

function presentManualResolution({
  attemptId,
  gateway,
  operation,
  since,
  question,
}: ManualResolutionRequest): Schemas['ManualReviewQuestion'] {
  return { attempt_id: attemptId, gateway, operation, since: since.toISOString(), question };
}
