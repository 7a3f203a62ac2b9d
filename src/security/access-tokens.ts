import { createSecretKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { validate } from 'uuid';

const ALGORITHM = 'HS256';
/** A type of our own, so that no other token made with the same key passes for one (RFC 8725, section 3.11). */
const TYPE = 'access+jwt';
const LIFETIME_SECONDS = 24 * 3_600;

/** What a token says, once it is known to be ours. */
export interface AccessClaims {
  readonly userId: number;
  readonly companyId: number;
  /** UUID. */
  readonly jti: string;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Access tokens by the rules of RFC 8725: one algorithm, whatever a token's header says; issuer, audience and type are
 * those of this service, and every claim must be there.
 */
export class AccessTokens {
  private readonly key: KeyObject;
  private readonly issuer: string;
  private readonly audience: string;

  /** `publicBaseUrl` is the issuer, so that a token of one deployment is nothing to another with the same secret. */
  constructor(secret: string, publicBaseUrl: string) {
    this.key = createSecretKey(Buffer.from(secret, 'utf8'));
    this.issuer = publicBaseUrl;
    this.audience = `${publicBaseUrl}/api/v1`;
  }

  /** Good for 24 hours. */
  async issue({ userId, companyId, jti }: AccessClaims, now: Date): Promise<IssuedToken> {
    const issuedAt = Math.floor(now.getTime() / 1_000);
    const expiresAt = issuedAt + LIFETIME_SECONDS;
    const token = await new SignJWT({ company_id: companyId })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
      .setSubject(String(userId))
      .setIssuer(this.issuer)
      .setAudience(this.audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .setJti(jti)
      .sign(this.key);
    return { token, expiresAt: new Date(expiresAt * 1_000) };
  }

  /** The claims of a token that is ours and not expired, else null. */
  async verify(token: string, now: Date): Promise<AccessClaims | null> {
    try {
      const { payload } = await jwtVerify(token, this.key, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: this.issuer,
        audience: this.audience,
        requiredClaims: ['sub', 'company_id', 'iat', 'exp', 'jti'],
        currentDate: now,
      });
      return toClaims(payload);
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }
}

function toClaims({ sub, company_id, jti }: Record<string, unknown>): AccessClaims | null {
  const userId = Number(sub);
  if (!Number.isSafeInteger(userId) || !Number.isSafeInteger(company_id) || !validate(jti)) return null;
  return { userId, companyId: company_id as number, jti: jti as string };
}
