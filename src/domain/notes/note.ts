/** What a user wrote about a payment or a customer. */
export interface Note {
  readonly id: string;
  /** The author's name at that time. */
  readonly author: string;
  /** Null once the customer is erased. */
  readonly text: string | null;
  readonly createdAt: Date;
}

/** What a note is about. Internal ids. */
export interface NoteSubject {
  readonly companyId: number;
  readonly customerId: number;
  /** Null for the customer itself. */
  readonly paymentId: number | null;
}

/** Notes of one payment or customer, so that lists stay bounded. */
export const MAX_NOTES = 1_000;
