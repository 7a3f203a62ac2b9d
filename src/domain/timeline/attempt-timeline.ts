import { clientKeyOf } from '../shared/idempotency-scope';
import {
  amountOf,
  describeAnswer,
  capitalized,
  codeAndMessage,
  describeInquiry,
  nameOf,
  type EntryDescription,
} from './attempt-descriptions';
import type { AuditedAction, TimelineAttempt, TimelineEntry, TimelineEvent } from './timeline-types';
import { isUnfinished } from '../payments/charge-operations';
import { REPORTED_BY_CALLBACK } from '../payments/reported-charge-state';
import { forbiddenCode } from '../payments/operation-refusal';
import type { AttemptPurpose, AttemptStatus } from '../payments/payment';
import { assertNever } from '../shared/assert-never';

/** The rows that describe a payment's attempts. */
interface AttemptSources {
  readonly attempts: readonly TimelineAttempt[];
  readonly events: readonly TimelineEvent[];
  /** Actions of dashboard users on the payment. */
  readonly auditedActions: readonly AuditedAction[];
  readonly currency: string;
}

/** The same rows, indexed by attempt. */
interface IndexedSources extends AttemptSources {
  readonly byId: ReadonlyMap<string, TimelineAttempt>;
  readonly inquiriesOf: ReadonlyMap<string | null, readonly TimelineAttempt[]>;
  /** The dashboard user's action that requested an operation. */
  readonly requestedBy: ReadonlyMap<unknown, AuditedAction>;
  /** Attempts that an operator resolved; the audit log has an entry for each. */
  readonly resolved: ReadonlySet<unknown>;
}

/**
 * The entries of each attempt: requested or routed, sent, answered. A row keeps only its last state, and each inquiry that
 * changed it is a row of its own, so the original answer is derived from those inquiries.
 */
export function attemptEntries(sources: AttemptSources): TimelineEntry[] {
  const inquiriesOf = new Map<string | null, TimelineAttempt[]>();
  for (const inquiry of sources.attempts.filter(isOwnInquiry)) {
    const { targetAttemptId } = inquiry;
    inquiriesOf.set(targetAttemptId, [...(inquiriesOf.get(targetAttemptId) ?? []), inquiry]);
  }
  const resolutions = sources.auditedActions.filter(({ action }) => action === 'payment.resolve');
  const requests = sources.auditedActions.filter(({ action }) => action !== 'payment.resolve');
  const indexed = {
    ...sources,
    byId: new Map(sources.attempts.map((attempt) => [attempt.id, attempt])),
    inquiriesOf,
    requestedBy: new Map(requests.map((action) => [action.changes['attempt_id'], action])),
    resolved: new Set(resolutions.map(({ changes }) => changes['attempt_id'])),
  };
  return sources.attempts.flatMap((attempt) =>
    entriesOf(attempt, indexed).map((entry) => ({ ...entry, attemptId: attempt.id })),
  );
}

/** An inquiry whose result was recorded. One that contradicts the records has changed nothing. */
function isOwnInquiry({ operation, purpose }: TimelineAttempt): boolean {
  return operation === 'inquiry' && purpose !== 'found_at_gateway';
}

function entriesOf(attempt: TimelineAttempt, sources: IndexedSources): EntryDescription[] {
  if (attempt.purpose === 'found_at_gateway') return [found(attempt, sources)];
  if (attempt.operation === 'inquiry') return [inquired(attempt, sources)];
  return [firstEntry(attempt, sources), ...sent(attempt, sources), ...answers(attempt, sources)];
}

function inquired(
  { targetAttemptId, gatewaySlug, createdAt: at, ...inquiry }: TimelineAttempt,
  { byId }: IndexedSources,
): EntryDescription {
  const subject = byId.get(targetAttemptId ?? '');
  const isReported = inquiry.responseMessage === REPORTED_BY_CALLBACK;
  const source = isReported ? `Signed callback of ${gatewaySlug}` : `Inquiry to ${gatewaySlug}`;
  const title = `${source} about the ${nameOf(subject ?? inquiry)}`;
  return { at, kind: 'inquired', title, detail: describeInquiry(inquiry, subject), actor: 'system' };
}

/** What an inquiry found at the gateway that nobody had requested here. */
function found(attempt: TimelineAttempt, { currency }: IndexedSources): EntryDescription {
  const { gatewaySlug, operation, createdAt: at, responseMessage } = attempt;
  if (operation === 'inquiry') {
    const title = `${gatewaySlug} contradicts the records`;
    return { at, kind: 'contradicted', title, detail: responseMessage, actor: 'gateway' };
  }
  const title = `${capitalized(amountOf(attempt, currency))} made at ${gatewaySlug}`;
  return { at, kind: 'made_at_gateway', title, detail: 'not requested here', actor: 'gateway' };
}

function firstEntry(attempt: TimelineAttempt, sources: IndexedSources): EntryDescription {
  return attempt.purpose === 'charge' ? routed(attempt) : requested(attempt, sources);
}

function routed({
  attempt,
  gatewaySlug,
  createdAt: at,
  routingReason: detail,
}: TimelineAttempt): EntryDescription {
  return attempt === 1
    ? { at, kind: 'routed', title: `Routed to ${gatewaySlug}`, detail, actor: 'system' }
    : { at, kind: 'failed_over', title: `Failed over to ${gatewaySlug}`, detail, actor: 'system' };
}

function requested(attempt: TimelineAttempt, { requestedBy, currency }: IndexedSources): EntryDescription {
  const { purpose, createdAt: at, reason, idempotencyKey: key } = attempt;
  const title = `${capitalized(amountOf(attempt, currency))} requested`;
  if (purpose !== 'merchant_request') {
    return { at, kind: 'requested', title, detail: ownReason(purpose), actor: 'system' };
  }
  const action = requestedBy.get(attempt.id);
  const details = [
    ...(action === undefined ? [] : [`by ${action.email}`]),
    ...(reason === null ? [] : [`reason: ${reason}`]),
    ...(key === null ? [] : [`idempotency key ${clientKeyOf(key)}`]),
  ];
  const actor = action === undefined ? 'company' : 'admin';
  return { at, kind: 'requested', title, detail: details.join(', ') || null, actor };
}

/** Why this service made an operation that nobody requested. */
function ownReason(purpose: Exclude<AttemptPurpose, 'merchant_request'>): string | null {
  switch (purpose) {
    case 'reversal':
      return 'the charge was approved after it was recorded as not made';
    case 'authorization_expired':
      return 'the authorization expired';
    case 'duplicate_purchase':
      return 'another payment has paid the checkout session';
    case 'charge':
    case 'found_at_gateway':
      return null;
    default:
      return assertNever(purpose);
  }
}

function sent(attempt: TimelineAttempt, { currency }: IndexedSources): EntryDescription[] {
  const { sentAt: at, gatewaySlug, sendCount, purpose } = attempt;
  if (at === null) return [];
  const title = `${capitalized(amountOf(attempt, currency))} sent to ${gatewaySlug}`;
  const reason =
    purpose === 'charge'
      ? 'with the same idempotency key, because the outcome was unknown'
      : `because ${gatewaySlug} had not received it`;
  const detail = sendCount > 1 ? `sent ${sendCount} times, ${reason}` : null;
  return [{ at, kind: 'sent', title, detail, actor: 'system' }];
}

function answers(attempt: TimelineAttempt, sources: IndexedSources): EntryDescription[] {
  const { sentAt, requestMs, updatedAt, status } = attempt;
  const inquiries = sources.inquiriesOf.get(attempt.id) ?? [];
  if (wasForbidden(attempt)) return [forbidden(attempt)];
  if (sentAt === null || status === 'sent') return [];
  // `updatedAt` alone may be later than the answer.
  const answeredAt = new Date(Math.min(sentAt.getTime() + (requestMs ?? 0), updatedAt.getTime()));
  const first = firstStatus(attempt, inquiries, sources);
  const answer = describeAnswer(
    { ...attempt, status: first },
    first === status && inquiries.length === 0,
    answeredAt,
  );
  return [answer, ...laterEntries(attempt, first, inquiries, sources)];
}

/** The status that the answer to the call itself gave. */
function firstStatus(
  attempt: TimelineAttempt,
  [inquiry]: readonly TimelineAttempt[],
  { events }: IndexedSources,
): AttemptStatus {
  if (attempt.errorFamily === 'ambiguous') return 'unknown';
  // Otherwise an inquiry found that the gateway had accepted it.
  if (attempt.awaitedSince !== null && inquiry?.status !== 'pending') return 'accepted';
  if (inquiry === undefined) return wasAnswered(attempt) ? attempt.status : 'unknown';
  if (attempt.purpose !== 'charge') return 'unknown';
  // An inquiry about an answered charge: the customer paid, or the charge was changed at the gateway.
  const event = events.find(
    ({ createdAt }) => createdAt >= attempt.createdAt && createdAt < inquiry.createdAt,
  );
  return event?.status === 'pending' || event?.status === 'authorized' ? event.status : 'unknown';
}

function wasAnswered({ requestMs, status }: TimelineAttempt): boolean {
  return requestMs !== null || status === 'requested';
}

/** Whether the payment's state no longer allowed the operation when it was its turn. */
function wasForbidden(attempt: TimelineAttempt): boolean {
  return attempt.status === 'error' && forbiddenCode(attempt) !== null;
}

function forbidden(attempt: TimelineAttempt): EntryDescription {
  const { updatedAt: at, responseMessage: detail } = attempt;
  return {
    at,
    kind: 'not_sent',
    title: `${capitalized(nameOf(attempt))} was not sent`,
    detail,
    actor: 'system',
  };
}

/** Entries after the original answer that are not inquiries: a resolution by an operator, or a late answer. */
function laterEntries(
  attempt: TimelineAttempt,
  first: AttemptStatus,
  inquiries: readonly TimelineAttempt[],
  { resolved }: IndexedSources,
): EntryDescription[] {
  const { id, status, updatedAt: at, gatewaySlug, responseMessage } = attempt;
  if (first !== 'unknown') return [];
  const isAccepted = status === 'approved' || status === 'authorized' || status === 'pending';
  if (isAccepted && inquiries.at(-1)?.status === 'abandoned') {
    const title = `${gatewaySlug} approved the ${nameOf(attempt)} late`;
    return [{ at, kind: 'gateway_accepted', title, detail: codeAndMessage(attempt), actor: 'gateway' }];
  }
  if (isUnfinished({ status }) || resolved.has(id) || inquiries.length > 0) return [];
  const title = `An operator resolved the ${nameOf(attempt)}`;
  return [{ at, kind: 'resolved', title, detail: responseMessage, actor: 'admin' }];
}
