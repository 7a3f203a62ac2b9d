import type { PaymentRecord } from './payment-personal-data';

/** The columns that change after a payment is created. */
export type PaymentChange = Partial<
  Pick<
    PaymentRecord,
    | 'status'
    | 'message'
    | 'code'
    | 'card'
    | 'capturedAmountCents'
    | 'refundedAmountCents'
    | 'paidAmountCents'
    | 'postedCapturedCents'
    | 'postedRefundedCents'
    | 'postedPaidCents'
    | 'disputedAmountCents'
    | 'dispute'
    | 'captureBefore'
    | 'expiresAt'
    | 'paidAt'
    | 'settledAt'
    | 'stuckAt'
    | 'gatewaysRequestMs'
    | 'eventSequence'
    | 'recoverAfter'
    | keyof PaymentPolled
  >
>;

/** The times of a status poll and of the test clock. */
export type PaymentPolled = Pick<PaymentRecord, 'lastPolledAt' | 'clockOffsetMs' | 'clockNow'>;
