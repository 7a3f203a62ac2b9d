import { confirmedPassword } from '../../domain/companies/confirmed-password';
import { validationError } from '../../domain/shared/errors';
import type { Mail, Mailer } from '../../domain/companies/mail';
import type { PasswordResetRepository } from '../../persistence/companies/password-reset-repository';
import type { Database } from '../../persistence/sql/transaction';
import type { UserRepository } from '../../persistence/companies/user-repository';
import type { UserSessionRepository } from '../../persistence/companies/user-session-repository';
import { hashPassword } from '../../security/passwords';
import { hashRandomToken, newRandomToken } from '../../security/random-tokens';

const GOOD_FOR_MINUTES = 30;

export interface PasswordResetDeps {
  readonly db: Database;
  readonly users: UserRepository;
  readonly userSessions: UserSessionRepository;
  readonly passwordResets: PasswordResetRepository;
  readonly mailer: Mailer;
  readonly now: () => Date;
  /** A mail that could not be sent: whoever asked has its answer already. */
  readonly reportError: (error: unknown) => void;
}

export interface NewPassword {
  readonly token: string;
  readonly password: string;
  readonly passwordConfirmation: string;
}

/** A new password for who reads the mail of a user's address. */
export class PasswordReset {
  constructor(private readonly deps: PasswordResetDeps) {}

  /** The same work whether or not the email is a user's: the mail itself is sent after the answer. */
  async ask(email: string): Promise<void> {
    const { passwordResets, mailer, now, reportError } = this.deps;
    const token = newRandomToken();
    const expiresAt = new Date(now().getTime() + GOOD_FOR_MINUTES * 60_000);
    const user = await passwordResets.open(email, hashRandomToken(token), expiresAt);
    if (user !== null) mailer.send(resetMail(user.email, token)).catch(reportError);
  }

  /** Sets the password, once for a token, and takes back every access token of the user. */
  async use(given: NewPassword): Promise<void> {
    const { db, users, userSessions, passwordResets, now } = this.deps;
    const passwordHash = await hashPassword(confirmedPassword(given));
    await db.inTransaction(async (tx) => {
      const reset = await passwordResets.use(tx, hashRandomToken(given.token), now());
      if (reset === null) throw validationError({ token: ['is unknown, used or too old'] });
      await users.resetPassword(tx, reset.userId, passwordHash);
      await userSessions.closeAll(tx, reset.userId);
    });
  }
}

function resetMail(to: string, token: string): Mail {
  return {
    to,
    subject: 'Your password reset token',
    text: [
      'Somebody, probably you, asked for a new password for this address.',
      `With this token you can set one, once, within ${GOOD_FOR_MINUTES} minutes:`,
      token,
      'If it was not you, ignore this message: the password stays as it is.',
    ].join('\n\n'),
  };
}
