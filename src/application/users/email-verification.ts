import type { Mailer } from '../../domain/companies/mail';
import type { AuthenticatedUser } from '../../domain/companies/user';
import { ApiError, validationError } from '../../domain/shared/errors';
import type { EmailVerificationRepository } from '../../persistence/companies/email-verification-repository';
import type { UserRepository } from '../../persistence/companies/user-repository';
import type { Database } from '../../persistence/sql/transaction';
import { hashRandomToken, newRandomToken } from '../../security/random-tokens';
import { verificationMail } from '../mails/account-mails';

const TOKEN_LIFETIME_MINUTES = 30;

export interface EmailVerificationDeps {
  readonly db: Database;
  readonly users: UserRepository;
  readonly emailVerifications: EmailVerificationRepository;
  readonly mailer: Mailer;
  readonly now: () => Date;
  /** Reports a mail that could not be sent, after the request was answered. */
  readonly reportError: (error: unknown) => void;
}

/**
 * Verification of a signed-in user's address. The token works only in a session of the user, so that the owner of a
 * mailbox cannot be made to confirm an account that somebody else registered with the address.
 */
export class EmailVerification {
  constructor(private readonly deps: EmailVerificationDeps) {}

  /** @throws ApiError `invalid_state` if the address is verified, `rate_limited` after three mails in 30 minutes */
  async sendMail(user: AuthenticatedUser): Promise<void> {
    const { id, emailVerified } = user;
    if (emailVerified) throw alreadyVerified();
    const { db, emailVerifications, mailer, now, reportError } = this.deps;
    const token = newRandomToken();
    const expiresAt = new Date(now().getTime() + TOKEN_LIFETIME_MINUTES * 60_000);
    const tokenHash = hashRandomToken(token);
    if (!(await db.inTransaction((tx) => emailVerifications.insert(tx, id, tokenHash, expiresAt)))) {
      const seconds = TOKEN_LIFETIME_MINUTES * 60;
      throw new ApiError(
        'rate_limited',
        'Three emails were sent in the last 30 minutes. Try again later.',
        undefined,
        seconds,
      );
    }
    mailer.send(verificationMail(user, { token, minutes: TOKEN_LIFETIME_MINUTES })).catch(reportError);
  }

  /** @throws ApiError `invalid_state` if the address is verified, `validation_error` on `token` */
  async verify({ id, emailVerified }: AuthenticatedUser, token: string): Promise<void> {
    if (emailVerified) throw alreadyVerified();
    const { db, users, emailVerifications, now } = this.deps;
    await db.inTransaction(async (tx) => {
      if (!(await emailVerifications.consume(tx, id, hashRandomToken(token), now()))) {
        throw validationError({ token: ['is unknown, used or too old'] });
      }
      if (!(await users.verifyEmail(tx, id))) throw alreadyVerified();
    });
  }
}

function alreadyVerified(): ApiError {
  return new ApiError('invalid_state', 'The email address is verified already.');
}
