import type { Mode } from '../shared/mode';

/** The company of an authenticated request, in the request's mode. */
export interface AuthenticatedCompany {
  /** What the company's rows of this mode belong to. */
  readonly id: number;
  readonly mode: Mode;
  /** The public identifier, `X-Client-ID`. */
  readonly clientId: string;
  /** IANA name. Applies to list filters, due dates and billing days. */
  readonly timezone: string;
  /** Default expiry of a pix. */
  readonly pixExpiresInSeconds: number;
  /** Default number of business days until a billet is due. */
  readonly billetDueDays: number;
}

/** Optional company data of a user's registration. */
export interface CompanyDetails {
  /** Without punctuation, in upper case. */
  readonly cnpj?: string | undefined;
  readonly financialEmail?: string | undefined;
  /** Digits only. */
  readonly phone?: string | undefined;
  /** Who referred the company, free text. */
  readonly referrer?: string | undefined;
}

/** The result of a registration. The API key is shown only once: the service stores a keyed hash. */
export interface CompanyCredentials {
  readonly clientId: string;
  readonly apiKey: string;
}
