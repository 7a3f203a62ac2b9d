import type {
  InquiryOutcomeCode,
  RequestedInquiry,
} from '../../domain/payments/operations/requested-inquiry';
import type { Database, Tx } from '../sql/transaction';

/** How long the sweeper waits for the request to wake the workflow. */
const RECOVERY_DELAY_MS = 5_000;

/** A user asked to have the gateway asked. The caller has locked the payment. */
export async function requestInquiry(
  db: Database,
  tx: Tx,
  paymentId: number,
  now: Date,
): Promise<RequestedInquiry> {
  await db.execute(
    `UPDATE payments SET inquiry_requested_at = $2, inquiry_answered_at = NULL, inquiry_outcome = NULL, recover_after = $3
      WHERE id = $1`,
    [paymentId, now, new Date(now.getTime() + RECOVERY_DELAY_MS)],
    tx,
  );
  return { inquiryRequestedAt: now, inquiryAnsweredAt: null, inquiryOutcome: null };
}

/** Answers the inquiry that was requested at this time, unless it has been answered. */
export async function answerInquiry(
  db: Database,
  paymentId: number,
  requestedAt: Date,
  outcome: InquiryOutcomeCode,
  now: Date,
): Promise<void> {
  await db.execute(
    `UPDATE payments SET inquiry_answered_at = $3, inquiry_outcome = $4
      WHERE id = $1 AND inquiry_requested_at = $2 AND inquiry_answered_at IS NULL`,
    [paymentId, requestedAt, now, outcome],
  );
}
