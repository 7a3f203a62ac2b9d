import type { AuthenticatedCompany } from './company';
import type { AuthenticatedUser } from './user';

/** The person who changes something of their company, as the audit log names them. */
export interface AuditActor {
  readonly companyId: number;
  readonly userId: number;
  /** Of the request that asked for the change. */
  readonly requestId: string;
}

/** Who asks, of a request whose access token was checked. */
export function auditActorOf(request: {
  readonly user: AuthenticatedUser;
  readonly requestId: string;
}): AuditActor {
  const { user, requestId } = request;
  return { companyId: user.companyId, userId: user.id, requestId };
}

/** Whoever changes something that a company's program and its people change alike; only people stand in the audit log. */
export interface Initiator {
  readonly companyId: number;
  /** Null for a program, which comes with the API key. */
  readonly actor: AuditActor | null;
}

export function apiKeyInitiator({ company }: { readonly company: AuthenticatedCompany }): Initiator {
  return { companyId: company.id, actor: null };
}

export function userInitiator(request: Parameters<typeof auditActorOf>[0]): Initiator {
  const actor = auditActorOf(request);
  return { companyId: actor.companyId, actor };
}
