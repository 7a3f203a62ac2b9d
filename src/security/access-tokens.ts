import { createHmac, timingSafeEqual } from 'node:crypto';
import { sign } from 'jsonwebtoken';
import { validate as isUuid } from 'uuid';
import type { SecretKeys } from './secret-keys';

const ALGORITHM = 'HS256';
/** Of that algorithm. */
const HASH = 'sha256';
/** A type of our own: no other token made with the same key passes for an access token (RFC 8725, section 3.11). */
const TYPE = 'access+jwt';

type KeyCallback = (error: null, key: string) => void;

/** The content of a verified access token. */
export interface AccessClaims {
  readonly userId: number;
  readonly companyId: number;
  /** UUID of the session. */
  readonly jti: string;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Access tokens by the rules of RFC 8725: one algorithm whatever the header names, fixed issuer, audience and type, and
 * every claim required. passport-jwt verifies signature, issuer, audience and times; `claimsOf` checks the rest.
 */
export class AccessTokens {
  /** What passport-jwt verifies. */
  readonly verification: {
    readonly secretOrKeyProvider: (_req: unknown, token: string, done: KeyCallback) => void;
    readonly algorithms: [typeof ALGORITHM];
    readonly issuer: string;
    readonly audience: string;
    readonly jsonWebTokenOptions: { readonly complete: true };
  };

  /**
   * The first secret signs, and the signature of each is accepted. `publicBaseUrl` is the issuer, so a token of one deployment is
   * invalid in another one with the same secret.
   */
  constructor(
    private readonly secrets: SecretKeys,
    private readonly publicBaseUrl: string,
  ) {
    this.verification = {
      secretOrKeyProvider: (_req, token, done) => done(null, this.signerOf(token)),
      algorithms: [ALGORITHM],
      issuer: publicBaseUrl,
      audience: audienceOf(publicBaseUrl),
      // Hands over the header too, whose type has to be checked.
      jsonWebTokenOptions: { complete: true },
    };
  }

  issue({ userId, companyId, jti }: AccessClaims, now: Date, lifetimeSeconds: number): IssuedToken {
    const issuedAt = Math.floor(now.getTime() / 1_000);
    const expiresAt = issuedAt + lifetimeSeconds;
    const claims = {
      company_id: companyId,
      sub: String(userId),
      iss: this.publicBaseUrl,
      aud: audienceOf(this.publicBaseUrl),
      iat: issuedAt,
      exp: expiresAt,
      jti,
    };
    const token = sign(claims, this.secrets[0], { header: { alg: ALGORITHM, typ: TYPE } });
    return { token, expiresAt: new Date(expiresAt * 1_000) };
  }

  /** The secret that signed the token; the first one if none did, so that the check of the signature refuses it. */
  private signerOf(token: string): string {
    const [content, signature] = splitSignature(token);
    const signer = this.secrets.find((secret) => {
      const expected = createHmac(HASH, secret).update(content).digest();
      return expected.length === signature.length && timingSafeEqual(expected, signature);
    });
    return signer ?? this.secrets[0];
  }
}

function splitSignature(token: string): readonly [content: string, signature: Buffer] {
  const dot = token.lastIndexOf('.');
  return [token.slice(0, Math.max(dot, 0)), Buffer.from(token.slice(dot + 1), 'base64url')];
}

function audienceOf(publicBaseUrl: string): string {
  return `${publicBaseUrl}/api/v1`;
}

/** The claims of a token that passport-jwt has verified, or null if its type is wrong or a claim is missing or malformed. */
export function claimsOf(verified: unknown): AccessClaims | null {
  const { header, payload } = verified as { header: { typ?: unknown }; payload: Record<string, unknown> };
  const { sub, company_id: companyId, jti, iat, exp } = payload;
  const userId = typeof sub === 'string' ? Number(sub) : NaN;
  const isComplete = header.typ === TYPE && typeof iat === 'number' && typeof exp === 'number';
  if (!isComplete || !Number.isSafeInteger(userId) || !Number.isSafeInteger(companyId) || !isUuid(jti))
    return null;
  return { userId, companyId: companyId as number, jti: jti as string };
}
