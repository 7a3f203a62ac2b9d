import { inquiryPauseMs } from '../../src/domain/payments/inquiry-schedule';
import type { UnknownOperation } from '../messages';

/** An escalated attempt is still inquired, because another worker may have recorded its result. */
const ESCALATED_INQUIRY_INTERVAL_MS = 60 * 60 * 1000;
/** Anybody can send callbacks, so they expedite inquiries at most this often. */
const MIN_EXPEDITE_INTERVAL_MS = 10_000;

/** The inquiries about one attempt of unknown outcome. Instants are wall-clock times in epoch ms. */
interface Inquiry {
  operation: UnknownOperation;
  count: number;
  lastAt: number;
  nextAt: number;
  /** When the attempt is escalated if its outcome is still unknown. */
  readonly deadline: number;
  /** An inquiry after the deadline was inconclusive. */
  overdue: boolean;
  escalated: boolean;
}

function newInquiry(operation: UnknownOperation, stuckAfterMs: number, now: number): Inquiry {
  const deadline = now + stuckAfterMs;
  return { operation, count: 0, lastAt: -Infinity, nextAt: now, deadline, overdue: false, escalated: false };
}

/**
 * Schedules the inquiries about attempts of unknown outcome: with exponential backoff until a deadline, then hourly after
 * escalation to an operator. It uses wall-clock time even under a test clock, because gateways answer in real time.
 */
export class InquiryTracker {
  private readonly open = new Map<string, Inquiry>();

  /** Replaces the tracked attempts by those that are unknown now, and keeps the schedule of the others. */
  update(unknown: readonly UnknownOperation[], stuckAfterMs: number, now: number): void {
    const ids = new Set(unknown.map(({ attemptId }) => attemptId));
    for (const id of this.open.keys()) if (!ids.has(id)) this.open.delete(id);
    for (const operation of unknown) {
      const inquiry = this.open.get(operation.attemptId);
      if (inquiry !== undefined) inquiry.operation = operation;
      else this.open.set(operation.attemptId, newInquiry(operation, stuckAfterMs, now));
    }
  }

  /** An attempt whose inquiry is due. */
  nextDue(now: number): UnknownOperation | null {
    return [...this.open.values()].find(({ nextAt }) => nextAt <= now)?.operation ?? null;
  }

  /** Schedules the next inquiry after an inconclusive one. A conclusive one has removed the attempt by `update`. */
  recordInquiry(attemptId: string, now: number): void {
    const inquiry = this.open.get(attemptId);
    if (inquiry === undefined) return;
    inquiry.count += 1;
    inquiry.lastAt = now;
    inquiry.overdue ||= now >= inquiry.deadline;
    inquiry.nextAt =
      now +
      (inquiry.escalated
        ? ESCALATED_INQUIRY_INTERVAL_MS
        : inquiryPauseMs(inquiry.count, inquiry.operation.absenceProvenInMs));
  }

  /** An attempt to escalate. */
  overdue(): UnknownOperation | null {
    return [...this.open.values()].find(({ overdue, escalated }) => overdue && !escalated)?.operation ?? null;
  }

  escalate(attemptId: string, now: number): void {
    const inquiry = this.open.get(attemptId);
    if (inquiry === undefined) return;
    inquiry.escalated = true;
    inquiry.nextAt = now + ESCALATED_INQUIRY_INTERVAL_MS;
  }

  /** The escalated attempt that has waited longest for an operator. */
  escalated(): UnknownOperation | null {
    return [...this.open.values()].find(({ escalated }) => escalated)?.operation ?? null;
  }

  /** Restarts the schedule of an attempt, as an operator requested. */
  restart(attemptId: string, stuckAfterMs: number, now: number): void {
    const inquiry = this.open.get(attemptId);
    if (inquiry === undefined) return;
    this.open.set(attemptId, newInquiry(inquiry.operation, stuckAfterMs, now));
  }

  /** Makes all inquiries due now, because a callback arrived. Recent inquiries are not repeated at once. */
  expedite(now: number): void {
    for (const inquiry of this.open.values()) {
      inquiry.nextAt = Math.min(inquiry.nextAt, Math.max(now, inquiry.lastAt + MIN_EXPEDITE_INTERVAL_MS));
    }
  }

  /** When the next inquiry is due; `Infinity` if there is none. */
  get nextAt(): number {
    return Math.min(...[...this.open.values()].map(({ nextAt }) => nextAt));
  }

  /** Whether some attempt is not escalated, so that its gateway is expected to answer soon. */
  get hasActive(): boolean {
    return [...this.open.values()].some(({ escalated }) => !escalated);
  }

  get empty(): boolean {
    return this.open.size === 0;
  }
}
