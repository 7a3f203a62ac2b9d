import type { DisputeRequestKind } from './dispute-request';

/** `med` is the special return of a pix (Mecanismo Especial de Devolução). A retrieval only asks for documents. */
export const DISPUTE_KINDS = ['chargeback', 'retrieval', 'med'] as const;
export type DisputeKind = (typeof DISPUTE_KINDS)[number];

/** A dispute that is reopened is `opened` again; one of which a part is returned to the company is `won`. */
export const DISPUTE_STATUSES = ['opened', 'submitted', 'won', 'lost', 'accepted'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** The whole state of a dispute as its gateway reports it. */
export interface ReportedDispute {
  readonly kind: DisputeKind;
  readonly status: DisputeStatus;
  readonly amountCents: number;
  /** What the company gets back of a won dispute; all of it if omitted. */
  readonly returnedCents?: number;
  /** As the network or the gateway names the reason. */
  readonly reasonCode: string | null;
  /** Until when evidence can be submitted. */
  readonly evidenceDueAt: Date | null;
  /** When the dispute became so, by the gateway's clock. Reports may arrive in any order. */
  readonly at: Date;
}

export interface Dispute {
  readonly kind: DisputeKind;
  readonly status: DisputeStatus;
  readonly amountCents: number;
  /** What the company got back; 0 until the dispute is decided. */
  readonly returnedCents: number;
  readonly reasonCode: string | null;
  readonly evidenceDueAt: Date | null;
  /** The `at` of the last report that counted. */
  readonly reportedAt: Date;
}

/** How far a status is. Of reports of the same instant only one that is further counts. */
const RANK: Readonly<Record<DisputeStatus, number>> = {
  opened: 0,
  submitted: 1,
  won: 2,
  lost: 2,
  accepted: 2,
};

/** Whether the dispute is decided, unless the gateway opens it again. */
export function isDecided({ status }: Pick<Dispute, 'status'>): boolean {
  return status === 'won' || status === 'lost' || status === 'accepted';
}

/** Whether the company can still submit evidence, or accept the dispute. */
export function awaitsCompany({ status }: Pick<Dispute, 'status'>): boolean {
  return status === 'opened';
}

/** What the company answered, as far as its gateway has it. */
export interface DisputeAnswer {
  readonly kind: DisputeRequestKind;
  /** When the gateway took it, by our clock; null if it may have it and has not answered. */
  readonly takenAt: Date | null;
}

/** The dispute after a report of its gateway; null if the report is not newer than what is known. */
export function applyReport(
  before: Dispute | null,
  report: ReportedDispute,
  answer: DisputeAnswer | null = null,
): Dispute | null {
  if (before !== null && !isNewer(before, report)) return null;
  const status = statusAfter(before, report, answer);
  const { kind, amountCents, reasonCode, evidenceDueAt, at: reportedAt } = report;
  const returnedCents = status === 'won' ? Math.min(report.returnedCents ?? amountCents, amountCents) : 0;
  // A report that only repeats what is known still counts: one of an earlier instant may follow it.
  return { kind, status, amountCents, returnedCents, reasonCode, evidenceDueAt, reportedAt };
}

/** Whether a report says nothing that is not known. A gateway reports an accepted dispute as a lost one. */
export function isKnown(known: Dispute, report: ReportedDispute): boolean {
  const status = known.status === 'accepted' && report.status === 'lost' ? 'accepted' : report.status;
  const after = applyReport(null, { ...report, status });
  return (
    after !== null &&
    after.kind === known.kind &&
    after.status === known.status &&
    after.amountCents === known.amountCents &&
    after.returnedCents === known.returnedCents &&
    after.reasonCode === known.reasonCode &&
    after.evidenceDueAt?.getTime() === known.evidenceDueAt?.getTime()
  );
}

const STATUS_AFTER_ANSWER = { accept: 'accepted', evidence: 'submitted' } as const;

/** The dispute after its gateway took the company's answer; null if it does not wait for the company any more. */
export function applyAnswer(before: Dispute, kind: DisputeRequestKind): Dispute | null {
  return awaitsCompany(before) ? { ...before, status: STATUS_AFTER_ANSWER[kind] } : null;
}

function statusAfter(
  before: Dispute | null,
  report: ReportedDispute,
  answer: DisputeAnswer | null,
): DisputeStatus {
  const isAccepted = before?.status === 'accepted';
  // A gateway reports an accepted dispute as a lost one.
  if (report.status === 'lost' && (isAccepted || answer?.kind === 'accept')) return 'accepted';
  // A report from before the answer that arrives late does not open the dispute again.
  const isLate = answer !== null && answer.takenAt !== null && report.at <= answer.takenAt;
  if (isLate && isAccepted && !isDecided(report)) return 'accepted';
  return isLate && before?.status === 'submitted' && report.status === 'opened' ? 'submitted' : report.status;
}

function isNewer(before: Dispute, { at, status }: ReportedDispute): boolean {
  if (+at !== +before.reportedAt) return at > before.reportedAt;
  return RANK[status] > RANK[before.status];
}

/** What is published about a change: a dispute was opened, or opened again, or it was decided. Null if neither. */
export function announcementOf(before: Dispute | null, after: Dispute): 'opened' | 'closed' | null {
  if (isDecided(after))
    return before?.status === after.status && !hasNewResult(before, after) ? null : 'closed';
  return before === null || isDecided(before) ? 'opened' : null;
}

function hasNewResult(before: Dispute, after: Dispute): boolean {
  return before.amountCents !== after.amountCents || before.returnedCents !== after.returnedCents;
}
