import type { Database, Tx } from '../sql/transaction';

/** Valid tokens per user, so that nobody can flood a mailbox. */
const MAX_VALID_TOKENS = 3;

/** Owns `email_verifications`. */
export class EmailVerificationRepository {
  constructor(private readonly database: Database) {}

  /** False if the user has too many valid tokens. Also deletes the user's expired tokens. */
  async insert(tx: Tx, userId: number, tokenHash: string, expiresAt: Date): Promise<boolean> {
    // Concurrent requests are counted one after the other.
    await this.database.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId], tx);
    const inserted = await this.database.execute(
      `WITH expired AS (DELETE FROM email_verifications WHERE user_id = $1 AND expires_at < now())
       INSERT INTO email_verifications (user_id, token_hash, expires_at)
       SELECT $1, $2, $3
        WHERE (SELECT count(*) FROM email_verifications WHERE user_id = $1 AND expires_at >= now()) < $4`,
      [userId, tokenHash, expiresAt, MAX_VALID_TOKENS],
      tx,
    );
    return inserted === 1;
  }

  /** Deletes the token and all others of the user. False if the user has no such token, or it has expired. */
  async consume(tx: Tx, userId: number, tokenHash: string, now: Date): Promise<boolean> {
    const used = await this.database.execute(
      'DELETE FROM email_verifications WHERE token_hash = $2 AND user_id = $1 AND expires_at > $3',
      [userId, tokenHash, now],
      tx,
    );
    if (used === 0) return false;
    await this.deleteAll(tx, userId);
    return true;
  }

  async deleteAll(tx: Tx, userId: number): Promise<void> {
    await this.database.execute('DELETE FROM email_verifications WHERE user_id = $1', [userId], tx);
  }
}
