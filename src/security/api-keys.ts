import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * API keys: 256 random bits, so a fast keyed hash is enough where a password would need a slow one
 * (a slow hash on every request would cap throughput).
 */
export class ApiKeys {
  constructor(private readonly pepper: string) {}

  generate(): string {
    return `sk_${randomBytes(32).toString('base64url')}`;
  }

  /** HMAC-SHA-256 under the server's pepper: the table alone does not let anyone test a key. */
  hash(apiKey: string): string {
    return this.digest(apiKey).toString('base64url');
  }

  /** In constant time. With `hash` null (no such company) it works as long and says no. */
  matches(apiKey: string, hash: string | null): boolean {
    const actual = this.digest(apiKey);
    const expected = hash === null ? Buffer.alloc(actual.length) : Buffer.from(hash, 'base64url');
    return actual.length === expected.length && timingSafeEqual(actual, expected) && hash !== null;
  }

  private digest(apiKey: string): Buffer {
    return createHmac('sha256', this.pepper).update(apiKey).digest();
  }
}
