import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** The header of pagarme/ecommerce-module-core, `WebhookValidatorService`. */
const SIGNATURE_HEADER = 'x-webhook-asymmetric-signature';

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** A webhook's proofs: RS256 over the body by a key of the published set, and the user and password that the merchant chose. */
export class WebhookKeys {
  private own: SigningKey | null = null;
  private wrong: SigningKey | null = null;

  /** The published set: https://hubapi.pagar.me/.well-known/jwks.json in production. */
  jwks(): { readonly keys: readonly object[] } {
    const { kid, publicKey } = this.ownKey();
    return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }] };
  }

  /** A forged signature names the published key, but is made with another one. */
  headersOf(body: Buffer, secret: string, forged: boolean): Readonly<Record<string, string>> {
    const { kid, privateKey } = this.ownKey();
    const key = forged ? this.wrongKey().privateKey : privateKey;
    return {
      [SIGNATURE_HEADER]: signatureOf(body, kid, key),
      // Webhook settings of the dashboard: user and password. A secret without a colon is the password of `pagarme`.
      authorization: `Basic ${Buffer.from(secret.includes(':') ? secret : `pagarme:${secret}`).toString('base64')}`,
    };
  }

  /** Made when they are needed, because it takes some tenths of a second. */
  private ownKey(): SigningKey {
    return (this.own ??= newKey());
  }

  private wrongKey(): SigningKey {
    return (this.wrong ??= newKey());
  }
}

function newKey(): SigningKey {
  return { kid: randomBytes(8).toString('hex'), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
}

/** `alg=RS256; kid=..; signature=<base64url>` over the raw body. */
export function signatureOf(body: Buffer, kid: string, key: KeyObject): string {
  const signature = createSign('RSA-SHA256').update(body).sign(key, 'base64url');
  return `alg=RS256; kid=${kid}; signature=${signature}`;
}
