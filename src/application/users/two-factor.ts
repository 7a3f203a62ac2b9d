import { memberSubject, type AuditAction, type AuditChanges } from '../../domain/companies/audit';
import type { AuditActor } from '../../domain/companies/audit-actor';
import type { Mailer } from '../../domain/companies/mail';
import type { AuthenticatedUser, UserCompany } from '../../domain/companies/user';
import { ApiError, notFound, validationError } from '../../domain/shared/errors';
import type { Member } from '../../domain/users/membership';
import { RECOVERY_CODES, type TwoFactorState } from '../../domain/users/two-factor';
import type { AuditEntry, AuditRepository } from '../../persistence/companies/audit-repository';
import type { MemberRepository } from '../../persistence/companies/member-repository';
import type { TwoFactorRepository } from '../../persistence/companies/two-factor-repository';
import type { UserRepository } from '../../persistence/companies/user-repository';
import type { UserSessionRepository } from '../../persistence/companies/user-session-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import { encryptionContext } from '../../security/encryption-context';
import type { EnvelopeCipher } from '../../security/envelope';
import { passwordMatches } from '../../security/passwords';
import { matchingStep, newRecoveryCode, newTotpSecret, totpUri } from '../../security/totp';
import { recoveryCodeHash, type SecondFactor } from './second-factor';
import { twoFactorResetMail } from '../mails/team-mails';

export interface TwoFactorDeps {
  readonly db: Database;
  readonly twoFactors: TwoFactorRepository;
  readonly secondFactor: SecondFactor;
  readonly members: MemberRepository;
  readonly users: UserRepository;
  readonly userSessions: UserSessionRepository;
  readonly audit: AuditRepository;
  readonly envelope: EnvelopeCipher;
  readonly mailer: Mailer;
  /** The name of the account in the authenticator app. */
  readonly issuer: string;
  readonly now: () => Date;
  /** Reports a mail that could not be sent, after the request was answered. */
  readonly reportError: (error: unknown) => void;
}

export interface Enrolment {
  /** Base32. */
  readonly secret: string;
  readonly uri: string;
}

/** Without a user, the operator of the deployment. */
type Author = Pick<AuditEntry, 'companyId' | 'userId' | 'requestId' | 'sessionId'>;

/** A user's second factor: codes of an authenticator app, and recovery codes for a lost phone. */
export class TwoFactor {
  constructor(private readonly deps: TwoFactorDeps) {}

  async state(userId: number): Promise<TwoFactorState> {
    return this.deps.twoFactors.state(userId);
  }

  /**
   * Begins an enrolment, which `confirm` ends. The address must be verified: otherwise somebody who registered with a stranger's
   * address could lock its owner out.
   *
   * @throws ApiError `validation_error` on `password`, `invalid_state`, `rate_limited`
   */
  async start(user: AuthenticatedUser, password: string): Promise<Enrolment> {
    const { db, twoFactors, secondFactor, users, envelope, issuer } = this.deps;
    const { id, companyId, email } = user;
    if (!user.emailVerified) throw new ApiError('invalid_state', 'Verify your email address first.');
    await secondFactor.claimAttempt(id);
    const account = await users.findByEmail(email);
    if (!(await passwordMatches(password, account?.passwordHash ?? null))) {
      throw validationError({ password: ['is wrong'] });
    }
    const secret = newTotpSecret();
    const sealed = await envelope.seal(secret, encryptionContext.totpSecret(companyId, id));
    if (!(await db.inTransaction((tx) => twoFactors.start(tx, id, sealed)))) throw alreadyOn();
    await twoFactors.clearAttempts(id);
    return { secret, uri: totpUri(secret, issuer, email) };
  }

  /** Turns the second factor on. Returns the recovery codes. @throws ApiError `validation_error` on `otp`, `invalid_state` */
  async confirm(actor: AuditActor, otp: string): Promise<string[]> {
    const { db, twoFactors, secondFactor, envelope, now } = this.deps;
    const { userId, companyId } = actor;
    const stored = await twoFactors.find(userId);
    if (stored === null) throw new ApiError('invalid_state', 'Start the enrolment first.');
    if (stored.isEnabled) throw alreadyOn();
    await secondFactor.claimAttempt(userId);
    const secret = await envelope.open(stored.sealed, encryptionContext.totpSecret(companyId, userId));
    const step = matchingStep(secret, otp.replaceAll(/\s/g, ''), now());
    if (step === null) throw validationError({ otp: ['is wrong or too old'] });
    return db.inTransaction(async (tx) => {
      if (!(await twoFactors.enable(tx, userId, stored.sealed, step))) throw alreadyOn();
      await this.recordAudit(tx, actor, userId, 'two_factor.enable');
      return this.newRecoveryCodes(tx, userId);
    });
  }

  /** @throws ApiError `validation_error` on `otp`, `invalid_state` if it is off, `rate_limited` */
  async disable(actor: AuditActor, otp: string): Promise<void> {
    const { db, twoFactors } = this.deps;
    await this.prove(actor, otp);
    await db.inTransaction(async (tx) => {
      if (!(await twoFactors.disable(tx, actor.userId))) throw isOff();
      await this.recordAudit(tx, actor, actor.userId, 'two_factor.disable');
    });
  }

  /** The earlier codes do not work any more. @throws ApiError as `disable` */
  async renewRecoveryCodes(actor: AuditActor, otp: string): Promise<string[]> {
    await this.prove(actor, otp);
    return this.deps.db.inTransaction(async (tx) => {
      await this.recordAudit(tx, actor, actor.userId, 'two_factor.renew_recovery_codes');
      return this.newRecoveryCodes(tx, actor.userId);
    });
  }

  /** For a user who lost phone and recovery codes; signs the user out. @throws ApiError `not_found`, `invalid_state` */
  async reset(actor: AuditActor, company: UserCompany, id: number): Promise<void> {
    const { mailer, reportError } = this.deps;
    if (id === actor.userId)
      throw new ApiError('invalid_state', 'Turn off your own second factor with a code.');
    const member = await this.turnOff(actor, id);
    mailer.send(twoFactorResetMail(member, company.name, 'owner')).catch(reportError);
  }

  /**
   * The same by the operator of the deployment, for a user whom no owner can help. Returns when the mail is sent.
   *
   * @throws ApiError `not_found`, `invalid_state`; any other error if the second factor is off but the mail was not sent
   */
  async resetByOperator(email: string): Promise<void> {
    const { users, mailer } = this.deps;
    const account = await users.findByEmail(email);
    if (account === null) throw new ApiError('not_found', 'No user has this email address.');
    const { user, company } = account;
    await this.turnOff({ companyId: user.companyId, userId: null, requestId: null }, user.id);
    await mailer.send(twoFactorResetMail(user, company.name, 'operator')).catch((cause: unknown) => {
      throw new Error('The second factor is off, but the user was not told by mail.', { cause });
    });
  }

  async isRequired(companyId: number): Promise<boolean> {
    return this.deps.twoFactors.isRequired(companyId);
  }

  /** Users without a second factor can then only enrol. @throws ApiError `invalid_state` unless the actor has one */
  async require(actor: AuditActor, company: UserCompany, required: boolean): Promise<void> {
    const { db, twoFactors, audit } = this.deps;
    if (required && (await twoFactors.state(actor.userId)).enabledAt === null) {
      throw new ApiError('invalid_state', 'Turn on your own second factor first.');
    }
    await db.inTransaction(async (tx) => {
      if (!(await twoFactors.require(tx, actor.companyId, required))) return;
      const subject = { subjectType: 'config', subjectId: company.clientId } as const;
      const changes = { require_two_factor: { from: !required, to: required } };
      await audit.insert(tx, { ...actor, ...subject, action: 'security.update', changes });
    });
  }

  /** Also ends the user's sessions. */
  private async turnOff(author: Author, id: number): Promise<Member> {
    const { db, twoFactors, members, userSessions } = this.deps;
    return db.inTransaction(async (tx) => {
      await members.lock(tx, author.companyId);
      const member = await members.find(author.companyId, id, tx);
      if (member === null) throw notFound();
      if (!(await twoFactors.disable(tx, id))) throw isOff();
      await this.recordAudit(tx, author, id, 'two_factor.reset', { email: member.email });
      await userSessions.deleteAll(tx, id);
      return member;
    });
  }

  private async prove({ userId, companyId }: AuditActor, otp: string): Promise<void> {
    const checked = this.deps.secondFactor.check({ id: userId, companyId }, otp).catch((error: unknown) => {
      const isWrong = error instanceof ApiError && error.code === 'otp_required';
      throw isWrong ? validationError({ otp: ['is wrong, too old or was used before'] }) : error;
    });
    if (!(await checked)) throw isOff();
  }

  private async newRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    const hashes = codes.map((code) => recoveryCodeHash(userId, code));
    await this.deps.twoFactors.replaceRecoveryCodes(tx, userId, hashes);
    return codes;
  }

  private async recordAudit(
    tx: Tx,
    author: Author,
    userId: number,
    action: AuditAction,
    changes: AuditChanges = {},
  ): Promise<void> {
    await this.deps.audit.insert(tx, { ...author, ...memberSubject(userId), action, changes });
  }
}

function alreadyOn(): ApiError {
  return new ApiError('invalid_state', 'The second factor is on already.');
}

function isOff(): ApiError {
  return new ApiError('invalid_state', 'The second factor is off.');
}
