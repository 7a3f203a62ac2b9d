/** The company a request speaks for, once its API key was checked. */
export interface AuthenticatedCompany {
  readonly id: number;
  /** The public identifier, `X-Client-ID`. */
  readonly clientId: string;
  /** IANA name; the zone of the company's list filters, due dates and billing days. */
  readonly timezone: string;
  /** How long a pix can be paid unless its request says otherwise. */
  readonly pixExpiresInSeconds: number;
  /** Business days a customer has to pay a billet unless its request names the day. */
  readonly billetDueDays: number;
}

/** What a user's registration tells of the company beside its name. */
export interface CompanyDetails {
  /** 14 digits. */
  readonly cnpj?: string | undefined;
  readonly financialEmail?: string | undefined;
  /** Digits. */
  readonly phone?: string | undefined;
  /** Who sent the company here, in their own words. */
  readonly referrer?: string | undefined;
}

/** What registration answers. The key exists only here: the service keeps its keyed hash. */
export interface CompanyCredentials {
  readonly clientId: string;
  readonly apiKey: string;
}
