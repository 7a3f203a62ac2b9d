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
import { FORBIDDEN_BY_STATE } from '../payments/operation-refusal';
import type { AttemptStatus } from '../payments/payment';

/** What else tells of a payment's operations. */
interface AttemptSources {
  readonly attempts: readonly TimelineAttempt[];
  readonly events: readonly TimelineEvent[];
  /** What the company's people did to the payment. */
  readonly auditedActions: readonly AuditedAction[];
  readonly currency: string;
}

/** The same, by operation. */
interface Surroundings extends AttemptSources {
  readonly byId: ReadonlyMap<string, TimelineAttempt>;
  readonly inquiriesOf: ReadonlyMap<string | null, readonly TimelineAttempt[]>;
  /** Who asked for it, where it was one of the company's people. */
  readonly askedBy: ReadonlyMap<unknown, AuditedAction>;
  /** A person said what became of it, and stands for it. */
  readonly resolved: ReadonlySet<unknown>;
}

/**
 * What happened to each operation: asked for or routed, sent, answered. A row keeps only its last state, and an inquiry
 * that found something is a row of its own: so what the call itself was answered is told by those before it.
 */
export function attemptEntries(sources: AttemptSources): TimelineEntry[] {
  const inquiriesOf = new Map<string | null, TimelineAttempt[]>();
  for (const inquiry of sources.attempts.filter(({ operation }) => operation === 'inquiry')) {
    const { targetAttemptId } = inquiry;
    inquiriesOf.set(targetAttemptId, [...(inquiriesOf.get(targetAttemptId) ?? []), inquiry]);
  }
  const said = sources.auditedActions.filter(({ action }) => action === 'payment.resolve');
  const asked = sources.auditedActions.filter(({ action }) => action !== 'payment.resolve');
  const around = {
    ...sources,
    byId: new Map(sources.attempts.map((attempt) => [attempt.id, attempt])),
    inquiriesOf,
    askedBy: new Map(asked.map((deed) => [deed.changes['attempt_id'], deed])),
    resolved: new Set(said.map(({ changes }) => changes['attempt_id'])),
  };
  return sources.attempts.flatMap((attempt) =>
    entriesOf(attempt, around).map((entry) => ({ ...entry, attemptId: attempt.id })),
  );
}

function entriesOf(attempt: TimelineAttempt, around: Surroundings): EntryDescription[] {
  if (attempt.operation === 'inquiry') return [inquired(attempt, around)];
  return [beginning(attempt, around), ...sent(attempt, around), ...answers(attempt, around)];
}

function inquired(
  { targetAttemptId, gatewaySlug, createdAt: at, ...inquiry }: TimelineAttempt,
  { byId }: Surroundings,
): EntryDescription {
  const subject = byId.get(targetAttemptId ?? '');
  const title = `${gatewaySlug} was asked about the ${nameOf(subject ?? inquiry)}`;
  return { at, kind: 'inquired', title, detail: describeInquiry(inquiry), actor: 'system' };
}

function beginning(attempt: TimelineAttempt, around: Surroundings): EntryDescription {
  return attempt.purpose === 'charge' ? routed(attempt) : requested(attempt, around);
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

function requested(attempt: TimelineAttempt, { askedBy, currency }: Surroundings): EntryDescription {
  const { purpose, createdAt: at, reason, idempotencyKey: key } = attempt;
  const title = `${capitalized(amountOf(attempt, currency))} asked for`;
  if (purpose !== 'command') {
    const detail =
      purpose === 'lapse'
        ? 'its time to be captured is over'
        : 'the charge came through after it was given up';
    return { at, kind: 'requested', title, detail, actor: 'system' };
  }
  const deed = askedBy.get(attempt.id);
  const details = [
    ...(deed === undefined ? [] : [`by ${deed.email}`]),
    ...(reason === null ? [] : [`reason: ${reason}`]),
    ...(key === null ? [] : [`idempotency key ${key}`]),
  ];
  const actor = deed === undefined ? 'company' : 'admin';
  return { at, kind: 'requested', title, detail: details.join(', ') || null, actor };
}

function sent(attempt: TimelineAttempt, { currency }: Surroundings): EntryDescription[] {
  const { sentAt: at, gatewaySlug, tries } = attempt;
  if (at === null) return [];
  const title = `${capitalized(amountOf(attempt, currency))} sent to ${gatewaySlug}`;
  const detail = tries > 1 ? `again, since it had not arrived: ${tries} times in all` : null;
  return [{ at, kind: 'sent', title, detail, actor: 'system' }];
}

function answers(attempt: TimelineAttempt, around: Surroundings): EntryDescription[] {
  const { sentAt, requestMs, updatedAt, status } = attempt;
  const inquiries = around.inquiriesOf.get(attempt.id) ?? [];
  if (wasForbidden(attempt)) return [forbidden(attempt)];
  if (sentAt === null || status === 'sent') return [];
  // What was noted later than the answer came is not the answer's time.
  const answeredAt = new Date(Math.min(sentAt.getTime() + (requestMs ?? 0), updatedAt.getTime()));
  const first = firstStatus(attempt, inquiries, around);
  const answer = describeAnswer(
    { ...attempt, status: first },
    first === status && inquiries.length === 0,
    answeredAt,
  );
  return [answer, ...later(attempt, first, inquiries, around)];
}

/** How the call itself was answered. */
function firstStatus(
  attempt: TimelineAttempt,
  [inquiry]: readonly TimelineAttempt[],
  { events }: Surroundings,
): AttemptStatus {
  if (attempt.errorFamily === 'ambiguous') return 'unknown';
  if (inquiry === undefined) return wasAnswered(attempt) ? attempt.status : 'unknown';
  if (attempt.purpose !== 'charge') return 'unknown';
  // Asked about although the payment had moved by it: then because a customer paid, or somebody did something there.
  const made = events.find(
    ({ createdAt }) => createdAt >= attempt.createdAt && createdAt < inquiry.createdAt,
  );
  return made?.status === 'pending' || made?.status === 'authorized' ? made.status : 'unknown';
}

function wasAnswered({ requestMs, status }: TimelineAttempt): boolean {
  return requestMs !== null || status === 'requested';
}

/** Whether the payment's state had come to forbid it when its turn came. */
function wasForbidden({ status, errorFamily, responseCode }: TimelineAttempt): boolean {
  return status === 'error' && errorFamily === null && responseCode === FORBIDDEN_BY_STATE;
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

/** What came after the call's own answer and is no inquiry: a person's word, or an answer that came too late. */
function later(
  attempt: TimelineAttempt,
  first: AttemptStatus,
  inquiries: readonly TimelineAttempt[],
  { resolved }: Surroundings,
): EntryDescription[] {
  const { id, status, updatedAt: at, gatewaySlug, responseMessage } = attempt;
  if (first !== 'unknown') return [];
  const isAccepted = status === 'approved' || status === 'authorized' || status === 'pending';
  if (isAccepted && inquiries.at(-1)?.status === 'abandoned') {
    const title = `${gatewaySlug} approved the ${nameOf(attempt)} after all`;
    return [{ at, kind: 'gateway_accepted', title, detail: codeAndMessage(attempt), actor: 'gateway' }];
  }
  const isOpen = status === 'unknown' || status === 'sent' || status === 'requested';
  if (isOpen || resolved.has(id) || inquiries.length > 0) return [];
  const title = `A person said what became of the ${nameOf(attempt)}`;
  return [{ at, kind: 'resolved', title, detail: responseMessage, actor: 'admin' }];
}
