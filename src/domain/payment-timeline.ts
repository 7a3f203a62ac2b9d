import { attemptEntries, type TimelineAttempt } from './attempt-timeline';
import type { AuditAction, AuditChanges } from './audit';
import type { GatewaySlug } from './gateway-slug';
import { sentKey } from './idempotency-scope';
import { formatMoney } from './money';
import type { PaymentMethod } from './payment';
import { statusEntries, type TimelineEvent } from './status-timeline';
import type { WebhookAttempt } from './webhook-attempt';

/** Something that happened to a payment, for people to read. */
export interface TimelineEntry {
  readonly at: Date;
  readonly kind: TimelineKind;
  readonly title: string;
  readonly detail: string | null;
  readonly actor: 'system' | 'gateway' | 'company' | 'admin' | 'customer';
  /** The operation it belongs to. */
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
  | 'inquired'
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
  | 'desk_entered'
  | 'resolved'
  | 'desk_left'
  | 'webhook_delivered'
  | 'webhook_failed';

/** What the tables hold of a payment, each kind in the order it happened. Amounts in cents. */
export interface TimelineFacts {
  readonly payment: TimelinePayment;
  readonly attempts: readonly TimelineAttempt[];
  readonly callbacks: readonly TimelineCallback[];
  readonly events: readonly TimelineEvent[];
  readonly deskVisits: readonly DeskVisit[];
  /** What the company's people did to it. */
  readonly deeds: readonly AuditedDeed[];
  readonly sends: readonly WebhookSend[];
}

export interface TimelinePayment {
  readonly createdAt: Date;
  readonly paymentMethod: PaymentMethod;
  readonly amountCents: number;
  readonly currency: string;
  readonly merchantOrderId: string;
  readonly idempotencyKey: string | null;
  /** When a pix or billet can no longer be paid in time. */
  readonly expiresAt: Date | null;
}

interface TimelineCallback {
  readonly attemptId: string;
  readonly gatewaySlug: GatewaySlug;
  readonly kind: 'status' | 'chargeback';
  /** Whether its signature was made with a secret that only the gateway and we know. */
  readonly trusted: boolean;
  readonly receivedAt: Date;
}

interface DeskVisit {
  readonly enteredAt: Date;
  /** Null while it lasts. */
  readonly leftAt: Date | null;
}

export interface AuditedDeed {
  readonly at: Date;
  readonly action: AuditAction;
  readonly email: string;
  readonly changes: AuditChanges;
}

/** One attempt to tell an endpoint of an event. */
interface WebhookSend extends Pick<WebhookAttempt, 'startedAt' | 'durationMs' | 'statusCode' | 'error'> {
  readonly event: string;
  readonly endpointId: number;
}

/** More of one payment nobody reads. */
export const TIMELINE_LIMIT = 500;

export interface Timeline {
  readonly entries: readonly TimelineEntry[];
  /** False when the oldest entries are left out. */
  readonly complete: boolean;
}

/**
 * A payment's facts in the order they happened, in words; of more than `TIMELINE_LIMIT` the newest. What happened in
 * the same millisecond stands as one thing led to the other: requests, answers, what they made of the payment, and then
 * who was told.
 */
export function paymentTimeline(facts: TimelineFacts): Timeline {
  const { payment, attempts, events, deeds } = facts;
  const all: TimelineEntry[] = [
    created(payment),
    ...facts.callbacks.map(called),
    ...deeds.flatMap(resolved),
    ...attemptEntries({ attempts, events, deeds, currency: payment.currency }),
    ...facts.deskVisits.flatMap(visited),
    ...statusEntries(payment, events),
    ...facts.sends.map(told),
  ];
  const ordered = all.sort((a, b) => a.at.getTime() - b.at.getTime());
  return { entries: ordered.slice(-TIMELINE_LIMIT), complete: ordered.length <= TIMELINE_LIMIT };
}

function created(payment: TimelinePayment): TimelineEntry {
  const { createdAt: at, paymentMethod, amountCents, currency, merchantOrderId, idempotencyKey } = payment;
  const key = idempotencyKey === null ? 'no idempotency key' : `idempotency key ${sentKey(idempotencyKey)}`;
  const detail = [paymentMethod, formatMoney(amountCents, currency), `order ${merchantOrderId}`, key].join(
    ', ',
  );
  return { at, kind: 'created', title: 'Payment created', detail, actor: 'company', attemptId: null };
}

function called({ attemptId, gatewaySlug, kind, trusted, receivedAt: at }: TimelineCallback): TimelineEntry {
  const title =
    kind === 'chargeback' ? `Chargeback notice from ${gatewaySlug}` : `Callback from ${gatewaySlug}`;
  const detail = trusted ? 'signed' : 'not signed: anybody could have sent it, so it is only a hint';
  return {
    at,
    kind: kind === 'chargeback' ? 'chargeback' : 'callback',
    title,
    detail,
    actor: 'gateway',
    attemptId,
  };
}

/** A person's word at the desk. What else people do is told with the operation it made. */
function resolved({ at, action, email, changes }: AuditedDeed): TimelineEntry[] {
  if (action !== 'payment.resolve') return [];
  const { outcome, reason, attempt_id: attemptId } = changes;
  return [
    {
      at,
      kind: 'resolved',
      title: `${email} said: ${String(outcome)}`,
      detail: typeof reason === 'string' ? reason : null,
      actor: 'admin',
      attemptId: typeof attemptId === 'string' ? attemptId : null,
    },
  ];
}

function visited({ enteredAt, leftAt }: DeskVisit): TimelineEntry[] {
  const common = { detail: null, actor: 'system', attemptId: null } as const;
  return [
    { ...common, at: enteredAt, kind: 'desk_entered', title: 'A person is asked' },
    ...(leftAt === null
      ? []
      : [{ ...common, at: leftAt, kind: 'desk_left', title: 'No person is asked any more' } as const]),
  ];
}

function told({
  event,
  endpointId,
  startedAt: at,
  durationMs,
  statusCode,
  error,
}: WebhookSend): TimelineEntry {
  const arrived = statusCode !== null && statusCode >= 200 && statusCode < 300;
  const answer = statusCode === null ? error : `answered ${statusCode} in ${durationMs} ms`;
  return {
    at,
    kind: arrived ? 'webhook_delivered' : 'webhook_failed',
    title: `${event} ${arrived ? 'delivered to' : 'did not arrive at'} endpoint ${endpointId}`,
    detail: answer,
    actor: 'system',
    attemptId: null,
  };
}
