import type { Language } from './language';
import type { Role } from './permission';

/** Users of one company, so that lists and mails to all of them stay bounded. */
export const MAX_MEMBERS = 100;
/** Invitations of one company that can be accepted or resent. */
export const MAX_OPEN_INVITATIONS = 20;
/** Invitations that a company creates in 24 hours: each is a mail to an address that it chose. */
export const MAX_INVITATIONS_PER_DAY = 50;
/** Mails of one invitation, the first one included. */
export const MAX_MAILS_PER_INVITATION = 5;
export const INVITATION_LIFETIME_MS = 7 * 24 * 3_600_000;
/** Between two mails of one invitation. */
export const RESEND_AFTER_SECONDS = 300;

/** A user as colleagues see it. */
export interface Member {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Of the mails to the user. */
  readonly language: Language;
  readonly emailVerified: boolean;
  /** Whether the second factor is on. */
  readonly twoFactor: boolean;
  readonly createdAt: Date;
  /** To the minute, of the sessions that exist; null without one. */
  readonly lastSeenAt: Date | null;
}

/** An invitation that was neither accepted nor revoked. */
export interface Invitation {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  /** The email of the user who invited. */
  readonly invitedBy: string;
  readonly createdAt: Date;
  /** When the last mail was sent. */
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

/** Only owners make, change and remove owners. */
export function mayManage(actor: Role, other: Role): boolean {
  return actor === 'owner' || other !== 'owner';
}
