import type { AuthenticatedCompany } from './company';

/** A person who administers one company. */
export interface User {
  readonly id: number;
  readonly companyId: number;
  readonly name: string;
  /** As it was written at registration; no two users' are the same in lower case. */
  readonly email: string;
}

/** Who an access token speaks for. */
export interface AuthenticatedUser extends User {
  /** The token's own id: what signing out revokes. */
  readonly jti: string;
  /** Whether somebody proved to read this address's mail. Anybody may register with any address. */
  readonly emailVerified: boolean;
}

/** The company of a user, with what people call it. */
export interface UserCompany extends AuthenticatedCompany {
  readonly name: string;
}

/** A user whose access token was checked, and the company it may act for. */
export interface SignedIn {
  readonly user: AuthenticatedUser;
  readonly company: UserCompany;
}
