import { attemptEntries } from './attempt-timeline';
import { clientKeyOf } from '../shared/idempotency-scope';
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

/** The most entries that a timeline has. */
export const TIMELINE_LIMIT = 500;

export interface Timeline {
  readonly entries: readonly TimelineEntry[];
  /** False when the oldest entries are left out. */
  readonly complete: boolean;
}

/**
 * The history of a payment, derived from its rows: the newest `TIMELINE_LIMIT` entries, oldest first. Entries of the same
 * millisecond are in order of cause and effect: requests, answers, status changes, webhooks.
 */
export function paymentTimeline(facts: TimelineFacts): Timeline {
  const { payment, attempts, events, auditedActions } = facts;
  const all: TimelineEntry[] = [
    created(payment),
    ...facts.callbacks.map(received),
    ...auditedActions.flatMap(resolved),
    ...auditedActions.flatMap(inquiryRequested),
    ...attemptEntries({ attempts, events, auditedActions, currency: payment.currency }),
    ...facts.manualReviewPeriods.flatMap(reviewed),
    ...statusEntries(payment, events),
    ...facts.sends.map(delivered),
  ];
  const ordered = all.sort((a, b) => a.at.getTime() - b.at.getTime());
  return { entries: ordered.slice(-TIMELINE_LIMIT), complete: ordered.length <= TIMELINE_LIMIT };
}

function created(payment: TimelinePayment): TimelineEntry {
  const { createdAt: at, paymentMethod, amountCents, currency, merchantOrderId, idempotencyKey } = payment;
  const key =
    idempotencyKey === null ? 'no idempotency key' : `idempotency key ${clientKeyOf(idempotencyKey)}`;
  const detail = [paymentMethod, formatMoney(amountCents, currency), `order ${merchantOrderId}`, key].join(
    ', ',
  );
  return { at, kind: 'created', title: 'Payment created', detail, actor: 'company', attemptId: null };
}

function received({
  attemptId,
  gatewaySlug,
  kind,
  trusted,
  receivedAt: at,
}: TimelineCallback): TimelineEntry {
  const title =
    kind === 'chargeback' ? `Chargeback notice from ${gatewaySlug}` : `Callback from ${gatewaySlug}`;
  const detail = trusted ? 'signed' : 'unsigned, treated as a hint';
  return {
    at,
    kind: kind === 'chargeback' ? 'chargeback' : 'callback',
    title,
    detail,
    actor: 'gateway',
    attemptId,
  };
}

/** A resolution by an operator. Other user actions are part of the entry of their operation. */
function resolved({ at, action, email, changes }: AuditedAction): TimelineEntry[] {
  if (action !== 'payment.resolve') return [];
  const { outcome, reason, attempt_id: attemptId } = changes;
  return [
    {
      at,
      kind: 'resolved',
      title: `Resolved as ${String(outcome)} by ${email}`,
      detail: typeof reason === 'string' ? reason : null,
      actor: 'admin',
      attemptId: typeof attemptId === 'string' ? attemptId : null,
    },
  ];
}

/** A user had the gateway asked. What it answered is an entry of its own if it changed something. */
function inquiryRequested({ at, action, email }: AuditedAction): TimelineEntry[] {
  if (action !== 'payment.inquire') return [];
  const title = `Inquiry requested by ${email}`;
  return [{ at, kind: 'inquiry_requested', title, detail: null, actor: 'admin', attemptId: null }];
}

function reviewed({ startedAt, endedAt }: ManualReviewPeriod): TimelineEntry[] {
  const common = { detail: null, actor: 'system', attemptId: null } as const;
  return [
    { ...common, at: startedAt, kind: 'manual_review_started', title: 'Manual review started' },
    ...(endedAt === null
      ? []
      : [{ ...common, at: endedAt, kind: 'manual_review_ended', title: 'Manual review ended' } as const]),
  ];
}

function delivered({
  event,
  endpointId,
  startedAt: at,
  durationMs,
  statusCode,
  error,
}: WebhookSend): TimelineEntry {
  const isDelivered = statusCode !== null && statusCode >= 200 && statusCode < 300;
  const answer = statusCode === null ? error : `answered ${statusCode} in ${durationMs} ms`;
  return {
    at,
    kind: isDelivered ? 'webhook_delivered' : 'webhook_failed',
    title: `${event} ${isDelivered ? 'delivered' : 'not delivered'} to endpoint ${endpointId}`,
    detail: answer,
    actor: 'system',
    attemptId: null,
  };
}
