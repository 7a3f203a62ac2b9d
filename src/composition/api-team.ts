import { Invitations } from '../application/users/invitations';
import { Members } from '../application/users/members';
import { TwoFactor } from '../application/users/two-factor';
import type { Config } from '../config';
import type { TeamRouteDeps } from '../http/routes/users/team';
import type { TwoFactorRouteDeps } from '../http/routes/users/two-factor';
import type { UserRouteDeps } from '../http/routes/users';
import type { Logger } from '../log';
import { InvitationRepository } from '../persistence/companies/invitation-repository';
import { MemberRepository } from '../persistence/companies/member-repository';
import { TwoFactorRepository } from '../persistence/companies/two-factor-repository';
import { UserRepository } from '../persistence/companies/user-repository';
import { UserSessionRepository } from '../persistence/companies/user-session-repository';
import { createCreateOnce, createSecondFactor } from './api-companies';
import type { AppContext } from './app-context';

/** The users of a company: members, invitations and sessions. */
export function createTeam(
  config: Config,
  context: AppContext,
  { sessions, sessionCookie, deviceCookie }: UserRouteDeps,
  log: Pick<Logger, 'error'>,
): TeamRouteDeps {
  const members = new MemberRepository(context.db);
  const reportError = mailReporter(log);
  return {
    members: new Members({
      ...context,
      members,
      userSessions: new UserSessionRepository(context.db),
      reportError,
    }),
    invitations: new Invitations({
      ...context,
      members,
      invitations: new InvitationRepository(context.db),
      users: new UserRepository(context.db),
      sessions,
      publicBaseUrl: config.publicBaseUrl,
      reportError,
    }),
    createOnce: createCreateOnce(config, context),
    sessionCookie,
    deviceCookie,
  };
}

/** The second factor of users. */
export function createTwoFactor(
  config: Config,
  context: AppContext,
  log: Pick<Logger, 'error'>,
): TwoFactorRouteDeps {
  const { db } = context;
  return {
    twoFactor: new TwoFactor({
      ...context,
      twoFactors: new TwoFactorRepository(db),
      secondFactor: createSecondFactor(context),
      members: new MemberRepository(db),
      users: new UserRepository(db),
      userSessions: new UserSessionRepository(db),
      issuer: new URL(config.publicBaseUrl).hostname,
      reportError: mailReporter(log),
    }),
  };
}

function mailReporter(log: Pick<Logger, 'error'>): (error: unknown) => void {
  return (error) => log.error({ err: error }, 'a mail to a user was not sent');
}
