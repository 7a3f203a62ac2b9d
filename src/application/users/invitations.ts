import { requireMatchingPasswords } from '../../domain/companies/confirmed-password';
import { memberSubject, type AuditAction } from '../../domain/companies/audit';
import type { AuditActor } from '../../domain/companies/audit-actor';
import type { Mailer } from '../../domain/companies/mail';
import type { UserCompany } from '../../domain/companies/user';
import { ApiError, notFound, unauthenticated, validationError } from '../../domain/shared/errors';
import {
  INVITATION_LIFETIME_MS,
  MAX_INVITATIONS_PER_DAY,
  MAX_MEMBERS,
  MAX_OPEN_INVITATIONS,
  RESEND_AFTER_SECONDS,
  type Invitation,
} from '../../domain/users/membership';
import type { Language } from '../../domain/users/language';
import type { Role } from '../../domain/users/permission';
import type { SessionOrigin } from '../../domain/users/user-session';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { InvitationRepository } from '../../persistence/companies/invitation-repository';
import type { MemberRepository } from '../../persistence/companies/member-repository';
import type { UserRepository } from '../../persistence/companies/user-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import { hashPassword } from '../../security/passwords';
import { hashRandomToken, newRandomToken } from '../../security/random-tokens';
import type { Creation } from '../shared/create-once';
import type { LoggedIn } from './log-in';
import { invitationMail } from '../mails/team-mails';
import { assertMayManage } from './members';
import type { Sessions } from './sessions';

export interface InvitationsDeps {
  readonly db: Database;
  readonly invitations: InvitationRepository;
  readonly members: MemberRepository;
  readonly users: UserRepository;
  readonly sessions: Sessions;
  readonly audit: AuditRepository;
  readonly mailer: Mailer;
  readonly publicBaseUrl: string;
  readonly now: () => Date;
  /** Reports a mail that could not be sent, after the request was answered. */
  readonly reportError: (error: unknown) => void;
}

/** An invitation with the token to mail. */
export interface SentInvitation {
  readonly invitation: Invitation;
  readonly token: string;
}

export interface Acceptance {
  readonly token: string;
  readonly name: string;
  readonly password: string;
  readonly passwordConfirmation: string;
  readonly language: Language;
  readonly requestId: string;
  readonly origin: SessionOrigin;
}

/**
 * Invitations by mail. An invitation does not reveal whether the address has an account at another company: only the reader of
 * its mail learns that, by accepting.
 */
export class Invitations {
  constructor(private readonly deps: InvitationsDeps) {}

  /** The open ones, newest first. */
  async list(companyId: number): Promise<Invitation[]> {
    return this.deps.invitations.list(companyId);
  }

  /**
   * The creation throws ApiError `validation_error` on `email` for a member or an open invitation, `forbidden` for an owner's
   * role unless an owner invites, `invalid_state` if the inviter's address is not verified, and `invalid_state` or
   * `rate_limited` beyond the limits. Mail the token after the commit.
   */
  create(actor: AuditActor, email: string, role: Role): Creation<SentInvitation> {
    const { invitations, members } = this.deps;
    const { companyId, userId: invitedBy } = actor;
    const token = newRandomToken();
    return async (tx) => {
      await this.lockAndCheck(tx, actor, role);
      if (await members.hasEmail(tx, companyId, email)) throw invalidEmail('belongs to a member already');
      await this.assertWithinLimits(tx, companyId);
      const expiresAt = this.newExpiry();
      const row = { companyId, email, role, tokenHash: hashRandomToken(token), invitedBy, expiresAt };
      const invitation = await invitations.insert(tx, row);
      if (invitation === null) throw invalidEmail('is invited already; resend or revoke that invitation');
      await this.recordAudit(tx, actor, invitation, 'member.invite');
      return { invitation, token };
    };
  }

  /** Sends a new token; the earlier one is invalid from then on. @throws ApiError `not_found`, `forbidden`, `rate_limited` */
  async resend(actor: AuditActor, company: UserCompany, id: number): Promise<Invitation> {
    const { db, invitations } = this.deps;
    const token = newRandomToken();
    const renewed = await db.inTransaction(async (tx) => {
      await this.manageable(tx, actor, id);
      const found = await invitations.renew(tx, id, hashRandomToken(token), this.newExpiry());
      if (found === null) throw tooManyMails();
      await this.recordAudit(tx, actor, found, 'member.resend_invitation');
      return found;
    });
    this.mail(company, { invitation: renewed, token });
    return renewed;
  }

  /** @throws ApiError `not_found`, `forbidden` */
  async revoke(actor: AuditActor, id: number): Promise<void> {
    const { db, invitations } = this.deps;
    await db.inTransaction(async (tx) => {
      const invitation = await this.manageable(tx, actor, id);
      if (!(await invitations.revoke(tx, id))) throw notFound();
      await this.recordAudit(tx, actor, invitation, 'member.revoke_invitation');
    });
  }

  /** Sends the mail after the answer: its time tells nothing. */
  mail({ name: companyName }: UserCompany, { invitation: { email: to, role }, token }: SentInvitation): void {
    const { mailer, publicBaseUrl, reportError } = this.deps;
    const days = INVITATION_LIFETIME_MS / 86_400_000;
    mailer.send(invitationMail({ to, companyName, role, token, publicBaseUrl, days })).catch(reportError);
  }

  /**
   * Makes the user and signs the user in. A token works once.
   *
   * @throws ApiError `validation_error` on `token`, `invalid_state` if the address has an account
   */
  async accept(acceptance: Acceptance): Promise<LoggedIn> {
    const { db, invitations, users, now } = this.deps;
    const password = requireMatchingPasswords(acceptance);
    const tokenHash = hashRandomToken(acceptance.token);
    // Hashing a password takes much work, which only the holder of a token may cause.
    if ((await invitations.findCompany(tokenHash, now())) === null) throw invalidToken();
    const passwordHash = await hashPassword(password);
    const accepted = await db.inTransaction((tx) => this.join(tx, acceptance, tokenHash, passwordHash));
    const account = await users.findByEmail(accepted.email);
    if (account === null) throw unauthenticated();
    return { session: accepted.session, user: account.user, company: account.company };
  }

  private async join(
    tx: Tx,
    { name, language, requestId, origin }: Acceptance,
    tokenHash: string,
    passwordHash: string,
  ) {
    const { invitations, members, users, sessions, audit, now } = this.deps;
    const company = await invitations.findCompany(tokenHash, now(), tx);
    if (company === null) throw invalidToken();
    await members.lock(tx, company);
    const invitation = await invitations.accept(tx, tokenHash, now());
    if (invitation === null) throw invalidToken();
    const { companyId, email, role } = invitation;
    if ((await members.count(companyId, tx)) >= MAX_MEMBERS) throw tooManyMembers();
    const row = { companyId, name: name.trim(), email, passwordHash, role, language, emailVerified: true };
    const user = await users.insert(tx, row);
    if (user === null) throw hasAccount();
    const actor = { companyId, userId: user.id, requestId };
    const entry = { ...actor, ...memberSubject(user.id), changes: { email, role } };
    await audit.insert(tx, { ...entry, action: 'member.join' });
    const session = await sessions.open(user, passwordHash, origin, tx);
    if (session === null) throw new Error('the new user got no session');
    return { email, session };
  }

  /** Locks the company's members; the inviter's role may have changed since authentication. */
  private async lockAndCheck(tx: Tx, { companyId, userId }: AuditActor, role: Role): Promise<void> {
    const { members } = this.deps;
    await members.lock(tx, companyId);
    const actor = await members.find(companyId, userId, tx);
    if (actor === null) throw unauthenticated();
    assertMayManage(actor.role, [role]);
    if (!actor.emailVerified) throw unverified();
  }

  private async manageable(tx: Tx, actor: AuditActor, id: number): Promise<Invitation> {
    const invitation = await this.deps.invitations.find(tx, actor.companyId, id);
    if (invitation === null) throw notFound();
    await this.lockAndCheck(tx, actor, invitation.role);
    return invitation;
  }

  private async assertWithinLimits(tx: Tx, companyId: number): Promise<void> {
    const { invitations, members } = this.deps;
    const { open, today } = await invitations.count(tx, companyId);
    if (open >= MAX_OPEN_INVITATIONS) {
      const message = `The company has ${MAX_OPEN_INVITATIONS} open invitations. Revoke one first.`;
      throw new ApiError('invalid_state', message);
    }
    if ((await members.count(companyId, tx)) + open >= MAX_MEMBERS) throw tooManyMembers();
    if (today < MAX_INVITATIONS_PER_DAY) return;
    const message = `A company sends ${MAX_INVITATIONS_PER_DAY} invitations in 24 hours. Try again later.`;
    throw new ApiError('rate_limited', message, undefined, 3_600);
  }

  private async recordAudit(
    tx: Tx,
    actor: AuditActor,
    { id, email, role }: Invitation,
    action: AuditAction,
  ): Promise<void> {
    const subject = { subjectType: 'invitation', subjectId: String(id) } as const;
    await this.deps.audit.insert(tx, { ...actor, ...subject, action, changes: { email, role } });
  }

  private newExpiry(): Date {
    return new Date(this.deps.now().getTime() + INVITATION_LIFETIME_MS);
  }
}

function invalidEmail(problem: string): ApiError {
  return validationError({ email: [problem] });
}

/**
 * Somebody who registers with a stranger's address loses everything when the address's owner resets the password, but would
 * keep access through the accounts that they invited.
 */
function unverified(): ApiError {
  return new ApiError('invalid_state', 'Verify your email address before you invite others.');
}

function invalidToken(): ApiError {
  return validationError({ token: ['is unknown, used, revoked or too old'] });
}

/** Only the reader of the address's mail gets this far. */
function hasAccount(): ApiError {
  const message =
    'This address has an account already, and an account belongs to one company. Ask to be invited with another address.';
  return new ApiError('invalid_state', message);
}

function tooManyMembers(): ApiError {
  return new ApiError('invalid_state', `A company has at most ${MAX_MEMBERS} users and open invitations.`);
}

function tooManyMails(): ApiError {
  const message =
    'The last mail of this invitation is too recent, or there were too many. Wait, or revoke it and invite again.';
  return new ApiError('rate_limited', message, undefined, RESEND_AFTER_SECONDS);
}
