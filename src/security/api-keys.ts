import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Mode } from '../domain/shared/mode';
import { keyIdOf, type SecretKeys } from './secret-keys';

/** API keys have 256 random bits, so a fast keyed hash is enough; a slow hash on every request would limit throughput. */
export class ApiKeys {
  /** Names the pepper that makes hashes. */
  readonly pepperId: string;

  /** The first pepper makes hashes, and those of every pepper are recognized. */
  constructor(private readonly peppers: SecretKeys) {
    this.pepperId = keyIdOf(peppers[0]);
  }

  /** The prefix names the mode for people; what a key opens is stored with its hash. */
  generate(mode: Mode): string {
    return `sk_${mode}_${randomBytes(32).toString('base64url')}`;
  }

  /** HMAC-SHA-256 with the server's pepper, so that a leaked table alone cannot verify keys. */
  hash(apiKey: string): string {
    return digest(this.peppers[0], apiKey).toString('base64url');
  }

  /**
   * The candidate with the hash of this key, or null. Compares with every candidate, each in constant time. Without
   * candidates, as for an unknown company, the work is that of one.
   */
  find<Candidate extends { readonly hash: string }>(
    apiKey: string,
    candidates: readonly Candidate[],
  ): Candidate | null {
    const digests = this.peppers.map((pepper) => digest(pepper, apiKey));
    if (candidates.length === 0) digests.forEach((actual) => matches(actual, ''));
    const matching = candidates.filter(
      ({ hash }) => digests.filter((actual) => matches(actual, hash)).length > 0,
    );
    return matching[0] ?? null;
  }
}

function digest(pepper: string, apiKey: string): Buffer {
  return createHmac('sha256', pepper).update(apiKey).digest();
}

function matches(actual: Buffer, hash: string): boolean {
  const expected = Buffer.from(hash, 'base64url');
  const comparable = expected.length === actual.length ? expected : Buffer.alloc(actual.length);
  return timingSafeEqual(actual, comparable) && comparable === expected;
}
