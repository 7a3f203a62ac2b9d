import type { RecordedAnswer } from '../shared/idempotency';
import type { FoundPayment } from './find-payment';

/** The answer to the creation of a payment or to an operation on one. */
export type PaymentAnswer =
  | RecordedAnswer
  /** The current payment: the request has no key, or there is no result yet, and then `inProgress` is true. */
  | {
      readonly kind: 'payment';
      readonly payment: FoundPayment;
      readonly inProgress: boolean;
    };
