import type { CallbackSubjectName } from '../domain/payments/callback-subject-name';
import type { ReportedChargeState } from '../domain/payments/reported-charge-state';
import type { ReportedDispute } from '../domain/disputes/dispute';
import type { Endpoints } from './driver-names';

/** What a gateway's callbacks prove by themselves. */
export interface CallbackProof {
  /** A `static_token` is the same in each callback, so it may have been overheard: such a callback stays unsigned. */
  readonly kind: 'signature' | 'static_token' | 'none';
  /** Whether the signature covers what the callback reports. Otherwise only the charge that it names counts. */
  readonly coversBody: boolean;
  /** Whether it covers the time of sending, so that an old callback cannot be repeated. */
  readonly coversTime: boolean;
  /** The headers that verifying needs, by names in lower case. They are stored with a signed callback. */
  readonly headers: readonly string[];
}

export type CallbackReading =
  /** Not a callback of this gateway. */
  | { readonly kind: 'unreadable' }
  /** A callback of this gateway about nothing that this service does, for example a payout. */
  | {
      readonly kind: 'foreign';
      /** What verifying it needs to know of it. Omitted if that is nothing. */
      readonly verifiedBy?: Pick<CallbackHint, 'eventId' | 'subject'>;
    }
  | { readonly kind: 'hints'; readonly hints: readonly CallbackHint[] };

/** Where a gateway publishes the keys that sign its callbacks: a JWK set (RFC 7517). */
export interface CallbackKeySource {
  url(endpoints: Endpoints): string;
  /** The id of the key that a callback names; null if it is not signed. */
  keyId(raw: Pick<RawCallback, 'headers'>): string | null;
}

/** A callback as received. Header names are in lower case. */
export interface RawCallback {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Without the question mark; empty if there is none. */
  readonly query: string;
}

/** The claims of an unverified callback. */
export interface CallbackHint {
  /** The gateway's event id, the same when the event is sent again. */
  readonly eventId: string;
  readonly kind: 'status' | 'chargeback';
  /** Which charge it is about. */
  readonly subject: CallbackSubjectName;
  /**
   * The charge state that the callback reports; null if it is incomplete. At a gateway without inquiries, of a callback that
   * names a capture, cancel or refund by our reference: its result, `declined` if it was refused.
   */
  readonly reportedState: ReportedChargeState | null;
  /**
   * At a gateway without inquiries: cents of a refund that was made on the gateway's own pages, if the callback does not tell the
   * state of the whole charge; negative if such a refund came back.
   */
  readonly refundCents?: number;
  /** Of a callback about a dispute that reports all of it. */
  readonly dispute?: DisputeHint;
}

/** What an inquiry about a charge may show besides its outcome. */
export interface ShownDisputes {
  /** The disputes of the charge, as far as the gateway shows them. Omitted if it shows none. */
  readonly disputes?: readonly DisputeHint[];
}

export interface DisputeHint extends ReportedDispute {
  readonly gatewayDisputeId: string;
  /** ISO 4217; null: that of the payment. A dispute in another currency is only a notice. */
  readonly currency: string | null;
}
