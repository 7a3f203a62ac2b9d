import { attemptEntries } from './attempt-timeline';
import { sentKey } from '../shared/idempotency-scope';
import { formatMoney } from '../shared/money';
import { statusEntries } from './status-timeline';
import type {
  AuditedAction,
  ManualReviewPeriod,
  TimelineCallback,
  TimelineEntry,
  TimelineFacts,
  TimelinePayment,
  WebhookSend,
} from './timeline-types';

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
  const { payment, attempts, events, auditedActions } = facts;
  const all: TimelineEntry[] = [
    created(payment),
    ...facts.callbacks.map(called),
    ...auditedActions.flatMap(resolved),
    ...attemptEntries({ attempts, events, auditedActions, currency: payment.currency }),
    ...facts.manualReviewPeriods.flatMap(visited),
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
function resolved({ at, action, email, changes }: AuditedAction): TimelineEntry[] {
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

function visited({ startedAt, endedAt }: ManualReviewPeriod): TimelineEntry[] {
  const common = { detail: null, actor: 'system', attemptId: null } as const;
  return [
    { ...common, at: startedAt, kind: 'desk_entered', title: 'A person is asked' },
    ...(endedAt === null
      ? []
      : [{ ...common, at: endedAt, kind: 'desk_left', title: 'No person is asked any more' } as const]),
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
