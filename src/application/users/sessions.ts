import { LRUCache } from 'lru-cache';
import { newTokenId } from '../../domain/shared/ids';
import type { SignedIn, User } from '../../domain/companies/user';
import type { SessionOrigin } from '../../domain/users/user-session';
import type { Mode } from '../../domain/shared/mode';
import type { CompanyModes } from '../companies/company-modes';
import type { Database, Tx } from '../../persistence/sql/transaction';
import type { UserSessionRepository } from '../../persistence/companies/user-session-repository';
import type { AccessClaims, AccessTokens, IssuedToken } from '../../security/access-tokens';

export interface SessionsDeps {
  readonly sessions: UserSessionRepository;
  readonly tokens: AccessTokens;
  readonly db: Pick<Database, 'inTransaction'>;
  readonly companyModes: CompanyModes;
  readonly now: () => Date;
  /** Reports that a use was not recorded, after the request was authenticated. */
  readonly reportError: (error: unknown) => void;
}

/** The header with which a signed-in user chooses the mode of a request. */
const MODE_HEADER = 'X-Mode';

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

  /**
   * The user of a verified token and the company in the given mode, by default the deployment's; null once the session is
   * gone. The first request in the other mode creates it.
   *
   * @throws ApiError `validation_error` if the deployment does not offer the mode
   */
  async findSession({ userId, companyId, jti }: AccessClaims, mode: Mode | null): Promise<SignedIn | null> {
    const { sessions, companyModes, db } = this.deps;
    const signedIn = await sessions.find(jti, mode);
    if (signedIn?.user.id !== userId || signedIn.user.companyId !== companyId) return null;
    this.recordUse(jti);
    if (mode === null) return signedIn;
    companyModes.assertOffered(mode, MODE_HEADER);
    if (signedIn.company.mode === mode) return signedIn;
    await db.inTransaction((tx) => companyModes.add(tx, signedIn.company, mode));
    return sessions.find(jti, mode);
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
