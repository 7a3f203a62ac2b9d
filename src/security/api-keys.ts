import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** API keys have 256 random bits, so a fast keyed hash is enough; a slow hash on every request would limit throughput. */
export class ApiKeys {
  constructor(private readonly pepper: string) {}

  generate(): string {
    return `sk_${randomBytes(32).toString('base64url')}`;
  }

  /** HMAC-SHA-256 with the server's pepper, so that a leaked table alone cannot verify keys. */
  hash(apiKey: string): string {
    return this.digest(apiKey).toString('base64url');
  }

  /** Compares in constant time. `hash` is null for an unknown company: the result is false after the same work. */
  matches(apiKey: string, hash: string | null): boolean {
    const actual = this.digest(apiKey);
    const expected = hash === null ? Buffer.alloc(actual.length) : Buffer.from(hash, 'base64url');
    return actual.length === expected.length && timingSafeEqual(actual, expected) && hash !== null;
  }

  private digest(apiKey: string): Buffer {
    return createHmac('sha256', this.pepper).update(apiKey).digest();
  }
}
