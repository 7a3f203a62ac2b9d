import { newTokenId } from '../../domain/shared/ids';
import type { SignedIn, User } from '../../domain/companies/user';
import type { Tx } from '../../persistence/sql/transaction';
import type { UserSessionRepository } from '../../persistence/companies/user-session-repository';
import type { AccessTokens, IssuedToken } from '../../security/access-tokens';

export interface SessionsDeps {
  readonly sessions: UserSessionRepository;
  readonly tokens: AccessTokens;
  readonly now: () => Date;
}

/**
 * What an access token stands on: it counts while it is ours, not expired, and its session is still there. So it can be
 * taken back at once, by every process.
 */
export class Sessions {
  constructor(private readonly deps: SessionsDeps) {}

  /** Null when the user's password is no longer the one with this hash. */
  async open(user: User, passwordHash: string, tx?: Tx): Promise<IssuedToken | null> {
    const jti = newTokenId();
    const { id: userId, companyId } = user;
    const issued = await this.deps.tokens.issue({ userId, companyId, jti }, this.deps.now());
    const opened = await this.deps.sessions.open(
      { jti, userId, passwordHash, expiresAt: issued.expiresAt },
      tx,
    );
    return opened ? issued : null;
  }

  async authenticate(token: string): Promise<SignedIn | null> {
    const claims = await this.deps.tokens.verify(token, this.deps.now());
    if (claims === null) return null;
    const signedIn = await this.deps.sessions.find(claims.jti);
    const matches = signedIn?.user.id === claims.userId && signedIn.company.id === claims.companyId;
    return matches ? signedIn : null;
  }

  async close(jti: string): Promise<void> {
    await this.deps.sessions.close(jti);
  }
}
