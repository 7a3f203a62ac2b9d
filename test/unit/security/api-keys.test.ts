import { ApiKeys } from '../../../src/security/api-keys';

const PEPPER = 'a pepper of at least 32 characters';
const NEW_PEPPER = 'another pepper of 32 characters..';
const keys = new ApiKeys([PEPPER]);

describe('ApiKeys', () => {
  it.each(['test', 'live'] as const)(
    'generates unique keys of 256 random bits that name the mode %s',
    (mode) => {
      const generated = new Set(Array.from({ length: 1_000 }, () => keys.generate(mode)));
      expect(generated.size).toBe(1_000);
      for (const key of generated) {
        expect(key.startsWith(`sk_${mode}_`)).toBe(true);
        expect(Buffer.from(key.slice(`sk_${mode}_`.length), 'base64url')).toHaveLength(32);
      }
    },
  );

  it('matches a key only against its own hash', () => {
    const key = keys.generate('test');
    const hash = keys.hash(key);
    expect(hash).not.toContain(key.slice(3));
    expect(keys.find(key, [{ hash }])).toEqual({ hash });
    expect(keys.find(`${key}x`, [{ hash }])).toBeNull();
    expect(keys.find('', [{ hash }])).toBeNull();
  });

  it('finds each of several keys by its hash', () => {
    const valid = [1, 2, 3].map((id) => ({ id, key: keys.generate('test') }));
    const candidates = valid.map(({ id, key }) => ({ id, hash: keys.hash(key) }));
    for (const { id, key } of valid) expect(keys.find(key, candidates)).toMatchObject({ id });
  });

  it('never matches without a hash, not even an empty key', () => {
    expect(keys.find(keys.generate('test'), [])).toBeNull();
    expect(keys.find('', [])).toBeNull();
  });

  it('does not match with another pepper', () => {
    const key = keys.generate('test');
    const others = new ApiKeys([NEW_PEPPER]);
    expect(others.find(key, [{ hash: keys.hash(key) }])).toBeNull();
  });

  it('matches a key against the hash of each pepper, and makes hashes with the first one', () => {
    const key = keys.generate('test');
    const hashes = [keys, new ApiKeys([NEW_PEPPER])].map((made) => ({ hash: made.hash(key) }));
    const both = new ApiKeys([NEW_PEPPER, PEPPER]);
    for (const candidate of hashes) {
      expect(both.find(key, [candidate])).toBe(candidate);
      expect(both.find(both.generate('test'), [candidate])).toBeNull();
    }
    expect(both.hash(key)).toBe(hashes[1]?.hash);
    expect(both.pepperId).not.toBe(keys.pepperId);
  });

  it('does not match or throw for a malformed hash', () => {
    expect(keys.find(keys.generate('test'), [{ hash: 'short' }])).toBeNull();
  });
});
