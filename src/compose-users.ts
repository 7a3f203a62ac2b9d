import { PasswordReset } from './application/password-reset';
import { Sessions } from './application/sessions';
import type { Parts } from './compose';
import type { Config } from './config';
import type { UserOperationsDeps } from './http/routes/users';
import { SessionCookie } from './http/session-cookie';
import type { Logger } from './log';
import { PasswordResetRepository } from './persistence/password-reset-repository';
import { UserRepository } from './persistence/user-repository';
import { UserSessionRepository } from './persistence/user-session-repository';
import { AccessTokens } from './security/access-tokens';
import { ApiKeys } from './security/api-keys';

/** Users: how they register, sign in and out, and get a new password. */
export function composeUsers(config: Config, parts: Parts, log: Pick<Logger, 'error'>): UserOperationsDeps {
  const { db, companies, mailer, now } = parts;
  const users = new UserRepository(db);
  const userSessions = new UserSessionRepository(db);
  const tokens = new AccessTokens(config.secrets.jwtSecret, config.publicBaseUrl);
  const sessions = new Sessions({ sessions: userSessions, tokens, now });
  return {
    sessions,
    signUp: { db, companies, users, sessions, apiKeys: new ApiKeys(config.secrets.apiKeyPepper) },
    signIn: { users, sessions },
    passwordReset: new PasswordReset({
      db,
      users,
      userSessions,
      passwordResets: new PasswordResetRepository(db),
      mailer,
      now,
      reportError: (error) => log.error({ err: error }, 'a mail was not sent'),
    }),
    sessionCookie: new SessionCookie(config.publicBaseUrl),
  };
}
