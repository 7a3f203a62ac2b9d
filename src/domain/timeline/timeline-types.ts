import type { AuditAction, AuditChanges } from '../companies/audit';
import type { DeclineClass } from '../payments/decline';
import type {
  AttemptOperation,
  AttemptPurpose,
  AttemptStatus,
  FailureCode,
  PaymentMethod,
  PaymentStatus,
} from '../payments/payment';
import type { GatewaySlug } from '../shared/gateway-slug';
import type { WebhookAttempt } from '../webhooks/webhook-attempt';

/** Something that happened to a payment, described for operators. */
export interface TimelineEntry {
  readonly at: Date;
  readonly kind: TimelineKind;
  readonly title: string;
  readonly detail: string | null;
  readonly actor: 'system' | 'gateway' | 'company' | 'admin' | 'customer';
  /** The attempt it belongs to. */
  readonly attemptId: string | null;
}

export type TimelineKind =
  | 'created'
  | 'routed'
  | 'failed_over'
  | 'requested'
  | 'sent'
  | 'not_sent'
  | 'gateway_accepted'
  | 'gateway_declined'
  | 'gateway_error'
  | 'gateway_unknown'
  | 'inquiry_requested'
  | 'inquired'
  | 'made_at_gateway'
  | 'contradicted'
  | 'callback'
  | 'chargeback'
  | 'payment_pending'
  | 'payment_underpaid'
  | 'payment_authorized'
  | 'payment_approved'
  | 'payment_paid'
  | 'payment_failed'
  | 'payment_expired'
  | 'payment_canceled'
  | 'payment_refunded'
  | 'manual_review_started'
  | 'resolved'
  | 'manual_review_ended'
  | 'webhook_delivered'
  | 'webhook_failed';

/** The rows of a payment, each list in the order the rows happened. Amounts in cents. */
export interface TimelineFacts {
  readonly payment: TimelinePayment;
  readonly attempts: readonly TimelineAttempt[];
  readonly callbacks: readonly TimelineCallback[];
  readonly events: readonly TimelineEvent[];
  readonly manualReviewPeriods: readonly ManualReviewPeriod[];
  /** Actions of dashboard users on it. */
  readonly auditedActions: readonly AuditedAction[];
  readonly sends: readonly WebhookSend[];
}

export interface TimelinePayment {
  readonly createdAt: Date;
  readonly paymentMethod: PaymentMethod;
  readonly amountCents: number;
  readonly currency: string;
  readonly merchantOrderId: string;
  readonly idempotencyKey: string | null;
  /** When a pix or boleto expires. */
  readonly expiresAt: Date | null;
}

/** The current row of one attempt at a gateway. Amounts in cents, durations in ms. */
export interface TimelineAttempt {
  readonly id: string;
  readonly attempt: number;
  readonly operation: AttemptOperation;
  readonly purpose: AttemptPurpose;
  readonly gatewaySlug: GatewaySlug;
  readonly status: AttemptStatus;
  readonly amountCents: number;
  readonly targetAttemptId: string | null;
  readonly routingReason: string | null;
  readonly responseCode: string | null;
  readonly responseMessage: string | null;
  readonly declineType: DeclineClass | null;
  readonly errorFamily: string | null;
  readonly reason: string | null;
  readonly idempotencyKey: string | null;
  readonly sendCount: number;
  readonly notFoundCount: number;
  /** Duration of the call itself; null when its answer was not recorded. */
  readonly requestMs: number | null;
  /** When it was last sent. */
  readonly sentAt: Date | null;
  /** Set if the gateway accepted an operation whose result was to come later. */
  readonly awaitedSince: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A published event with the state of the payment at that time. Amounts in cents. */
export interface TimelineEvent {
  readonly createdAt: Date;
  readonly status: Exclude<PaymentStatus, 'processing'>;
  readonly message: string;
  readonly code: FailureCode | null;
  readonly capturedAmountCents: number;
  readonly refundedAmountCents: number;
  readonly paidAmountCents: number | null;
  readonly captureBefore: Date | null;
}

export interface TimelineCallback {
  readonly attemptId: string;
  readonly gatewaySlug: GatewaySlug;
  readonly kind: 'status' | 'chargeback';
  /** Whether it was signed with a secret that only the gateway and this service know. */
  readonly trusted: boolean;
  readonly receivedAt: Date;
}

export interface ManualReviewPeriod {
  readonly startedAt: Date;
  /** Null while the review is open. */
  readonly endedAt: Date | null;
}

export interface AuditedAction {
  readonly at: Date;
  readonly action: AuditAction;
  readonly email: string;
  readonly changes: AuditChanges;
}

/** One attempt to deliver an event to an endpoint. */
export interface WebhookSend extends Pick<
  WebhookAttempt,
  'startedAt' | 'durationMs' | 'statusCode' | 'error'
> {
  readonly event: string;
  readonly endpointId: number;
}
