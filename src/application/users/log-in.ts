import { unauthenticated } from '../../domain/shared/errors';
import type { User, UserCompany } from '../../domain/companies/user';
import type { SessionOrigin } from '../../domain/users/user-session';
import type { UserRepository } from '../../persistence/companies/user-repository';
import type { IssuedToken } from '../../security/access-tokens';
import { passwordMatches } from '../../security/passwords';
import type { SecondFactor } from './second-factor';
import type { Sessions } from './sessions';

export interface LogInDeps {
  readonly users: UserRepository;
  readonly sessions: Sessions;
  readonly secondFactor: SecondFactor;
}

export interface LogIn {
  readonly email: string;
  readonly password: string;
  /** A code of the authenticator app, or a recovery code. */
  readonly otp: string | undefined;
  readonly origin: SessionOrigin;
}

export interface LoggedIn {
  readonly session: IssuedToken;
  readonly user: User;
  readonly company: UserCompany;
}

/**
 * An unknown email and a wrong password take the same work and give the same 401, so neither reveals which emails exist. Only
 * the right password reveals whether the account needs a second factor.
 */
export async function logIn(deps: LogInDeps, { email, password, otp, origin }: LogIn): Promise<LoggedIn> {
  const account = await deps.users.findByEmail(email);
  const matches = await passwordMatches(password, account?.passwordHash ?? null);
  if (!matches || account === null) throw unauthenticated();
  await deps.secondFactor.check(account.user, otp);
  const session = await deps.sessions.open(account.user, account.passwordHash, origin);
  if (session === null) throw unauthenticated();
  return { session, user: account.user, company: account.company };
}
