import { requireMatchingPasswords } from '../../domain/companies/confirmed-password';
import { validationError, type ApiError } from '../../domain/shared/errors';
import type { Mail, Mailer } from '../../domain/companies/mail';
import type { PasswordResetRepository } from '../../persistence/companies/password-reset-repository';
import type { Database } from '../../persistence/sql/transaction';
import type { UserRepository } from '../../persistence/companies/user-repository';
import type { UserSessionRepository } from '../../persistence/companies/user-session-repository';
import { hashPassword } from '../../security/passwords';
import { hashRandomToken, newRandomToken } from '../../security/random-tokens';

const TOKEN_LIFETIME_MINUTES = 30;

export interface PasswordResetDeps {
  readonly db: Database;
  readonly users: UserRepository;
  readonly userSessions: UserSessionRepository;
  readonly passwordResets: PasswordResetRepository;
  readonly mailer: Mailer;
  readonly now: () => Date;
  /** Reports a mail that could not be sent, after the request was answered. */
  readonly reportError: (error: unknown) => void;
}

export interface NewPassword {
  readonly token: string;
  readonly password: string;
  readonly passwordConfirmation: string;
}

/** Password reset by a token that is mailed to the user's address. */
export class PasswordReset {
  constructor(private readonly deps: PasswordResetDeps) {}

  /** Takes the same work whether or not a user has this email; the mail is sent after the answer. */
  async requestReset(email: string): Promise<void> {
    const { passwordResets, mailer, now, reportError } = this.deps;
    const token = newRandomToken();
    const expiresAt = new Date(now().getTime() + TOKEN_LIFETIME_MINUTES * 60_000);
    const user = await passwordResets.insertForEmail(email, hashRandomToken(token), expiresAt);
    if (user !== null) mailer.send(resetMail(user.email, token)).catch(reportError);
  }

  /** Sets the password and revokes every access token of the user. A token works once. */
  async resetPassword(newPassword: NewPassword): Promise<void> {
    const { db, users, userSessions, passwordResets, now } = this.deps;
    const password = requireMatchingPasswords(newPassword);
    const tokenHash = hashRandomToken(newPassword.token);
    // Hashing a password takes much work, which only the holder of a token may cause.
    if (!(await passwordResets.isValid(tokenHash, now()))) throw invalidToken();
    const passwordHash = await hashPassword(password);
    await db.inTransaction(async (tx) => {
      const reset = await passwordResets.consume(tx, tokenHash, now());
      if (reset === null) throw invalidToken();
      await users.resetPassword(tx, reset.userId, passwordHash);
      await userSessions.deleteAll(tx, reset.userId);
    });
  }
}

function invalidToken(): ApiError {
  return validationError({ token: ['is unknown, used or too old'] });
}

function resetMail(to: string, token: string): Mail {
  return {
    to,
    subject: 'Your password reset token',
    text: [
      'A password reset was requested for this address.',
      `Use this token within ${TOKEN_LIFETIME_MINUTES} minutes to set a new password. It works once:`,
      token,
      'If you did not request this, ignore this message. Your password stays unchanged.',
    ].join('\n\n'),
  };
}
