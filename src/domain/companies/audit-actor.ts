import type { AuthenticatedCompany } from './company';
import type { AuthenticatedUser } from './user';

/** The person who changes something of their company, as the audit log names them. */
export interface Actor {
  readonly companyId: number;
  readonly userId: number;
  /** Of the request that asked for the change. */
  readonly requestId: string;
}

/** Who asks, of a request whose access token was checked. */
export function actorOf(request: { readonly user: AuthenticatedUser; readonly requestId: string }): Actor {
  const { user, requestId } = request;
  return { companyId: user.companyId, userId: user.id, requestId };
}

/** Whoever changes something that a company's program and its people change alike; only people stand in the audit log. */
export interface Author {
  readonly companyId: number;
  /** Null for a program, which comes with the API key. */
  readonly actor: Actor | null;
}

export function programOf({ company }: { readonly company: AuthenticatedCompany }): Author {
  return { companyId: company.id, actor: null };
}

export function personOf(request: Parameters<typeof actorOf>[0]): Author {
  const actor = actorOf(request);
  return { companyId: actor.companyId, actor };
}
