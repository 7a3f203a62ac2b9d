import { memberSubject } from '../../domain/companies/audit';
import type { AuditActor } from '../../domain/companies/audit-actor';
import type { Mail, Mailer } from '../../domain/companies/mail';
import type { UserCompany } from '../../domain/companies/user';
import { ApiError, notFound, unauthenticated } from '../../domain/shared/errors';
import type { Page, PageRequest } from '../../domain/shared/page';
import { mayManage, type Member } from '../../domain/users/membership';
import type { Role } from '../../domain/users/permission';
import type { UserSession } from '../../domain/users/user-session';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { MemberRepository } from '../../persistence/companies/member-repository';
import type { UserSessionRepository } from '../../persistence/companies/user-session-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import { removedMail, roleChangedMail } from '../mails/team-mails';

export interface MembersDeps {
  readonly db: Database;
  readonly members: MemberRepository;
  readonly userSessions: UserSessionRepository;
  readonly audit: AuditRepository;
  readonly mailer: Mailer;
  readonly now: () => Date;
  /** Reports a mail that could not be sent, after the request was answered. */
  readonly reportError: (error: unknown) => void;
}

/**
 * The users of a company, as owners and admins manage them. Changes of one company's members happen one after the other, so
 * that it always has an owner; each ends the sessions of the user whom it concerns.
 */
export class Members {
  constructor(private readonly deps: MembersDeps) {}

  async list(companyId: number, page: PageRequest): Promise<Page<Member>> {
    return this.deps.members.list(companyId, page);
  }

  /** @throws ApiError `not_found`, `forbidden` for an owner's role unless an owner asks, `invalid_state` for the last owner */
  async changeRole(actor: AuditActor, company: UserCompany, id: number, role: Role): Promise<Member> {
    const { db, members, userSessions, audit } = this.deps;
    const changed = await db.inTransaction(async (tx) => {
      const member = await this.manageable(tx, actor, id, role);
      if (member.role === role) return null;
      if (!(await members.changeRole(tx, actor.companyId, id, role))) throw lastOwner();
      const changes = { email: member.email, role: { from: member.role, to: role } };
      await audit.insert(tx, { ...actor, ...memberSubject(id), action: 'member.change_role', changes });
      // Last: requests under way hold their session, and what they change is done with the earlier role.
      await userSessions.deleteAll(tx, id);
      return { ...member, role };
    });
    if (changed === null) return this.get(actor.companyId, id);
    this.send(roleChangedMail(changed, company.name, role));
    return changed;
  }

  /** @throws ApiError as `changeRole` */
  async remove(actor: AuditActor, company: UserCompany, id: number): Promise<void> {
    const { db, members, userSessions, audit } = this.deps;
    const removed = await db.inTransaction(async (tx) => {
      const member = await this.manageable(tx, actor, id);
      const { email, role } = member;
      // Before the removal, which replaces the email: users may remove themselves.
      await audit.insert(tx, {
        ...actor,
        ...memberSubject(id),
        action: 'member.remove',
        changes: { email, role },
      });
      if (!(await members.remove(tx, actor.companyId, id))) throw lastOwner();
      await userSessions.deleteAll(tx, id);
      return member;
    });
    this.send(removedMail(removed, company.name));
  }

  /** The user's valid sessions, newest first. @throws ApiError `not_found` */
  async listSessions(companyId: number, id: number): Promise<UserSession[]> {
    await this.get(companyId, id);
    return this.deps.userSessions.list(id, this.deps.now());
  }

  /** @throws ApiError `not_found`, `forbidden` for an owner's session unless an owner asks */
  async endSession(actor: AuditActor, id: number, sessionId: string): Promise<void> {
    const { db, userSessions, audit } = this.deps;
    await db.inTransaction(async (tx) => {
      const { email } = await this.manageable(tx, actor, id);
      await audit.insert(tx, {
        ...actor,
        ...memberSubject(id),
        action: 'session.revoke',
        changes: { email },
      });
      if (!(await userSessions.end(tx, id, sessionId))) throw notFound();
    });
  }

  /** Of the user's own sessions. @throws ApiError `not_found` */
  async endOwnSession(actor: AuditActor, sessionId: string): Promise<void> {
    const { db, userSessions, audit } = this.deps;
    const { userId } = actor;
    await db.inTransaction(async (tx) => {
      await audit.insert(tx, { ...actor, ...memberSubject(userId), action: 'session.revoke', changes: {} });
      if (!(await userSessions.end(tx, userId, sessionId))) throw notFound();
    });
  }

  private async get(companyId: number, id: number): Promise<Member> {
    const member = await this.deps.members.find(companyId, id);
    if (member === null) throw notFound();
    return member;
  }

  /** Locks the company's members. Both roles are read under the lock, because they may have changed since authentication. */
  private async manageable(
    tx: Tx,
    { companyId, userId }: AuditActor,
    id: number,
    newRole?: Role,
  ): Promise<Member> {
    const { members } = this.deps;
    await members.lock(tx, companyId);
    const actor = await members.find(companyId, userId, tx);
    if (actor === null) throw unauthenticated();
    const member = await members.find(companyId, id, tx);
    if (member === null) throw notFound();
    assertMayManage(actor.role, [member.role, newRole ?? member.role]);
    return member;
  }

  private send(mail: Mail): void {
    const { mailer, reportError } = this.deps;
    mailer.send(mail).catch(reportError);
  }
}

/** @throws ApiError `forbidden` */
export function assertMayManage(actor: Role, others: readonly Role[]): void {
  if (others.every((other) => mayManage(actor, other))) return;
  throw new ApiError('forbidden', 'Only an owner may make, change, remove or sign out an owner.');
}

function lastOwner(): ApiError {
  return new ApiError('invalid_state', 'The company needs an owner. Make another user an owner first.');
}
