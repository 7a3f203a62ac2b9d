import { LRUCache } from 'lru-cache';
import { newTokenId } from '../../domain/shared/ids';
import type { SignedIn, User } from '../../domain/companies/user';
import type { SessionOrigin } from '../../domain/users/user-session';
import type { Tx } from '../../persistence/sql/transaction';
import type { UserSessionRepository } from '../../persistence/companies/user-session-repository';
import type { AccessClaims, AccessTokens, IssuedToken } from '../../security/access-tokens';

export interface SessionsDeps {
  readonly sessions: UserSessionRepository;
  readonly tokens: AccessTokens;
  readonly now: () => Date;
  /** Reports that a use was not recorded, after the request was authenticated. */
  readonly reportError: (error: unknown) => void;
}

/** How long a user stays signed in, as openapi.yaml promises. */
const LIFETIME_SECONDS = 24 * 3_600;
/** How exact `last_seen_at` is. */
const USE_RECORDED_EVERY_MS = 60_000;

/**
 * Sessions behind access tokens. A token is valid while its session exists, so deleting the session revokes the token
 * in every process at once.
 */
export class Sessions {
  /** The sessions whose use this process has recorded in the interval. */
  private readonly recorded = new LRUCache<string, true>({ max: 5_000, ttl: USE_RECORDED_EVERY_MS });

  constructor(private readonly deps: SessionsDeps) {}

  get tokens(): AccessTokens {
    return this.deps.tokens;
  }

  /** Null if the user's password hash has changed since it was checked. */
  async open(user: User, passwordHash: string, origin: SessionOrigin, tx?: Tx): Promise<IssuedToken | null> {
    const jti = newTokenId();
    const { id: userId, companyId } = user;
    const issued = this.deps.tokens.issue({ userId, companyId, jti }, this.deps.now(), LIFETIME_SECONDS);
    const opened = await this.deps.sessions.insert(
      { jti, userId, passwordHash, expiresAt: issued.expiresAt, origin },
      tx,
    );
    return opened ? issued : null;
  }

  /** The user and company of a verified token, or null once its session is gone. */
  async findSession({ userId, companyId, jti }: AccessClaims): Promise<SignedIn | null> {
    const signedIn = await this.deps.sessions.find(jti);
    const matches = signedIn?.user.id === userId && signedIn.company.id === companyId;
    if (!matches) return null;
    this.recordUse(jti);
    return signedIn;
  }

  /** Does not delay the request, and a failure does not affect it. */
  private recordUse(jti: string): void {
    const { sessions, reportError } = this.deps;
    if (this.recorded.has(jti)) return;
    this.recorded.set(jti, true);
    sessions.recordUse(jti).catch(reportError);
  }

  async close(jti: string): Promise<void> {
    await this.deps.sessions.delete(jti);
  }
}
