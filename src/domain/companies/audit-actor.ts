import type { AuthenticatedCompany } from './company';
import type { AuthenticatedUser } from './user';

/** The user who makes a change, for the audit log. */
export interface AuditActor {
  /** Of the request's mode. */
  readonly companyId: number;
  readonly userId: number;
  /** The request that made the change. */
  readonly requestId: string;
  /** The `jti` of the session that asked for it. Nothing is changed if the session has ended meanwhile. */
  readonly sessionId?: string;
}

/** The actor of an authenticated request. */
export function auditActorOf(request: {
  readonly user: AuthenticatedUser;
  readonly company: Pick<AuthenticatedCompany, 'id'>;
  readonly requestId: string;
}): AuditActor {
  const { user, company, requestId } = request;
  return { companyId: company.id, userId: user.id, requestId, sessionId: user.jti };
}

/** The actor of a change of what the company has in both modes, such as its users. */
export function companyActorOf(request: Parameters<typeof auditActorOf>[0]): AuditActor {
  return { ...auditActorOf(request), companyId: request.user.companyId };
}

/** Who initiates a change: a user, or a program with the API key. Of programs, only changes of gateway credentials are audited. */
export interface Initiator {
  readonly companyId: number;
  /** Null for a program with the API key. */
  readonly actor: AuditActor | null;
}

export function apiKeyInitiator({ company }: { readonly company: AuthenticatedCompany }): Initiator {
  return { companyId: company.id, actor: null };
}

export function userInitiator(request: Parameters<typeof auditActorOf>[0]): Initiator {
  const actor = auditActorOf(request);
  return { companyId: actor.companyId, actor };
}
