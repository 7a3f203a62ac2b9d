import { ApiKeys } from '../../../src/security/api-keys';

const keys = new ApiKeys('a pepper of at least 32 characters');

describe('ApiKeys', () => {
  it('makes keys of 256 random bits, never the same', () => {
    const made = new Set(Array.from({ length: 1_000 }, () => keys.generate()));
    expect(made.size).toBe(1_000);
    for (const key of made) expect(Buffer.from(key.replace('sk_', ''), 'base64url')).toHaveLength(32);
  });

  it('knows its own key by the hash, and no other', () => {
    const key = keys.generate();
    const hash = keys.hash(key);
    expect(hash).not.toContain(key.slice(3));
    expect(keys.matches(key, hash)).toBe(true);
    expect(keys.matches(`${key}x`, hash)).toBe(false);
    expect(keys.matches('', hash)).toBe(false);
  });

  it('says no where there is no company, even to an empty key', () => {
    expect(keys.matches(keys.generate(), null)).toBe(false);
    expect(keys.matches('', null)).toBe(false);
  });

  it('needs the pepper: the table alone tests no key', () => {
    const key = keys.generate();
    expect(new ApiKeys('another pepper of 32 characters..').matches(key, keys.hash(key))).toBe(false);
  });

  it('survives a hash that is none', () => {
    expect(keys.matches(keys.generate(), 'short')).toBe(false);
  });
});
