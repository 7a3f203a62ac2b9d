import type { Language } from '../users/language';
import type { Role } from '../users/permission';
import type { AuthenticatedCompany } from './company';

/** A user of one company. */
export interface User {
  readonly id: number;
  readonly companyId: number;
  readonly name: string;
  /** As entered at registration. Unique in lower case. */
  readonly email: string;
  readonly role: Role;
  /** Of the mails to the user. */
  readonly language: Language;
}

/** The user of a valid access token. */
export interface AuthenticatedUser extends User {
  /** The token's id, which signing out revokes. */
  readonly jti: string;
  /** Whether the user has proved access to the mailbox. Registration does not verify the address. */
  readonly emailVerified: boolean;
  /** Whether the company requires a second factor that the user does not have: then the user can only enrol. */
  readonly mustEnrol: boolean;
}

/** The company of a user, with its name. */
export interface UserCompany extends AuthenticatedCompany {
  readonly name: string;
}

/** An authenticated user and the user's company. */
export interface SignedIn {
  readonly user: AuthenticatedUser;
  readonly company: UserCompany;
}
