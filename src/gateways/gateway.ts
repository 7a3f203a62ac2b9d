import type { ReportedChargeState } from '../domain/payments/reported-charge-state';
import type { ChargeInitiation, CustomerInitiation, NetworkIds } from '../domain/shared/charge-initiation';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { DeclineClass } from '../domain/payments/decline';
import type { SentPixExpiry } from '../domain/routing/expiry-support';
import type { Capabilities } from '../domain/routing/routing';
import type { PaymentMethod } from '../domain/payments/payment';
import type { CredentialField, CredentialValues } from '../domain/routing/credential-fields';
import type { GatewayAccessToken } from './gateway-access-tokens';
import type {
  CallbackHint,
  CallbackKeySource,
  CallbackProof,
  CallbackReading,
  RawCallback,
  ShownDisputes,
} from './callback';
import type { Endpoints } from './driver-names';
import type { DocumentedAnswer } from './error-answers';
import type { ClientCertificate, GatewayCall } from './http';
import type { InquirySubject } from './inquired-refund';
import type { ChangesPage, ChangesQuery } from './restored/changes';
import type { DisputeDriver } from './disputes/dispute-driver';
import type { StatementDriver } from './statements/statement-driver';
import type { GatewayAddress, PurchaseData } from './purchase-data';
import type {
  CallRecipient,
  KnownRecipient,
  Recipient,
  RecipientAuthorization,
  SubaccountInformation,
} from './recipient';

export type { GatewayAddress, InquirySubject, Recipient, SubaccountInformation };

/** The connection data and limits of one gateway call. */
export interface GatewayContext {
  readonly gateway: GatewaySlug;
  /** The URLs of the driver's endpoints. */
  readonly endpoints: Endpoints;
  /** The company's secret key at this gateway; the platform's key for platform gateways. Empty if the gateway has none. */
  readonly secretKey: string;
  readonly clientId: string | null;
  /** The company's further credentials by name, for example a client certificate. Empty with the platform's key. */
  readonly credentials: Readonly<Record<string, string>>;
  /** In whose name the call is made, at a gateway whose recipients authorize the platform. Omitted for the account itself. */
  readonly recipient?: CallRecipient;
  /** The attempt row's id: stable across activity retries, different for every attempt. */
  readonly idempotencyKey: string;
  /** Epoch ms. A request that has not started by then is not sent and fails with `not_sent`. */
  readonly sendBefore: number;
  /** Sends the requests of this call. */
  readonly http: GatewayCall;
  /** The tokens that the gateway gave for these credentials, by the driver's names for them. */
  readonly accessTokens: CallAccessTokens;
  /** Whether the account's quota leaves room for an inquiry now; if so, the inquiry counts as made. For the caller of `inquire`. */
  takeInquiry(): boolean;
}

export interface CallAccessTokens {
  /** A valid token; `request` gets one if there is none. Its errors reach every call that waits for the token. */
  get(name: string, request: () => Promise<GatewayAccessToken>): Promise<string>;
  /** After the gateway refused the token, so that the next call asks for another. */
  forget(name: string, value: string): Promise<void>;
}

export interface GatewayCard {
  readonly number: string;
  /** Null for a saved card, and for a replay after the CVV was erased. */
  readonly cvv: string | null;
  readonly holderName: string;
  readonly expireMonth: number;
  /** Four digits. */
  readonly expireYear: number;
  readonly brand: string;
  /** What the gateway returned for the card as `gatewayToken` of a charge in this account. Omitted if it has returned none. */
  readonly gatewayToken?: string;
}

export interface GatewayCustomer {
  readonly name: string;
  readonly email: string;
  /** Digits of a CPF, or a CNPJ without punctuation. Null for a guest, whose payment is not in BRL (`requiredDocument`). */
  readonly document: string | null;
}

/** One recipient's amount. The splits of a request always sum to its amount. */
export interface GatewaySplit {
  readonly recipientId: string;
  /** Of the gross amount. */
  readonly amountCents: number;
  /** The whole percents that the company asked for. Omitted for flat splits, and in a capture or refund. */
  readonly percent?: number;
  readonly liable: boolean;
  readonly chargeProcessingFee: boolean;
}

/** A new charge or authorization. `reference` is our id of the attempt: unique, prefixed with the payment's transaction_id. */
export interface ChargeRequest {
  readonly reference: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly paymentMethod: PaymentMethod;
  readonly installments: number;
  readonly softDescriptor: string | null;
  readonly customer: GatewayCustomer;
  readonly card: GatewayCard | null;
  /** Of the cardholder, or of who pays the pix or boleto. */
  readonly billingAddress: GatewayAddress | null;
  readonly purchase: PurchaseData;
  readonly splits: readonly GatewaySplit[];
  /** Set for a pix. */
  readonly pix: PixRequest | null;
  /** Set for a billet. */
  readonly billet: BilletRequest | null;
  /** Who initiates the charge and why. A merchant-initiated one has the ids of the transaction in which the customer agreed. */
  readonly initiation: ChargeInitiation;
}

/** What the gateway's `pixExpiry` allows. */
export type PixRequest = SentPixExpiry;

export interface BilletRequest {
  /** `YYYY-MM-DD` in Brazilian time. */
  readonly dueAt: string;
  /** ISO instant after which the boleto can no longer be paid. */
  readonly expiresAt: string;
  readonly instructions: string | null;
}

export interface PixData {
  readonly qrCode: string;
  readonly expiresAt: string;
  readonly endToEndId: string | null;
}

export interface BilletData {
  readonly line: string;
  readonly barcode: string;
  readonly url: string;
  readonly dueAt: string;
}

export interface Accepted extends ShownDisputes {
  /**
   * `pending`: of a charge, its customer has not paid it yet; of a capture, cancel or refund, the gateway certainly has it
   * and says later whether it carried it out.
   */
  readonly kind: 'approved' | 'authorized' | 'pending' | 'canceled' | 'refunded';
  readonly gatewayTransactionId: string;
  readonly amountCents: number;
  readonly responseCode: string;
  readonly responseMessage: string;
  readonly authorizationCode: string | null;
  /** What the card's network returned; later merchant-initiated charges of the card send it. Null if the gateway does not tell. */
  readonly networkIds: NetworkIds | null;
  /** With what the same account charges the card later without its security code, in the driver's own form. Omitted without it. */
  readonly gatewayToken?: string;
  /** ISO instant after which an authorization can no longer be captured. */
  readonly captureBefore: string | null;
  /** Cents paid so far for a pix or billet; null for a card. */
  readonly paidAmountCents: number | null;
  readonly pix: PixData | null;
  readonly billet: BilletData | null;
  /** The state of the whole charge, from an inquiry about the charge; null in any other answer. */
  readonly chargeState: ReportedChargeState | null;
}

export type Declined = {
  readonly kind: 'declined';
  /** What the gateway says, for support. It has no card data and no personal data. */
  readonly message: string;
  /** Mastercard's Merchant Advice Code (DE 48, subelement 84) sent with the decline, two digits. */
  readonly adviceCode: string | null;
  readonly gatewayTransactionId: string | null;
} & CodeOrClass;

type CodeOrClass =
  /** ISO 8583 / ABECS response code. What it means depends on the card's network: see `declineRule`. */
  | { readonly code: string }
  /** The gateway sent no code. The driver gives the class, and `message` has the gateway's word, for example `cc_rejected_high_risk`. */
  | { readonly code: null; readonly declineClass: DeclineClass };

export type Outcome = Accepted | Declined;

/** An authorization of zero, with which a card is saved or a trial begins. `reference` is a UUID of ours. */
export interface CardVerificationRequest extends Pick<ChargeRequest, 'reference' | 'currency' | 'customer'> {
  readonly card: GatewayCard;
  readonly billingAddress: GatewayAddress | null;
  readonly initiation: CustomerInitiation;
}

export interface VerifiedCard {
  readonly kind: 'verified';
  readonly networkIds: NetworkIds | null;
}

/**
 * What a gateway knows about a reference. `inconclusive` means neither presence nor absence is proven: the gateway cannot
 * look up references, did not answer, or is still processing the request.
 */
export type InquiryResult =
  | { readonly kind: 'found'; readonly outcome: Outcome }
  | { readonly kind: 'not_found' }
  /** `credentialsRejected`: the gateway rejected the secret, so another secret of the account may get an answer. */
  | { readonly kind: 'inconclusive'; readonly reason: string; readonly credentialsRejected?: boolean };

/**
 * The protocol of one payment processor. Methods return outcomes as values, declines included, and throw only
 * `GatewayError`. A driver never retries: the caller knows the attempt's history and decides.
 */
export interface GatewayDriver {
  readonly name: string;
  /** The answers without the gateway's own error body that are definite. None if omitted. */
  readonly documentedAnswers?: readonly DocumentedAnswer[];
  /** What a company's credentials at this gateway consist of. */
  readonly credentialFields: readonly CredentialField[];
  /** What the platform's account may have besides. */
  readonly platformFields?: readonly CredentialField[];
  /** Identifies the company to the gateway in the TLS handshake. Omitted if the gateway asks for no certificate. */
  clientCertificate?(credentials: CredentialValues): ClientCertificate;
  /**
   * Asks the gateway whether it accepts the credentials; moves no money. Throws `bad_credentials` if the gateway refuses them;
   * any other `GatewayError` proves nothing. Omitted if the gateway has no such request.
   */
  verifyCredentials?(ctx: GatewayContext): Promise<void>;
  /** What this driver supports for a slug. The registry applies the slug's own limits on top. */
  capabilities(slug: GatewaySlug): Capabilities;
  charge(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome>;
  /** Authorizes without capturing. */
  authorize(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome>;
  /** Asks the issuer about a card without moving or holding money. Present if a slug's capabilities have `verifiesCards`. */
  verifyCard?(ctx: GatewayContext, request: CardVerificationRequest): Promise<VerifiedCard | Declined>;
  /** Captures the authorized amount, or part of it and releases the rest. As `cancel` and `refund`, it may be `pending`. */
  capture(ctx: GatewayContext, operation: FollowUp): Promise<Outcome>;
  /** Voids an authorization, or cancels an unpaid pix or billet. */
  cancel(ctx: GatewayContext, operation: FollowUp): Promise<Outcome>;
  /** Refunds the captured amount, or part of it. */
  refund(ctx: GatewayContext, operation: FollowUp): Promise<Outcome>;
  /** Shows charges of the context's account only. Looks up by the gateway's id if known, else by our reference (a call that timed out left no gateway id). Never throws `GatewayError`: a failed inquiry is inconclusive. */
  inquire(ctx: GatewayContext, subject: InquirySubject): Promise<InquiryResult>;
  /** One page of the account's changed charges. Omitted if the gateway cannot list them. Throws `GatewayError`. */
  listChanges?(ctx: GatewayContext, query: ChangesQuery): Promise<ChangesPage>;
  createRecipient?(
    ctx: GatewayContext,
    reference: string,
    information: SubaccountInformation,
  ): Promise<Recipient>;
  /** Finds a recipient by our reference; null if the gateway never created one. Throws `GatewayError` if neither is proven. */
  findRecipient?(ctx: GatewayContext, reference: string, known: KnownRecipient): Promise<Recipient | null>;
  /** Present at a gateway whose recipients authorize the platform; it then has neither of the two methods above. */
  readonly recipientAuthorization?: RecipientAuthorization<GatewayContext>;
  /** Present if the capabilities of a slug have `disputeAnswers`. */
  readonly disputes?: DisputeDriver<GatewayContext>;
  /** Present if the capabilities of a slug have `statements`. */
  readonly statements?: StatementDriver<GatewayContext>;
  /** What the proof of a callback covers. */
  readonly callbackProof: CallbackProof;
  /** Where the gateway publishes the keys that sign its callbacks. Omitted if it signs with a shared secret. */
  readonly callbackKeys?: CallbackKeySource;
  /** Parses an unverified callback. */
  readCallback(raw: RawCallback): CallbackReading;
  /**
   * Verifies what `hint` was read from. `unsigned` without a proof or without a known secret; `invalid` if the proof is wrong. The
   * gateway's published keys are among the secrets, as JSON texts of JWKs.
   */
  verifyCallback(
    raw: RawCallback,
    hint: CallbackHint,
    secrets: readonly string[],
    now: Date,
  ): 'valid' | 'invalid' | 'unsigned';
}

export interface FollowUp {
  /** Our id of this operation. */
  readonly reference: string;
  /** The gateway's id of the charge or authorization. */
  readonly gatewayTransactionId: string;
  readonly amountCents: number;
  /** Of the charge. */
  readonly currency: string;
  readonly splits: readonly GatewaySplit[];
  /** The company's refund reason, free text. */
  readonly reason: string | null;
  /** The account that receives the refund of a billet. */
  readonly bankAccount: RefundBankAccount | null;
}

/** Field names follow `default_bank_account` of the API. */
export interface RefundBankAccount {
  readonly holder_name: string;
  readonly holder_type: 'individual' | 'company';
  readonly holder_document: string;
  readonly bank_code: string;
  readonly branch_number: string;
  readonly account_number: string;
  readonly account_check_digit: string;
  readonly type: 'checking' | 'savings';
}
