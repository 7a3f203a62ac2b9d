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
