import { requireMatchingPasswords } from '../../domain/companies/confirmed-password';
import { validationError, type ApiError } from '../../domain/shared/errors';
import type { Mailer } from '../../domain/companies/mail';
import type { PasswordResetRepository } from '../../persistence/companies/password-reset-repository';
import type { EmailVerificationRepository } from '../../persistence/companies/email-verification-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import type { ResetUser, UserRepository } from '../../persistence/companies/user-repository';
import type { UserSessionRepository } from '../../persistence/companies/user-session-repository';
import type { CompanyAuthenticator } from '../companies/authenticate-company';
import { passwordResetMail } from '../mails/account-mails';
import { revokeUnprovenAccess, type RevokeUnprovenAccessDeps } from './revoke-unproven-access';
import { hashPassword } from '../../security/passwords';
import { hashRandomToken, newRandomToken } from '../../security/random-tokens';

const TOKEN_LIFETIME_MINUTES = 30;

export interface PasswordResetDeps extends RevokeUnprovenAccessDeps {
  readonly db: Database;
  readonly users: UserRepository;
  readonly userSessions: UserSessionRepository;
  readonly passwordResets: PasswordResetRepository;
  readonly emailVerifications: EmailVerificationRepository;
  readonly authenticator: Pick<CompanyAuthenticator, 'invalidate'>;
  readonly mailer: Mailer;
  readonly now: () => Date;
  /** Reports a mail that could not be sent, after the request was answered. */
  readonly reportError: (error: unknown) => void;
}

export interface NewPassword {
  readonly token: string;
  readonly password: string;
  readonly passwordConfirmation: string;
  readonly requestId: string;
}

/** Password reset by a token that is mailed to the user's address. */
export class PasswordReset {
  constructor(private readonly deps: PasswordResetDeps) {}

  /** Takes the same work whether or not a user has this email; the mail is sent after the answer. */
  async requestReset(email: string): Promise<void> {
    const { db, passwordResets, mailer, now, reportError } = this.deps;
    const token = newRandomToken();
    const tokenHash = hashRandomToken(token);
    const expiresAt = new Date(now().getTime() + TOKEN_LIFETIME_MINUTES * 60_000);
    const user = await db.inTransaction((tx) =>
      passwordResets.insertForEmail(tx, email, tokenHash, expiresAt),
    );
    if (user === null) return;
    mailer.send(passwordResetMail(user, { token, minutes: TOKEN_LIFETIME_MINUTES })).catch(reportError);
  }

  /**
   * Sets the password and revokes every access token of the user. A token works once. If nobody has proved before to read
   * mail at the address, the account may have been registered by somebody else, so the company's API keys, webhook
   * endpoints and gateway credentials lose their effect too, unless the user registered with the company's key pair.
   */
  async resetPassword(newPassword: NewPassword): Promise<Pick<ResetUser, 'email'>> {
    const { db, passwordResets, authenticator, now } = this.deps;
    const password = requireMatchingPasswords(newPassword);
    const tokenHash = hashRandomToken(newPassword.token);
    // Hashing a password takes much work, which only the holder of a token may cause.
    if (!(await passwordResets.isValid(tokenHash, now()))) throw invalidToken();
    const passwordHash = await hashPassword(password);
    const user = await db.inTransaction(async (tx) => {
      const reset = await passwordResets.consume(tx, tokenHash, now());
      if (reset === null) throw invalidToken();
      return this.reset(tx, reset.userId, passwordHash, newPassword.requestId);
    });
    authenticator.invalidate(user.clientId);
    return user;
  }

  private async reset(tx: Tx, userId: number, passwordHash: string, requestId: string): Promise<ResetUser> {
    const { users, userSessions, emailVerifications, now } = this.deps;
    const user = await users.resetPassword(tx, userId, passwordHash);
    if (user.firstProof && !user.claimed) {
      await revokeUnprovenAccess(this.deps, tx, { companyId: user.companyId, userId, requestId }, now());
    }
    await emailVerifications.deleteAll(tx, userId);
    // Last: requests under way hold their session while they hold locks on what is revoked above.
    await userSessions.deleteAll(tx, userId);
    return user;
  }
}

function invalidToken(): ApiError {
  return validationError({ token: ['is unknown, used or too old'] });
}
