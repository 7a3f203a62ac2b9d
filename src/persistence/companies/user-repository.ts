import type { Language } from '../../domain/users/language';
import type { Role } from '../../domain/users/permission';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import { ownCompanyId } from '../../domain/shared/mode';
import { companyColumns } from './company-columns';
import type { MailRecipient } from '../../domain/companies/mail';
import type { User, UserCompany } from '../../domain/companies/user';
import type { Database, Tx } from '../sql/transaction';

/** A user with the password hash and company, for signing in. */
export interface UserAccount {
  readonly user: User;
  readonly company: UserCompany;
  readonly passwordHash: string;
}

export interface NewUser {
  readonly companyId: number;
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly role: Role;
  readonly language: Language;
  /** Whether the user has proved to read mail at the address. */
  readonly emailVerified?: boolean;
}

/** A user whose password was reset. */
export interface ResetUser {
  readonly id: number;
  readonly email: string;
  readonly companyId: number;
  readonly clientId: string;
  /** Whether nobody had proved before to read mail at the user's address. */
  readonly firstProof: boolean;
  /** Whether the user registered with the company's key pair. */
  readonly claimed: boolean;
}

type AccountRow = Omit<User, 'id'> &
  AuthenticatedCompany & {
    readonly userId: number;
    readonly passwordHash: string;
    readonly companyName: string;
  };

/** Owns `users`. */
export class UserRepository {
  constructor(private readonly database: Database) {}

  /** Null if a user with this email exists. Case is ignored. */
  async insert(
    tx: Tx,
    { companyId, name, email, passwordHash, role, language, emailVerified = false }: NewUser,
  ): Promise<User | null> {
    return this.database.queryOne<User>(
      `INSERT INTO users (company_id, name, email, password_hash, role, email_verified_at, language)
       VALUES ($1, $2, $3, $4, $5, CASE WHEN $6 THEN now() END, $7)
       ON CONFLICT (lower(email)) DO NOTHING
       RETURNING id, company_id AS "companyId", name, email, role, language`,
      [companyId, name, email, passwordHash, role, emailVerified, language],
      tx,
    );
  }

  async findByEmail(email: string): Promise<UserAccount | null> {
    const row = await this.database.queryOne<AccountRow>(
      `SELECT u.id AS "userId", u.company_id AS "companyId", u.name, u.email, u.role, u.language, u.password_hash AS "passwordHash",
              c.name AS "companyName", ${companyColumns('c')}
         FROM users u JOIN companies c ON c.id = u.company_id
        WHERE lower(u.email) = lower($1) AND u.removed_at IS NULL`,
      [email],
    );
    return row && toAccount(row);
  }

  /** The company's owners and admins. */
  async listAdmins(companyId: number): Promise<MailRecipient[]> {
    return this.database.query<MailRecipient>(
      `SELECT email, language FROM users WHERE company_id = $1 AND removed_at IS NULL AND role IN ('owner', 'admin') ORDER BY id`,
      [ownCompanyId(companyId)],
    );
  }

  async updateProfile(
    tx: Tx,
    userId: number,
    { name, language }: Pick<User, 'name' | 'language'>,
  ): Promise<void> {
    await this.database.execute(
      'UPDATE users SET name = $2, language = $3, updated_at = now() WHERE id = $1',
      [userId, name, language],
      tx,
    );
  }

  /** Also marks the email as verified: the token was sent to it. */
  async resetPassword(tx: Tx, userId: number, passwordHash: string): Promise<ResetUser> {
    const reset = await this.database.queryOne<ResetUser>(
      `WITH before AS (
         SELECT u.id, u.email_verified_at IS NULL AS "firstProof", c.claimed_at IS NOT NULL AS claimed, c.client_id
           FROM users u JOIN companies c ON c.id = u.company_id WHERE u.id = $1 FOR UPDATE OF u)
       UPDATE users
          SET password_hash = $2, email_verified_at = COALESCE(email_verified_at, now()), updated_at = now()
         FROM before WHERE users.id = before.id
       RETURNING users.id, users.email, users.company_id AS "companyId", before."firstProof", before.claimed,
                 before.client_id AS "clientId"`,
      [userId, passwordHash],
      tx,
    );
    if (reset === null) throw new Error('the user does not exist');
    return reset;
  }

  /** Marks the email as verified. False if it is already. */
  async verifyEmail(tx: Tx, userId: number): Promise<boolean> {
    const verified = await this.database.execute(
      'UPDATE users SET email_verified_at = now(), updated_at = now() WHERE id = $1 AND email_verified_at IS NULL',
      [userId],
      tx,
    );
    return verified === 1;
  }
}

function toAccount(row: AccountRow): UserAccount {
  const { userId, companyId, name, email, role, language, passwordHash, companyName, ...company } = row;
  return {
    user: { id: userId, companyId, name, email, role, language },
    company: { ...company, name: companyName },
    passwordHash,
  };
}
