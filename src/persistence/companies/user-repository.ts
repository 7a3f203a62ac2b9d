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
}

type AccountRow = User &
  Omit<UserCompany, 'id' | 'name'> & { readonly passwordHash: string; readonly companyName: string };

/** Owns `users`. */
export class UserRepository {
  constructor(private readonly database: Database) {}

  /** Null if a user with this email exists. Case is ignored. */
  async insert(tx: Tx, { companyId, name, email, passwordHash }: NewUser): Promise<User | null> {
    return this.database.queryOne<User>(
      `INSERT INTO users (company_id, name, email, password_hash) VALUES ($1, $2, $3, $4)
       ON CONFLICT (lower(email)) DO NOTHING
       RETURNING id, company_id AS "companyId", name, email`,
      [companyId, name, email, passwordHash],
      tx,
    );
  }

  async findByEmail(email: string): Promise<UserAccount | null> {
    const row = await this.database.queryOne<AccountRow>(
      `SELECT u.id, u.company_id AS "companyId", u.name, u.email, u.password_hash AS "passwordHash",
              c.name AS "companyName", c.client_id AS "clientId", c.timezone,
              c.pix_expires_in AS "pixExpiresInSeconds", c.billet_due_days AS "billetDueDays"
         FROM users u JOIN companies c ON c.id = u.company_id
        WHERE lower(u.email) = lower($1)`,
      [email],
    );
    return row && toAccount(row);
  }

  /** Emails of all users of the company. */
  async listEmails(companyId: number): Promise<string[]> {
    const rows = await this.database.query<{ email: string }>(
      'SELECT email FROM users WHERE company_id = $1 ORDER BY id',
      [companyId],
    );
    return rows.map(({ email }) => email);
  }

  /** Also marks the email as verified: the token was sent to it. */
  async resetPassword(tx: Tx, userId: number, passwordHash: string): Promise<void> {
    await this.database.execute(
      `UPDATE users SET password_hash = $2, email_verified_at = COALESCE(email_verified_at, now()), updated_at = now()
        WHERE id = $1`,
      [userId, passwordHash],
      tx,
    );
  }
}

function toAccount(row: AccountRow): UserAccount {
  const { id, companyId, name, email, passwordHash, companyName, clientId, timezone } = row;
  const { pixExpiresInSeconds, billetDueDays } = row;
  return {
    user: { id, companyId, name, email },
    company: { id: companyId, clientId, timezone, pixExpiresInSeconds, billetDueDays, name: companyName },
    passwordHash,
  };
}
