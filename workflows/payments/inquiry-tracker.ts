import { inquiryPauseMs } from '../../src/domain/payments/inquiry-schedule';
import type { UnknownOperation } from '../messages';

const ESCALATED_INQUIRY_INTERVAL_MS = 60 * 60 * 1000;
/** Anybody can send a callback: the gateway is asked because of them at most this often. */
const HURRY_PAUSE_MS = 10_000;

/** One operation without a certain result, and how far the asking about it has come. Instants are epoch ms, everybody's. */
interface Inquiry {
  operation: UnknownOperation;
  asked: number;
  /** When it was asked last. */
  askedAt: number;
  nextAt: number;
  /** When a person is asked, should the gateway not have told by then. */
  readonly deadline: number;
  /** It was asked once more after that, in vain. */
  overdue: boolean;
  escalated: boolean;
}

function newQuestion(operation: UnknownOperation, stuckAfterMs: number, now: number): Inquiry {
  const deadline = now + stuckAfterMs;
  return { operation, asked: 0, askedAt: -Infinity, nextAt: now, deadline, overdue: false, escalated: false };
}

/**
 * What a payment has to find out: soon and often at first, on a bounded schedule, and then from a person. A question on
 * the desk is still put to the gateway now and then, and to the database with it: another worker may have the answer.
 * All of it takes real time, also where the sandbox moves the payment's clock: the gateway does not answer any sooner.
 */
export class InquiryTracker {
  private readonly open = new Map<string, Inquiry>();

  /** Brings the list up to date with what is unknown now. */
  update(unknown: readonly UnknownOperation[], stuckAfterMs: number, now: number): void {
    const ids = new Set(unknown.map(({ attemptId }) => attemptId));
    for (const id of this.open.keys()) if (!ids.has(id)) this.open.delete(id);
    for (const operation of unknown) {
      const known = this.open.get(operation.attemptId);
      if (known !== undefined) known.operation = operation;
      else this.open.set(operation.attemptId, newQuestion(operation, stuckAfterMs, now));
    }
  }

  /** The operation to ask about now, if its time has come. */
  nextDue(now: number): UnknownOperation | null {
    return [...this.open.values()].find(({ nextAt }) => nextAt <= now)?.operation ?? null;
  }

  /** Notes that the gateway was asked; its answer, if it had one, comes by `update`. */
  asked(attemptId: string, now: number): void {
    const question = this.open.get(attemptId);
    if (question === undefined) return;
    question.asked += 1;
    question.askedAt = now;
    question.overdue ||= now >= question.deadline;
    question.nextAt =
      now +
      (question.escalated
        ? ESCALATED_INQUIRY_INTERVAL_MS
        : inquiryPauseMs(question.asked, question.operation.provableInMs));
  }

  /** The operation to bring to the desk: the gateway has had its time. */
  overdue(): UnknownOperation | null {
    return [...this.open.values()].find(({ overdue, escalated }) => overdue && !escalated)?.operation ?? null;
  }

  escalate(attemptId: string, now: number): void {
    const question = this.open.get(attemptId);
    if (question === undefined) return;
    question.escalated = true;
    question.nextAt = now + ESCALATED_INQUIRY_INTERVAL_MS;
  }

  /** The operation a person is asked about, the one that has waited longest first. */
  escalated(): UnknownOperation | null {
    return [...this.open.values()].find(({ escalated }) => escalated)?.operation ?? null;
  }

  /** Asks from the beginning, as a person wished. */
  restart(attemptId: string, stuckAfterMs: number, now: number): void {
    const question = this.open.get(attemptId);
    if (question === undefined) return;
    this.open.set(attemptId, newQuestion(question.operation, stuckAfterMs, now));
  }

  /** Something may have happened at the gateway: everything is asked at once that was not asked just now. */
  expedite(now: number): void {
    for (const question of this.open.values()) {
      question.nextAt = Math.min(question.nextAt, Math.max(now, question.askedAt + HURRY_PAUSE_MS));
    }
  }

  /** When the next question is put; never (`Infinity`) when there is none. */
  get nextAt(): number {
    return Math.min(...[...this.open.values()].map(({ nextAt }) => nextAt));
  }

  /** Whether there is one that the gateway is expected to answer soon. */
  get hasActive(): boolean {
    return [...this.open.values()].some(({ escalated }) => !escalated);
  }

  /** Whether a person is asked about this operation. */
  isOnDesk(attemptId: string): boolean {
    return this.open.get(attemptId)?.escalated ?? false;
  }

  get empty(): boolean {
    return this.open.size === 0;
  }
}
