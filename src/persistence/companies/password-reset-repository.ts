import type { MailRecipient } from '../../domain/companies/mail';
import type { Database, Tx } from '../sql/transaction';

/** Valid tokens per user, so that nobody can flood a user's mailbox. */
const MAX_VALID_TOKENS = 3;

/** Owns `password_resets`. */
export class PasswordResetRepository {
  constructor(private readonly database: Database) {}

  /**
   * Inserts a token for the user with this email and returns the address to mail it to. Null if there is no such user or
   * the user has too many valid tokens. The same statements in all cases, so that timing does not reveal who has an
   * account.
   */
  async insertForEmail(
    tx: Tx,
    email: string,
    tokenHash: string,
    expiresAt: Date,
  ): Promise<MailRecipient | null> {
    // Concurrent requests are counted one after the other.
    await this.database.query(
      'SELECT 1 FROM users WHERE lower(email) = lower($1) FOR NO KEY UPDATE',
      [email],
      tx,
    );
    return this.database.queryOne<MailRecipient>(
      `WITH expired AS (
         DELETE FROM password_resets r USING users u
          WHERE u.id = r.user_id AND lower(u.email) = lower($1) AND r.expires_at < now()
       ), inserted AS (
         INSERT INTO password_resets (token_hash, user_id, expires_at)
         SELECT $2, u.id, $3 FROM users u
          WHERE lower(u.email) = lower($1) AND u.removed_at IS NULL
            AND (SELECT count(*) FROM password_resets r WHERE r.user_id = u.id AND r.expires_at >= now()) < $4
         RETURNING user_id
       )
       SELECT u.email, u.language FROM inserted JOIN users u ON u.id = inserted.user_id`,
      [email, tokenHash, expiresAt, MAX_VALID_TOKENS],
      tx,
    );
  }

  /** Whether `consume` would find the token now. */
  async isValid(tokenHash: string, now: Date): Promise<boolean> {
    const row = await this.database.queryOne(
      'SELECT 1 FROM password_resets WHERE token_hash = $1 AND expires_at > $2',
      [tokenHash, now],
    );
    return row !== null;
  }

  /** Deletes the token and all others of its user. Null if the token is unknown, used or expired. */
  async consume(tx: Tx, tokenHash: string, now: Date): Promise<{ readonly userId: number } | null> {
    const used = await this.database.queryOne<{ userId: number }>(
      `DELETE FROM password_resets WHERE token_hash = $1 AND expires_at > $2 RETURNING user_id AS "userId"`,
      [tokenHash, now],
      tx,
    );
    if (used === null) return null;
    await this.database.execute('DELETE FROM password_resets WHERE user_id = $1', [used.userId], tx);
    return used;
  }
}
