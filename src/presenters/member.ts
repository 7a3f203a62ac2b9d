import type { Invitation, Member } from '../domain/users/membership';
import type { UserSession } from '../domain/users/user-session';
import type { components } from '../http/generated/openapi';

type Schemas = components['schemas'];

export function presentMember({ id, name, email, role, ...member }: Member): Schemas['Member'] {
  return {
    id,
    name,
    email,
    role,
    email_verified: member.emailVerified,
    two_factor: member.twoFactor,
    last_seen_at: member.lastSeenAt?.toISOString() ?? null,
    created_at: member.createdAt.toISOString(),
  };
}

export function presentInvitation(invitation: Invitation, now: Date): Schemas['Invitation'] {
  const { id, email, role, invitedBy, createdAt, sentAt, expiresAt } = invitation;
  return {
    id,
    email,
    role,
    invited_by: invitedBy,
    is_expired: expiresAt <= now,
    expires_at: expiresAt.toISOString(),
    sent_at: sentAt.toISOString(),
    created_at: createdAt.toISOString(),
  };
}

/** `current`: the id of the session that asks. */
export function presentUserSession(session: UserSession, current: string): Schemas['UserSession'] {
  const { id, device, network, createdAt, lastSeenAt, expiresAt } = session;
  return {
    id,
    device,
    network,
    is_current: id === current,
    last_seen_at: lastSeenAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
