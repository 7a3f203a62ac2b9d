import type { ReportedChargeState } from '../domain/payments/reported-charge-state';
import type { DeclineClass } from '../domain/payments/decline';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { Capabilities } from '../domain/routing/routing';
import type { PaymentMethod } from '../domain/payments/payment';
import type { GatewayHttp } from './http';

/** Everything one call needs besides its own data. */
export interface GatewayContext {
  readonly gateway: GatewaySlug;
  readonly baseUrl: string;
  /** The company's secret at this gateway, or the platform's for gateways that take no company credentials. */
  readonly secretKey: string;
  readonly clientId: string | null;
  /** The attempt row's id: stable across activity retries, different for every attempt. */
  readonly idempotencyKey: string;
  /** Epoch ms. A request whose first byte could only leave later is not sent at all (`not_sent`). */
  readonly sendBefore: number;
  /** How long the whole call may take, in ms. */
  readonly timeoutMs: number;
  readonly http: GatewayHttp;
}

export interface GatewayCard {
  readonly number: string;
  /** Null for a saved card, and for replays after it was deleted. */
  readonly cvv: string | null;
  readonly holderName: string;
  readonly expireMonth: number;
  /** Four digits. */
  readonly expireYear: number;
  readonly brand: string;
}

export interface GatewayAddress {
  readonly street: string;
  readonly number: string;
  readonly complementary?: string | null;
  readonly neighborhood: string;
  readonly city: string;
  readonly state: string;
  readonly zip_code: string;
  readonly country?: string | null;
}

export interface GatewayCustomer {
  readonly name: string;
  readonly email: string;
  /** Digits of a CPF, or a CNPJ without punctuation. */
  readonly document: string;
}

/** A recipient's exact part; parts always sum to the amount. */
export interface GatewaySplit {
  readonly recipientId: string;
  readonly amountCents: number;
  readonly liable: boolean;
  readonly chargeProcessingFee: boolean;
}

/** A new charge or authorization. `reference` is ours, unique per attempt, and begins with the payment's transaction_id. */
export interface ChargeRequest {
  readonly reference: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly paymentMethod: PaymentMethod;
  readonly installments: number;
  readonly softDescriptor: string | null;
  readonly customer: GatewayCustomer;
  readonly card: GatewayCard | null;
  readonly billingAddress: GatewayAddress | null;
  readonly splits: readonly GatewaySplit[];
  /** Set for a pix. */
  readonly pix: { readonly expiresInSeconds: number } | null;
  /** Set for a billet. */
  readonly billet: BilletRequest | null;
  /** Set for a charge that its customer does not make: a cycle of a subscription, or a change of its plan. */
  readonly recurring: RecurringRequest | null;
}

/** What networks ask to be told of a charge on a card on file (Visa and Mastercard, stored credential frameworks). */
export interface RecurringRequest {
  readonly initiatedBy: 'merchant';
  /** `first` sets the series up: no charge of it was approved before. */
  readonly sequence: 'first' | 'subsequent';
  /** What the network called the series' first approved charge (`Accepted.networkTransactionId`); null where nobody told it. */
  readonly networkTransactionId: string | null;
}

export interface BilletRequest {
  /** `YYYY-MM-DD`, a day in Brazil. */
  readonly dueAt: string;
  /** ISO instant after which it can no longer be paid. */
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

export interface Accepted {
  readonly kind: 'approved' | 'authorized' | 'pending' | 'canceled' | 'refunded';
  readonly gatewayTransactionId: string;
  readonly amountCents: number;
  readonly responseCode: string;
  readonly responseMessage: string;
  readonly authorizationCode: string | null;
  /** The scheme's id of the first charge of a series, sent with later ones. */
  readonly networkTransactionId: string | null;
  /** ISO instant after which an authorization can no longer be captured. */
  readonly captureBefore: string | null;
  /** What was paid of a pix or billet until now, in cents; null for a card. */
  readonly paidAmountCents: number | null;
  readonly pix: PixData | null;
  readonly billet: BilletData | null;
}

export interface Declined {
  readonly kind: 'declined';
  readonly class: DeclineClass;
  /** ISO 8583 / ABECS response code. */
  readonly code: string;
  readonly message: string;
  /** Mastercard's Merchant Advice Code as the network gave it with the refusal (DE 48, subelement 84), two digits. */
  readonly adviceCode: string | null;
  readonly gatewayTransactionId: string | null;
}

export type Outcome = Accepted | Declined;

/**
 * What a gateway knows of a reference. `inconclusive` covers everything that is neither a certain yes nor a certain no:
 * the driver cannot look up, the gateway did not answer, or it is still working on the request.
 */
export type InquiryResult =
  | { readonly kind: 'found'; readonly outcome: Outcome }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'inconclusive'; readonly reason: string };

export type RecipientStatus = 'pending' | 'active' | 'refused';

export interface Recipient {
  readonly recipientId: string;
  readonly status: RecipientStatus;
  readonly message: string | null;
}

/** Specification 4.3, `subaccount_information`, as validated. */
export type SubaccountInformation = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly email: string;
  readonly document: string;
  readonly type: 'individual' | 'corporation';
};

/**
 * One external processor's protocol. Methods return outcomes as values, declines included, and throw only `GatewayError`.
 * A driver never retries a call that moves money: whoever called decides, knowing the attempt's history.
 */
export interface GatewayDriver {
  readonly name: string;
  /** What this driver can do for a slug; the slug's own limits are applied by the registry. */
  capabilities(slug: GatewaySlug): Capabilities;
  charge(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome>;
  /** Reserves funds without capturing them. */
  authorize(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome>;
  /** Takes the whole authorized amount, or a part; the rest is released. */
  capture(ctx: GatewayContext, operation: FollowUp): Promise<Outcome>;
  /** Releases an authorization, or withdraws an unpaid pix or billet. */
  cancel(ctx: GatewayContext, operation: FollowUp): Promise<Outcome>;
  /** Returns the whole captured amount, or a part. */
  refund(ctx: GatewayContext, operation: FollowUp): Promise<Outcome>;
  /** Asks by our reference (a timed-out call left no gateway id) or, when it is known, by the gateway's id. Never throws `GatewayError`: that is inconclusive. */
  inquire(ctx: GatewayContext, subject: InquirySubject): Promise<InquiryResult>;
  createRecipient?(
    ctx: GatewayContext,
    reference: string,
    information: SubaccountInformation,
  ): Promise<Recipient>;
  /** Finds a recipient by our reference, or null when the gateway never made one; throws `GatewayError` when it cannot tell. */
  findRecipient?(ctx: GatewayContext, reference: string): Promise<Recipient | null>;
  /** What a callback is about, before anything of it is believed; null when its bytes mean nothing. */
  readCallback(raw: RawCallback): CallbackHint | null;
  /** `unsigned` when it carries no signature or no secret is known; a signature that is present and wrong is `invalid`. */
  verifyCallback(raw: RawCallback, secrets: readonly string[], now: Date): 'valid' | 'invalid' | 'unsigned';
}

/** A callback as it came. Header names in lower case. */
export interface RawCallback {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** What a callback says it is about: no trust, no company yet. */
export interface CallbackHint {
  /** The gateway's id of the event; the same when it is sent again. */
  readonly eventId: string;
  readonly kind: 'status' | 'chargeback';
  /** Our reference of the charge. */
  readonly reference: string;
  /** The gateway's own id of it: a lost answer can be asked for by it. */
  readonly gatewayTransactionId: string | null;
  /** How it says the charge stands; null where it does not tell all of that. */
  readonly standing: ReportedChargeState | null;
}

export interface FollowUp {
  /** Our reference of this operation. */
  readonly reference: string;
  /** The charge or authorization it acts on. */
  readonly gatewayTransactionId: string;
  readonly amountCents: number;
  readonly splits: readonly GatewaySplit[];
  /** Why it is refunded, in the company's words. */
  readonly reason: string | null;
  /** Where a billet's money goes back to. */
  readonly bankAccount: BankAccount | null;
}

/** Named as in the interface specification, 4.3, `default_bank_account`. */
export interface BankAccount {
  readonly holder_name: string;
  readonly holder_type: 'individual' | 'company';
  readonly holder_document: string;
  readonly bank_code: string;
  readonly branch_number: string;
  readonly account_number: string;
  readonly account_check_digit: string;
  readonly type: 'checking' | 'savings';
}

export interface InquirySubject {
  readonly reference: string;
  readonly gatewayTransactionId: string | null;
}
