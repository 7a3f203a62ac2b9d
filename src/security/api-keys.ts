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

  /**
   * The candidate with the hash of this key, or null. Compares with every candidate, each in constant time. Without
   * candidates, as for an unknown company, the work is that of one.
   */
  find<Candidate extends { readonly hash: string }>(
    apiKey: string,
    candidates: readonly Candidate[],
  ): Candidate | null {
    const actual = this.digest(apiKey);
    if (candidates.length === 0) timingSafeEqual(actual, Buffer.alloc(actual.length));
    const matching = candidates.filter(({ hash }) => {
      const expected = Buffer.from(hash, 'base64url');
      return actual.length === expected.length && timingSafeEqual(actual, expected);
    });
    return matching[0] ?? null;
  }

  private digest(apiKey: string): Buffer {
    return createHmac('sha256', this.pepper).update(apiKey).digest();
  }
}
