import type { Database, Tx } from '../sql/transaction';

/** Mails one user may ask for within a token's lifetime: nobody's mailbox is flooded by others. */
const MAX_OPEN = 3;

/** The one owner of `password_resets`. */
export class PasswordResetRepository {
  constructor(private readonly database: Database) {}

  /**
   * Keeps a token's hash for the user of this email, and returns who to mail it to; null when there is no such user, or
   * it has asked too often. One statement, whichever it is.
   */
  async open(email: string, tokenHash: string, expiresAt: Date): Promise<{ readonly email: string } | null> {
    return this.database.queryOne<{ email: string }>(
      `WITH expired AS (
         DELETE FROM password_resets r USING users u
          WHERE u.id = r.user_id AND lower(u.email) = lower($1) AND r.expires_at < now()
       ), opened AS (
         INSERT INTO password_resets (token_hash, user_id, expires_at)
         SELECT $2, u.id, $3 FROM users u
          WHERE lower(u.email) = lower($1)
            AND (SELECT count(*) FROM password_resets r WHERE r.user_id = u.id AND r.expires_at >= now()) < $4
         RETURNING user_id
       )
       SELECT u.email FROM opened JOIN users u ON u.id = opened.user_id`,
      [email, tokenHash, expiresAt, MAX_OPEN],
    );
  }

  /** Uses a token up, and all others of its user with it. Null when it is unknown, used or too old. */
  async use(tx: Tx, tokenHash: string, now: Date): Promise<{ readonly userId: number } | null> {
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
