/** The company a request speaks for, once its API key was checked. */
export interface AuthenticatedCompany {
  readonly id: number;
  /** The public identifier, `X-Client-ID`. */
  readonly clientId: string;
  /** IANA name; the zone of the company's list filters, due dates and billing days. */
  readonly timezone: string;
}

/** What registration answers. The key exists only here: the service keeps its keyed hash. */
export interface CompanyCredentials {
  readonly clientId: string;
  readonly apiKey: string;
}
