import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { keyedHash } from '../../security/keyed-hash';
import { byEachKey, type KeyedValues, type SecretKeys } from '../../security/secret-keys';
import { BrowserCookie } from './browser-cookie';

/** Half a year. Each sign-in starts it anew. */
const LIFETIME_MS = 180 * 24 * 3_600_000;

/**
 * Marks a browser whose user has proved to own an account, by signing in or by resetting the password. Its failed sign-ins
 * are counted apart from those of strangers, so that nobody can keep the owner out by guessing (OWASP, "Slow Down Online
 * Guessing Attacks with Device Cookies"). It gives no access to anything.
 */
export class DeviceCookie {
  private readonly cookie: BrowserCookie;

  constructor(
    publicBaseUrl: string,
    /** The first one makes cookies, and those of each are recognized. */
    private readonly keys: SecretKeys,
  ) {
    this.cookie = new BrowserCookie('device', publicBaseUrl);
  }

  /** A `Set-Cookie` header's value for a browser of the user with this email. */
  create(email: string, now: Date): string {
    const id = randomBytes(16).toString('base64url');
    const expires = new Date(now.getTime() + LIFETIME_MS);
    return this.cookie.create(`${id}.${this.proofsOf(id, email)[0]}`, expires);
  }

  /** The id of the request's browser if it is marked for this email; null otherwise. */
  find(req: Pick<Request, 'headers'>, email: string): string | null {
    const [id = '', proof = ''] = this.cookie.read(req)?.split('.') ?? [];
    const given = Buffer.from(proof);
    const matching = this.proofsOf(id, email)
      .map((expected) => Buffer.from(expected))
      .filter((expected) => given.length === expected.length && timingSafeEqual(given, expected));
    return matching.length > 0 ? id : null;
  }

  private proofsOf(id: string, email: string): KeyedValues {
    return byEachKey(this.keys, (key) => keyedHash(key, `device:${id}:${normalizedEmail(email)}`));
  }
}

/** Emails are compared without regard to case. */
export function normalizedEmail(email: string): string {
  return email.trim().toLowerCase();
}
