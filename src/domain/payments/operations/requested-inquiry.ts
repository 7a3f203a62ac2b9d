import { activeCharge, isUnfinished } from '../charge-operations';
import type { AttemptOperation, AttemptPurpose, AttemptStatus } from '../payment';

/**
 * What the gateway's answer meant: it changed the payment or an operation; it confirmed the records; the gateway does not
 * know the operation, which proves nothing yet; it gave no certain answer.
 */
export type InquiryOutcomeCode = 'changed' | 'unchanged' | 'not_found' | 'no_answer';

/** A user's request to ask the gateway about a payment now. A payment keeps its last one. */
export interface RequestedInquiry {
  readonly inquiryRequestedAt: Date | null;
  readonly inquiryAnsweredAt: Date | null;
  readonly inquiryOutcome: InquiryOutcomeCode | null;
}

/** The gateway is asked at most once in this time, however often users request it. */
export const INQUIRY_PAUSE_MS = 30_000;

/** Whether the workflow still has to ask. */
export function isInquiryOpen({ inquiryRequestedAt, inquiryAnsweredAt }: RequestedInquiry): boolean {
  return inquiryRequestedAt !== null && inquiryAnsweredAt === null;
}

/** Whether the last request is so recent that another one gets its answer. */
export function isRecentlyRequested({ inquiryRequestedAt }: RequestedInquiry, now: Date): boolean {
  return inquiryRequestedAt !== null && now.getTime() - inquiryRequestedAt.getTime() < INQUIRY_PAUSE_MS;
}

interface InquiredAttempt {
  readonly operation: AttemptOperation;
  readonly purpose: AttemptPurpose;
  readonly status: AttemptStatus;
  readonly amountCents: number;
}

/** Whether a gateway can be asked about something: a charge that it holds, or an operation without a result. */
export function canInquire(attempts: readonly InquiredAttempt[]): boolean {
  return activeCharge(attempts) !== null || attempts.some(isUnfinished);
}
