import type { Role } from '../../domain/users/permission';
import type { SignedIn } from '../../domain/companies/user';
import type { Database, Tx } from '../sql/transaction';

export interface NewUserSession {
  readonly jti: string;
  readonly userId: number;
  /** The hash that the password was checked against. No session is inserted if it has changed. */
  readonly passwordHash: string;
  readonly expiresAt: Date;
}

interface SessionRow {
  readonly jti: string;
  readonly userId: number;
  readonly companyId: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly emailVerified: boolean;
  readonly clientId: string;
  readonly companyName: string;
  readonly timezone: string;
  readonly pixExpiresInSeconds: number;
  readonly billetDueDays: number;
}

/** Owns `user_sessions`. */
export class UserSessionRepository {
  constructor(private readonly database: Database) {}

  /**
   * False if the password has changed since it was checked; `FOR SHARE` waits for a change in progress. Also deletes the
   * user's expired sessions.
   */
  async insert({ jti, userId, passwordHash, expiresAt }: NewUserSession, tx?: Tx): Promise<boolean> {
    const inserted = await this.database.execute(
      `WITH expired AS (DELETE FROM user_sessions WHERE user_id = $2 AND expires_at < now())
       INSERT INTO user_sessions (jti, user_id, expires_at)
       SELECT $1, id, $4 FROM users WHERE id = $2 AND password_hash = $3 FOR SHARE`,
      [jti, userId, passwordHash, expiresAt],
      tx,
    );
    return inserted === 1;
  }

  async find(jti: string): Promise<SignedIn | null> {
    const row = await this.database.queryOne<SessionRow>(
      `SELECT s.jti, u.id AS "userId", u.company_id AS "companyId", u.name, u.email, u.role,
              u.email_verified_at IS NOT NULL AS "emailVerified",
              c.client_id AS "clientId", c.name AS "companyName", c.timezone,
              c.pix_expires_in AS "pixExpiresInSeconds", c.billet_due_days AS "billetDueDays"
         FROM user_sessions s JOIN users u ON u.id = s.user_id JOIN companies c ON c.id = u.company_id
        WHERE s.jti = $1`,
      [jti],
    );
    return row && toSignedIn(row);
  }

  async delete(jti: string): Promise<void> {
    await this.database.execute('DELETE FROM user_sessions WHERE jti = $1', [jti]);
  }

  async deleteAll(tx: Tx, userId: number): Promise<void> {
    await this.database.execute('DELETE FROM user_sessions WHERE user_id = $1', [userId], tx);
  }
}

function toSignedIn(row: SessionRow): SignedIn {
  const { jti, userId, companyId, name, email, role, emailVerified, clientId, companyName, timezone } = row;
  const { pixExpiresInSeconds, billetDueDays } = row;
  return {
    user: { id: userId, companyId, name, email, role, emailVerified, jti },
    company: { id: companyId, clientId, timezone, pixExpiresInSeconds, billetDueDays, name: companyName },
  };
}
