import type { Language } from '../../domain/users/language';
import type { Role } from '../../domain/users/permission';
import { MAX_SESSIONS, type SessionOrigin, type UserSession } from '../../domain/users/user-session';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { Mode } from '../../domain/shared/mode';
import { companyColumns } from './company-columns';
import type { SignedIn } from '../../domain/companies/user';
import type { Database, Tx } from '../sql/transaction';

export interface NewUserSession {
  readonly jti: string;
  readonly userId: number;
  /** The hash that the password was checked against. No session is inserted if it has changed. */
  readonly passwordHash: string;
  readonly expiresAt: Date;
  readonly origin: SessionOrigin;
}

interface SessionRow extends AuthenticatedCompany {
  readonly jti: string;
  readonly userId: number;
  readonly companyId: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly language: Language;
  readonly emailVerified: boolean;
  readonly mustEnrol: boolean;
  readonly companyName: string;
}

/** Owns `user_sessions`. */
export class UserSessionRepository {
  constructor(private readonly database: Database) {}

  /**
   * False if the password has changed since it was checked; `FOR SHARE` waits for a change in progress. Also deletes the
   * user's expired sessions, and the oldest one of too many.
   */
  async insert({ jti, userId, passwordHash, expiresAt, origin }: NewUserSession, tx?: Tx): Promise<boolean> {
    const inserted = await this.database.execute(
      `WITH ended AS (
         DELETE FROM user_sessions WHERE user_id = $2 AND (expires_at < now() OR jti IN
           (SELECT jti FROM user_sessions WHERE user_id = $2 ORDER BY created_at DESC OFFSET $7)))
       INSERT INTO user_sessions (jti, user_id, expires_at, device, network)
       SELECT $1, id, $4, $5, $6 FROM users WHERE id = $2 AND password_hash = $3 AND removed_at IS NULL FOR SHARE`,
      [jti, userId, passwordHash, expiresAt, origin.device, origin.network, MAX_SESSIONS - 1],
      tx,
    );
    return inserted === 1;
  }

  /** With the company in the given mode if it has a row of that mode, else in the deployment's mode. */
  async find(jti: string, mode: Mode | null): Promise<SignedIn | null> {
    const row = await this.database.queryOne<SessionRow>(
      `SELECT s.jti, u.id AS "userId", u.company_id AS "companyId", u.name, u.email, u.role, u.language,
              u.email_verified_at IS NOT NULL AS "emailVerified",
              u.totp_enabled_at IS NULL
                AND (SELECT own.require_two_factor FROM companies own WHERE own.id = u.company_id) AS "mustEnrol",
              c.name AS "companyName", ${companyColumns('c')}
         FROM user_sessions s JOIN users u ON u.id = s.user_id
         JOIN companies c ON c.id = COALESCE(
           (SELECT other.id FROM companies other WHERE other.id = -u.company_id AND other.mode = $2), u.company_id)
        WHERE s.jti = $1`,
      [jti, mode],
    );
    return row && toSignedIn(row);
  }

  /** Writes at most once a minute. */
  async recordUse(jti: string): Promise<void> {
    await this.database.execute(
      `UPDATE user_sessions SET last_seen_at = now()
        WHERE jti = $1 AND (last_seen_at IS NULL OR last_seen_at < now() - interval '1 minute')`,
      [jti],
    );
  }

  /** The user's valid sessions, newest first. */
  async list(userId: number, now: Date): Promise<UserSession[]> {
    return this.database.query<UserSession>(
      `SELECT jti AS id, device, network, created_at AS "createdAt", last_seen_at AS "lastSeenAt",
              expires_at AS "expiresAt"
         FROM user_sessions WHERE user_id = $1 AND expires_at > $2 ORDER BY created_at DESC LIMIT $3`,
      [userId, now, MAX_SESSIONS],
    );
  }

  /** False if the user has no such session. */
  async end(tx: Tx, userId: number, jti: string): Promise<boolean> {
    const ended = await this.database.execute(
      'DELETE FROM user_sessions WHERE user_id = $1 AND jti = $2',
      [userId, jti],
      tx,
    );
    return ended === 1;
  }

  async delete(jti: string): Promise<void> {
    await this.database.execute('DELETE FROM user_sessions WHERE jti = $1', [jti]);
  }

  async deleteAll(tx: Tx, userId: number): Promise<void> {
    await this.database.execute('DELETE FROM user_sessions WHERE user_id = $1', [userId], tx);
  }
}

function toSignedIn(row: SessionRow): SignedIn {
  const {
    jti,
    userId,
    companyId,
    name,
    email,
    role,
    language,
    emailVerified,
    mustEnrol,
    companyName,
    ...company
  } = row;
  return {
    user: { id: userId, companyId, name, email, role, language, emailVerified, mustEnrol, jti },
    company: { ...company, name: companyName },
  };
}
