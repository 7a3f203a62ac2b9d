import { ApiKeys } from '../../../src/security/api-keys';

const keys = new ApiKeys('a pepper of at least 32 characters');

describe('ApiKeys', () => {
  it('generates unique keys of 256 random bits', () => {
    const generated = new Set(Array.from({ length: 1_000 }, () => keys.generate()));
    expect(generated.size).toBe(1_000);
    for (const key of generated) expect(Buffer.from(key.replace('sk_', ''), 'base64url')).toHaveLength(32);
  });

  it('matches a key only against its own hash', () => {
    const key = keys.generate();
    const hash = keys.hash(key);
    expect(hash).not.toContain(key.slice(3));
    expect(keys.matches(key, hash)).toBe(true);
    expect(keys.matches(`${key}x`, hash)).toBe(false);
    expect(keys.matches('', hash)).toBe(false);
  });

  it('never matches without a hash, not even an empty key', () => {
    expect(keys.matches(keys.generate(), null)).toBe(false);
    expect(keys.matches('', null)).toBe(false);
  });

  it('does not match with another pepper', () => {
    const key = keys.generate();
    expect(new ApiKeys('another pepper of 32 characters..').matches(key, keys.hash(key))).toBe(false);
  });

  it('does not match or throw for a malformed hash', () => {
    expect(keys.matches(keys.generate(), 'short')).toBe(false);
  });
});
