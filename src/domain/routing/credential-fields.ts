/** The names of the values that are properties of a credentials request; all others are in its `credentials`. */
export const SECRET_KEY_FIELD = 'secret_key';
export const CLIENT_ID_FIELD = 'client_id';

/** A value that a gateway's credentials consist of. */
export interface CredentialField {
  /** `secret_key`, `client_id`, or the name of a value in `credentials`. */
  readonly name: string;
  readonly required: boolean;
  /** Whether it must be kept secret, as opposed to an identifier. */
  readonly secret: boolean;
  /** Where a company finds it at the vendor: one sentence. */
  readonly description: string;
  /** The same in Portuguese. */
  readonly descriptionPt: string;
  /** Whether the platform's account makes no recipients without it. */
  readonly neededForRecipients?: true;
  /** A text of several lines, for example a certificate. */
  readonly multiline?: true;
  /** Null if any text may be right. */
  readonly shape: CredentialShape | null;
}

/** What every value of a field looks like, so that another vendor's value or a truncated one is refused before it is saved. */
export interface CredentialShape {
  readonly pattern: RegExp;
  /** What the value must be, for example `must start with sk_live_ or sk_test_`. */
  readonly rule: string;
}

/** The values of a company's credentials that are encrypted. */
export interface CredentialValues {
  /** Empty if the gateway has none. */
  readonly secretKey: string;
  readonly credentials: Readonly<Record<string, string>>;
}
