/** `needs_consent`: the gateway waits for its owner, who consents at `consentUrl`. */
export type RecipientStatus = 'pending' | 'needs_consent' | 'active' | 'refused';

export interface Recipient {
  /** Of one that needs consent and has no id yet, our reference. It is shown once no consent is needed. */
  readonly recipientId: string;
  readonly status: RecipientStatus;
  readonly message: string | null;
  /** Where the owner consents. Set if and only if the status is `needs_consent`. An inquiry can give a newer one. */
  readonly consentUrl?: string;
  /** What the gateway gives once, such as an API key of the recipient. It is stored encrypted and replaces an earlier one. */
  readonly secret?: string;
}

/** What is stored about a recipient that is looked up, for gateways that find none by our reference or that answer its own key only. */
export interface KnownRecipient {
  /** Null if no answer of the gateway told it. */
  readonly recipientId: string | null;
  /** When its creation was sent, the last time if it was repeated; null if it never was. */
  readonly sentAt: Date | null;
  readonly information: SubaccountInformation;
  /** What the gateway gave once; null if it gave nothing, or its answer was lost. */
  readonly secret: string | null;
}

/** The validated `subaccount_information` of the API. */
export type SubaccountInformation = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly email: string;
  readonly document: string;
  readonly type: 'individual' | 'corporation';
};

/**
 * OAuth 2.0 with an authorization code and PKCE (RFC 6749 section 4.1, RFC 7636), at a gateway whose recipients are accounts of
 * others: their owners let the platform's application act for them, and calls about their payments are made with their tokens.
 */
export interface RecipientAuthorization<Context> {
  /** Where the owner consents. Throws `unsupported` if the platform's account has no application. */
  consentUrl(ctx: Context, request: ConsentRequest): string;
  /** Redeems a code, which the gateway takes once. `invalid_request`: it refuses the code. */
  redeem(ctx: Context, code: ConsentCode): Promise<RecipientGrant>;
  /** Replaces a secret. The old one may have ended even if the answer is lost. `invalid_request`: its owner must consent again. */
  renew(ctx: Context, secret: string): Promise<RecipientGrant>;
}

export interface ConsentRequest {
  /** Where the owner's browser is sent with the code. */
  readonly redirectUri: string;
  /** Comes back with the code. */
  readonly state: string;
  /** BASE64URL of the SHA-256 of the verifier. */
  readonly codeChallenge: string;
}

export interface ConsentCode {
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

export interface RecipientGrant {
  /** The gateway's id of the account. */
  readonly recipientId: string;
  /** For calls in the recipient's name (`GatewayContext.recipient`) and for renewals. */
  readonly secret: string;
  /** Of the secret, in ms from its receipt on. */
  readonly expiresInMs: number;
}

/** The recipient in whose name a call is made. */
export interface CallRecipient {
  readonly recipientId: string;
  readonly secret: string;
}
