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
