import {
  createHash,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { z } from 'zod';
import type { RawCallback } from '../callback';
import { parseJson } from '../parse-json';

/** Carries `alg=RS256; kid=..; signature=<base64url>` over the raw body: github.com/pagarme/ecommerce-module-core, `WebhookValidatorService`. */
export const SIGNATURE_HEADER = 'x-webhook-asymmetric-signature';
const BASIC_HEADER = 'authorization';

const jwk = z.object({
  kty: z.literal('RSA'),
  kid: z.string().min(1).max(200),
  n: z.string().min(1).max(1_400),
  e: z.string().min(1).max(16),
  alg: z.literal('RS256').optional(),
  use: z.literal('sig').optional(),
});
type PublishedKey = z.output<typeof jwk>;

/**
 * `secrets` are Pagar.me's published keys, each as the JSON text of a JWK, and the users with their passwords that companies chose for
 * their webhooks. Only a signature makes a callback valid: user and password are the same in every callback, and say nothing
 * about its body, so that they can only prove that it is wrong.
 */
export function verifyPagarmeCallback(
  { body, headers }: RawCallback,
  secrets: readonly string[],
): 'valid' | 'invalid' | 'unsigned' {
  const keys = secrets.flatMap((secret) => publishedKey(secret) ?? []);
  const signature = headers[SIGNATURE_HEADER];
  if (signature !== undefined && keys.length > 0)
    return isSigned(body, signature, keys) ? 'valid' : 'invalid';
  const passwords = secrets.filter((secret) => publishedKey(secret) === null);
  const basic = headers[BASIC_HEADER];
  if (basic === undefined || passwords.length === 0) return 'unsigned';
  return isKnownUser(basic, passwords) ? 'unsigned' : 'invalid';
}

/** The id of the key that a callback says it is signed with; null without a signature. */
export function keyIdOf({ headers }: Pick<RawCallback, 'headers'>): string | null {
  const header = headers[SIGNATURE_HEADER];
  return header === undefined ? null : (partsOf(header).get('kid') ?? null);
}

function isSigned(body: Buffer, header: string, keys: readonly PublishedKey[]): boolean {
  const parts = partsOf(header);
  const kid = parts.get('kid');
  const signature = Buffer.from(parts.get('signature') ?? '', 'base64url');
  if (parts.get('alg') !== 'RS256' || kid === undefined) return false;
  const named = keys.filter((key) => key.kid === kid).flatMap((key) => publicKeyOf(key) ?? []);
  return named.some((key) => verify('RSA-SHA256', body, key, signature));
}

function partsOf(header: string): ReadonlyMap<string, string> {
  const pairs = header.split(';').flatMap((part): [string, string][] => {
    const [, name, value] = /^\s*(\w+)=(.*?)\s*$/.exec(part) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  return new Map(pairs);
}

/** Null for a secret of another form. */
function publishedKey(secret: string): PublishedKey | null {
  if (!secret.startsWith('{')) return null;
  const key = jwk.safeParse(parseJson(secret));
  return key.success ? key.data : null;
}

function publicKeyOf({ kty, n, e }: PublishedKey): KeyObject | null {
  try {
    return createPublicKey({ key: { kty, n, e } satisfies JsonWebKey, format: 'jwk' });
  } catch {
    return null;
  }
}

/** A secret is `user:password`, or the password alone. */
function isKnownUser(header: string, passwords: readonly string[]): boolean {
  const encoded = /^Basic (.+)$/i.exec(header)?.[1] ?? '';
  const given = Buffer.from(encoded, 'base64').toString('utf8');
  const password = given.slice(given.indexOf(':') + 1);
  const matches = passwords.map((secret) => isSame(given, secret) || isSame(password, secret));
  return matches.includes(true);
}

/** In constant time for any two texts. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
