import type { AttemptStatus } from '../payments/payment';

/** What the records have of the payments that lines of a statement may be about: all at one gateway, of one company. */
export interface KnownRecords {
  readonly payments: readonly KnownPayment[];
  /** Lines of the account that were matched before, with ids that these lines have, too. */
  readonly earlierLineIds: readonly string[];
}

export interface KnownPayment {
  readonly transactionId: string;
  readonly currency: string;
  readonly charges: readonly KnownCharge[];
  /** Refunds that the gateway has made. */
  readonly refunds: readonly KnownRefund[];
  /** What the ledger has received of it at this gateway. */
  readonly received: readonly Received[];
  /** What the ledger expects the gateway to settle or deduct. */
  readonly receivables: readonly Receivable[];
  /** The gateway's ids of its disputes. */
  readonly disputeIds: readonly string[];
}

/** A charge or authorization that was sent to the gateway. */
export interface KnownCharge {
  readonly attemptId: string;
  readonly reference: string;
  readonly gatewayTransactionId: string | null;
  readonly status: AttemptStatus;
  /** Our references of its captures, which a gateway may name instead of the charge's. */
  readonly captureReferences: readonly string[];
}

export interface KnownRefund {
  readonly attemptId: string;
  readonly reference: string;
  readonly amountCents: number;
  /** Whether an earlier line is about it. */
  readonly isMatched: boolean;
  /** The charge that it gave back, if that is not part of the payment: made late, or a second time. Null for any other refund. */
  readonly reversed: { readonly attemptId: string; readonly gatewayTransactionId: string | null } | null;
}

interface Expected {
  readonly entryId: string;
  /** A receivable is positive, a deduction negative. */
  readonly amountCents: number;
  readonly postedAt: Date;
  /** The sum of earlier lines of it, without a sign. */
  readonly matchedCents: number;
  /** Whether an earlier line is about it. */
  readonly isMatched: boolean;
}

/** An entry of the ledger that records money of the customer. */
export type Received = Expected;

/** A posting of the ledger: what the gateway is expected to settle on a day. */
export interface Receivable extends Expected {
  readonly posting: number;
  /** `YYYY-MM-DD` in Brasília. */
  readonly expectedOn: string;
  readonly installment: number | null;
}
