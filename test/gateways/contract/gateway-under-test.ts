import type { Endpoints } from '../../../src/gateways/driver-names';
import type { AccountFeature } from '../../../src/domain/routing/learned-limits';
import type { RequirableField } from '../../../src/domain/routing/required-data';
import type { DeclineClass } from '../../../src/domain/payments/decline';
import type { GatewayErrorFamily } from '../../../src/domain/payments/gateway-error-family';
import type { RawCallback } from '../../../src/gateways/callback';
import type { ChargeRequest, GatewayCard } from '../../../src/gateways/gateway';

/** A fault of a payment's next request to the gateway, or of its next request of one operation. */
export type GatewayFault =
  /** The gateway's own error with this status. Nothing is processed. */
  | { readonly status: number }
  | { readonly delay_ms: number }
  /** The gateway's own answer that the account lacks this feature. */
  | { readonly lacks: AccountFeature }
  | { readonly drop: 'before' | 'after' }
  | { readonly hang: 'before' | 'after' }
  | { readonly truncate: true; readonly drop?: 'after'; readonly status?: number }
  | ForeignAnswer
  | { readonly duplicate_id: true };

/** A page with this status that is not the gateway's own answer, sent after the gateway processed the request. */
export interface ForeignAnswer {
  readonly html: number;
  /** HTML if omitted. */
  readonly body?: 'html' | 'json' | 'empty';
}

/** What a driver may send of a purchase. */
export type PurchaseField = RequirableField | 'description' | 'origin';

/** How a test of `pendingOperations` lets the gateway accept an operation now and give it a result later. */
export interface PendingControl {
  /** Of the payment's next operation of this kind. `fault`: what happens to the answer besides. */
  leave(
    transactionId: string,
    operation: string,
    then: 'executed' | 'refused',
    fault?: { readonly drop: 'after' },
  ): Promise<void>;
  /** Gives it its result. */
  finish(transactionId: string, operation: string): Promise<void>;
}

/** The gateway that a driver calls: a simulator, or another test double with fault injection. */
export interface GatewayUnderTest {
  /** A gateway with several endpoints serves all of them here. */
  readonly endpoints: Endpoints;
  readonly goodSecret: string;
  readonly badSecret: string;
  /** Omitted if the gateway has none. */
  readonly goodClientId?: string;
  readonly approvedCard: string;
  /** What its test cards need besides their numbers; any holder, expiry and security code if omitted. */
  readonly cardDetails?: Partial<Omit<GatewayCard, 'number'>>;
  /** What customers of tests must be; any if omitted. */
  readonly customerDetails?: Partial<ChargeRequest['customer']>;
  /** Card numbers that are declined, by response code; empty if no decline has one. */
  readonly declinedCards: Readonly<Record<string, string>>;
  /** Card numbers that are declined without a response code, by the class of the decline; omitted if all declines have one. */
  readonly cardsDeclinedWithoutCode?: Readonly<Partial<Record<DeclineClass, string>>>;
  /** Whether an inquiry finds a declined charge; true if omitted. A gateway that keeps none proves its absence. */
  readonly keepsDeclines?: boolean;
  /** Whether an inquiry can prove that a refund of a part was never made; true if omitted. */
  readonly provesPartialRefundAbsence?: boolean;
  /** Whether it returns the issuer's authorization code and the network's ids of a charge; true if omitted. */
  readonly returnsIssuerData?: boolean;
  /** Whether it returns the network's ids of a verified card; true if omitted. */
  readonly returnsIdsOfVerifiedCards?: boolean;
  /** The features that `injectFault` can take from an account; omitted if the gateway has no such answer. */
  readonly accountFeatures?: readonly AccountFeature[];
  /** Card numbers that are declined with an advice code, by that code; empty if the gateway returns no advice codes. */
  readonly advisedCards: Readonly<Record<string, string>>;
  /** Documents that create a recipient in the given status. */
  readonly documents: Readonly<Record<'active' | 'pending' | 'refused', string>>;
  /** What an inquiry tells of a recipient whose creation was not answered; `active` if omitted. */
  readonly recipientWithoutSecret?: 'pending';
  readonly webhookSecret: string;
  /** Further credentials, by the driver's names for them. */
  readonly goodCredentials?: Readonly<Record<string, string>>;
  /** As these, with keys for recipients that the gateway does not know; the same if recipients are made with `badSecret`. */
  readonly badCredentials?: Readonly<Record<string, string>>;
  /** The same callback without its signature; without headers if omitted. */
  unsigned?(callback: RawCallback): RawCallback;
  /** The family of the gateway's own error by its status. */
  readonly ownErrors: Readonly<Record<number, GatewayErrorFamily>>;
  /** Whether our reference is the charge's id there, so that a repeated request is the same charge; false if omitted. */
  readonly referenceIsId?: boolean;
  /** The operations whose repeated key it answers without their result, which an inquiry then tells; none if omitted. */
  readonly silentRepeats?: readonly string[];
  /** The family of its answer to a key that another request had used. */
  readonly reusedKey: GatewayErrorFamily;
  injectFault(transactionId: string, trouble: GatewayFault, operation?: string): Promise<void>;
  /** Captured minus refunded cents of all charges of a payment, as the gateway reports. */
  netCapturedCents(transactionId: string): Promise<number>;
  /** Whether an inquiry tells that a request is still in progress. Otherwise `lookupSettlesMs` covers it. */
  readonly tellsInProgress: boolean;
  /** Whether customers can pay a pix or billet in parts, too much, or after a cancel. */
  readonly takesAnyPayment: boolean;
  /** The customer pays a pix or billet, by default the requested amount. */
  pay(transactionId: string, amountCents?: number): Promise<void>;
  /** Whether each inquiry about such a recipient gives another link; false if omitted. */
  readonly consentLinksChange?: boolean;
  /** Lets the next recipient with this reference wait for its owner's consent; omitted if the gateway asks for none. */
  leaveToOwner?(reference: string): Promise<void>;
  /** An owner consents at a link, and comes back with this. Needed if recipients authorize the platform. */
  consent?(link: string): Promise<{ readonly code: string; readonly state: string }>;
  /** The gateway activates or refuses a pending recipient. */
  decideRecipient(recipientId: string, status: 'active' | 'refused'): Promise<void>;
  /** A cardholder disputes the payment. */
  dispute(transactionId: string): Promise<void>;
  /** The callbacks of a payment so far, oldest first. */
  callbacks(transactionId: string): Promise<readonly RawCallback[]>;
  /** How many initiations differ in the gateway's protocol; all if omitted. */
  readonly distinctInitiations?: number;
  /** What the gateway received about the initiator and the reason of the payment's charges. */
  receivedInitiations(transactionId: string): Promise<readonly object[]>;
  /** What the driver sends of a purchase besides what its capabilities require. */
  readonly sentOfPurchases?: readonly PurchaseField[];
  /** What it received about the payment's purchase, in its own protocol. Needed if the driver sends anything of it. */
  receivedPurchases?(transactionId: string): Promise<readonly object[]>;
  /** The number of requests of the payment that the gateway received. */
  requestCount(transactionId: string): Promise<number>;
  /**
   * Whether an inquiry shows a refund that the gateway has accepted and not carried out; true if omitted. Otherwise it is
   * inconclusive until then.
   */
  readonly showsPendingRefunds?: boolean;
  /** Needed if the driver's capabilities name `pendingOperations`. */
  readonly pending?: PendingControl;
}
