import type { SealedValue } from '../../domain/shared/sealed-value';
import { MAX_OTP_ATTEMPTS, OTP_WINDOW_SECONDS, type TwoFactorState } from '../../domain/users/two-factor';
import type { Database, Tx } from '../sql/transaction';

export interface StoredTotp {
  readonly sealed: SealedValue;
  readonly isEnabled: boolean;
}

/** Owns the second factor in `users`, and `user_recovery_codes`. */
export class TwoFactorRepository {
  constructor(private readonly db: Database) {}

  async state(userId: number): Promise<TwoFactorState> {
    const row = await this.db.queryOne<TwoFactorState>(
      `SELECT u.totp_enabled_at AS "enabledAt", c.require_two_factor AS required,
              (SELECT count(*) FROM user_recovery_codes r WHERE r.user_id = u.id AND r.used_at IS NULL)
                AS "recoveryCodesLeft"
         FROM users u JOIN companies c ON c.id = u.company_id WHERE u.id = $1`,
      [userId],
    );
    if (row === null) throw new Error('the user does not exist');
    return row;
  }

  async find(userId: number): Promise<StoredTotp | null> {
    return this.db.queryOne<StoredTotp>(
      `SELECT sealed_totp AS sealed, totp_enabled_at IS NOT NULL AS "isEnabled"
         FROM users WHERE id = $1 AND sealed_totp IS NOT NULL`,
      [userId],
    );
  }

  /** Counts the attempt before its code is checked, so that concurrent guesses count too. False after too many. */
  async claimAttempt(userId: number): Promise<boolean> {
    const claimed = await this.db.execute(
      `UPDATE users SET
         otp_attempts = CASE WHEN otp_window_at > now() - make_interval(secs => $2) THEN otp_attempts + 1 ELSE 1 END,
         otp_window_at = CASE WHEN otp_window_at > now() - make_interval(secs => $2) THEN otp_window_at ELSE now() END
       WHERE id = $1 AND (otp_attempts < $3 OR otp_window_at IS NULL
                          OR otp_window_at <= now() - make_interval(secs => $2))`,
      [userId, OTP_WINDOW_SECONDS, MAX_OTP_ATTEMPTS],
    );
    return claimed === 1;
  }

  async clearAttempts(userId: number): Promise<void> {
    await this.db.execute('UPDATE users SET otp_attempts = 0 WHERE id = $1', [userId]);
  }

  /** Starts an enrolment, in place of one that was not confirmed. False if a second factor is on. */
  async start(tx: Tx, userId: number, sealed: SealedValue): Promise<boolean> {
    const started = await this.db.execute(
      'UPDATE users SET sealed_totp = $2::jsonb WHERE id = $1 AND totp_enabled_at IS NULL',
      [userId, JSON.stringify(sealed)],
      tx,
    );
    return started === 1;
  }

  /** Confirms the enrolment with that secret. False if another one replaced it, or it is on already. */
  async enable(tx: Tx, userId: number, sealed: SealedValue, step: number): Promise<boolean> {
    const enabled = await this.db.execute(
      `UPDATE users SET totp_enabled_at = now(), totp_last_step = $3, otp_attempts = 0
        WHERE id = $1 AND sealed_totp = $2::jsonb AND totp_enabled_at IS NULL`,
      [userId, JSON.stringify(sealed), step],
      tx,
    );
    return enabled === 1;
  }

  /** False if a code of this time step, or of a later one, was accepted before. */
  async useStep(userId: number, step: number): Promise<boolean> {
    const used = await this.db.execute(
      'UPDATE users SET totp_last_step = $2 WHERE id = $1 AND totp_enabled_at IS NOT NULL AND totp_last_step < $2',
      [userId, step],
    );
    return used === 1;
  }

  async useRecoveryCode(userId: number, hash: string): Promise<boolean> {
    const used = await this.db.execute(
      `UPDATE user_recovery_codes SET used_at = now() WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL`,
      [userId, hash],
    );
    return used === 1;
  }

  async replaceRecoveryCodes(tx: Tx, userId: number, hashes: readonly string[]): Promise<void> {
    await this.db.execute('DELETE FROM user_recovery_codes WHERE user_id = $1', [userId], tx);
    await this.db.execute(
      'INSERT INTO user_recovery_codes (user_id, code_hash) SELECT $1, unnest($2::text[])',
      [userId, hashes],
      tx,
    );
  }

  /** False if it was off. */
  async disable(tx: Tx, userId: number): Promise<boolean> {
    const disabled = await this.db.execute(
      `WITH codes AS (DELETE FROM user_recovery_codes WHERE user_id = $1)
       UPDATE users SET sealed_totp = NULL, totp_enabled_at = NULL, otp_attempts = 0
        WHERE id = $1 AND totp_enabled_at IS NOT NULL`,
      [userId],
      tx,
    );
    return disabled === 1;
  }

  async isRequired(companyId: number): Promise<boolean> {
    const row = await this.db.queryOne<{ required: boolean }>(
      'SELECT require_two_factor AS required FROM companies WHERE id = $1',
      [companyId],
    );
    return row?.required === true;
  }

  /** False if nothing changed. */
  async require(tx: Tx, companyId: number, required: boolean): Promise<boolean> {
    const changed = await this.db.execute(
      'UPDATE companies SET require_two_factor = $2 WHERE id = $1 AND require_two_factor <> $2',
      [companyId, required],
      tx,
    );
    return changed === 1;
  }
}
