import type { GatewaySlug } from '../shared/gateway-slug';

/** What a gateway was asked, or `callback`: what it sent by itself. */
export type AskedOperation =
  | 'charge'
  | 'authorize'
  | 'capture'
  | 'cancel'
  | 'refund'
  | 'inquiry'
  | 'create_recipient'
  | 'find_recipient'
  | 'authorize_recipient'
  | 'accept_dispute'
  | 'submit_evidence'
  | 'find_dispute'
  | 'fetch_statement'
  | 'verify_card'
  | 'verify_credentials'
  | 'callback';

/** What is kept of an answer: nothing that tells who paid, how much, or with what. */
export interface AnswerShape {
  /** Null if the answer has none, `other` if it is not a common one. */
  readonly contentType: string | null;
  /** JSON with its property names and the types of its values, or the known words of a page. At most 2,000 characters. */
  readonly shape: string;
  /** The same for every answer of this status, content type and shape. */
  readonly fingerprint: string;
}

/** An answer of a gateway that its driver does not know, without secrets and personal data. */
export interface UnrecognizedAnswer extends AnswerShape {
  readonly companyId: number;
  readonly gateway: GatewaySlug;
  /** The name of the gateway's driver. */
  readonly vendor: string;
  readonly operation: AskedOperation;
  /** The HTTP status; null for a callback. */
  readonly status: number | null;
  /** Null if it is not about an attempt of a payment. */
  readonly attemptId: string | null;
  readonly at: Date;
}

/** How often and when something was seen. */
export interface Seen {
  readonly seenCount: number;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

/** A company's unrecognized answers of one shape to one operation. */
export interface KeptAnswer
  extends Omit<UnrecognizedAnswer, 'companyId' | 'gateway' | 'attemptId' | 'at'>, Seen {
  /** The payment of the last one; null if it was about none. */
  readonly lastTransactionId: string | null;
}

/** What a callback that belongs to no payment is about. `other`: nothing that this service does, for example a payout. */
export type UnmatchedCallbackKind = 'status' | 'chargeback' | 'other' | 'unreadable';

/** Verified callbacks of one kind that belong to no payment. */
export interface UnmatchedCallbacks extends Seen {
  readonly kind: UnmatchedCallbackKind;
}

/** What a gateway sent that was not recognized. */
export interface UnrecognizedOfGateway {
  readonly answers: readonly KeptAnswer[];
  readonly callbacks: readonly UnmatchedCallbacks[];
}
