import type { Invitations, SentInvitation } from '../../../application/users/invitations';
import type { Members } from '../../../application/users/members';
import type { CreateOnce } from '../../../application/shared/create-once';
import { companyActorOf } from '../../../domain/companies/audit-actor';
import { presentInvitation, presentMember, presentUserSession } from '../../../presenters/member';
import { presentPage } from '../../../presenters/page';
import { presentSignedInUser } from '../../../presenters/user';
import type { DeviceCookie } from '../../auth/device-cookie';
import type { SessionCookie } from '../../auth/session-cookie';
import type { RouteHandlers } from '../../server/route';
import { answerCreation } from '../creation';
import { pageRequest } from '../page-request';

export interface TeamRouteDeps {
  readonly members: Members;
  readonly invitations: Invitations;
  readonly createOnce: CreateOnce;
  readonly sessionCookie: SessionCookie;
  readonly deviceCookie: DeviceCookie;
}

type TeamRouteId =
  | 'listMembers'
  | 'inviteMember'
  | 'updateMember'
  | 'removeMember'
  | 'listInvitations'
  | 'resendInvitation'
  | 'revokeInvitation'
  | 'acceptInvitation'
  | 'listMySessions'
  | 'revokeMySession'
  | 'listMemberSessions'
  | 'revokeMemberSession';

/** The users of a company, their invitations and sessions. */
export function teamRoutes(deps: TeamRouteDeps): Pick<RouteHandlers, TeamRouteId> {
  return { ...memberRoutes(deps), ...invitationRoutes(deps), ...sessionRoutes(deps) };
}

function memberRoutes({ members }: TeamRouteDeps) {
  return {
    listMembers: async ({ user, query }) => {
      const page = pageRequest(query);
      return {
        status: 200,
        body: presentPage(await members.list(user.companyId, page), page, presentMember),
      };
    },

    updateMember: async (request) => {
      const id = Number(request.params.id);
      const changed = await members.changeRole(
        companyActorOf(request),
        request.company,
        id,
        request.body.role,
      );
      return { status: 200, body: { data: presentMember(changed) } };
    },

    removeMember: async (request) => {
      await members.remove(companyActorOf(request), request.company, Number(request.params.id));
      return { status: 204 };
    },
  } satisfies Partial<RouteHandlers>;
}

function invitationRoutes({ invitations, createOnce, sessionCookie, deviceCookie }: TeamRouteDeps) {
  return {
    inviteMember: async (request) => {
      const { body, company, receivedAt } = request;
      let sent: SentInvitation | null = null;
      const answer = await answerCreation(
        createOnce,
        request,
        () => {
          const create = invitations.create(companyActorOf(request), body.email, body.role);
          return async (tx) => (sent = await create(tx));
        },
        {
          status: 201,
          present: ({ invitation }: SentInvitation) => ({ data: presentInvitation(invitation, receivedAt) }),
        },
      );
      // Null if the request repeats an earlier one, which sent the mail.
      if (sent !== null) invitations.mail(company, sent);
      return answer;
    },

    listInvitations: async ({ user, receivedAt }) => {
      const found = await invitations.list(user.companyId);
      return { status: 200, body: { data: found.map((one) => presentInvitation(one, receivedAt)) } };
    },

    resendInvitation: async (request) => {
      const { company, params, receivedAt } = request;
      const sent = await invitations.resend(companyActorOf(request), company, Number(params.id));
      return { status: 200, body: { data: presentInvitation(sent, receivedAt) } };
    },

    revokeInvitation: async (request) => {
      await invitations.revoke(companyActorOf(request), Number(request.params.id));
      return { status: 204 };
    },

    acceptInvitation: async ({ body, language, requestId, origin, receivedAt }) => {
      const { token, name, password, password_confirmation: passwordConfirmation } = body;
      const acceptance = { token, name, password, passwordConfirmation, language, requestId, origin };
      const joined = await invitations.accept(acceptance);
      const cookies = [
        sessionCookie.create(joined.session.token, joined.session.expiresAt),
        deviceCookie.create(joined.user.email, receivedAt),
      ];
      return { status: 201, body: presentSignedInUser(joined), headers: { 'Set-Cookie': cookies } };
    },
  } satisfies Partial<RouteHandlers>;
}

function sessionRoutes({ members }: TeamRouteDeps) {
  return {
    listMySessions: async ({ user }) => {
      const found = await members.listSessions(user.companyId, user.id);
      return { status: 200, body: { data: found.map((one) => presentUserSession(one, user.jti)) } };
    },

    revokeMySession: async (request) => {
      await members.endOwnSession(companyActorOf(request), request.params.session_id);
      return { status: 204 };
    },

    listMemberSessions: async ({ user, params }) => {
      const found = await members.listSessions(user.companyId, Number(params.id));
      return { status: 200, body: { data: found.map((one) => presentUserSession(one, user.jti)) } };
    },

    revokeMemberSession: async (request) => {
      const { id, session_id: sessionId } = request.params;
      await members.endSession(companyActorOf(request), Number(id), sessionId);
      return { status: 204 };
    },
  } satisfies Partial<RouteHandlers>;
}
