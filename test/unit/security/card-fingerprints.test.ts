import { CardFingerprints, type CardFingerprintStore } from '../../../src/security/card-fingerprints';
import { keyIdOf } from '../../../src/security/secret-keys';

const [OLD, NEW, NEWEST] = ['old-key', 'new-key', 'newest-key'];
const NUMBER = '4111111111111111';
const COMPANY = 7;

type Store = CardFingerprintStore<never> & { readonly aliases: Map<string, string> };

/** As the database answers; `recorded` are the keys in the order in which processes first used them. */
function newStore(recorded: readonly string[] = []): Store {
  const aliases = new Map<string, string>();
  return {
    aliases,
    hasAliases: async () => aliases.size > 0,
    listAliases: async (_, fingerprints) =>
      [...aliases]
        .filter(([made]) => fingerprints.includes(made))
        .map(([fingerprint, knownAs]) => ({ fingerprint, knownAs })),
    insertAliases: async (_, fingerprints, knownAs) => {
      for (const made of fingerprints) aliases.set(made, aliases.get(made) ?? knownAs);
    },
    listKeys: async (ids) =>
      recorded
        .map((key, index) => ({ keyId: keyIdOf(key), firstUsedAt: new Date(index) }))
        .filter(({ keyId }) => ids.includes(keyId)),
  };
}

const fingerprintOf = (store: Store, keys: readonly [string, ...string[]], number = NUMBER) =>
  new CardFingerprints(store, keys).of(COMPANY, number);

describe('the fingerprint of a card number', () => {
  it('stays the same through every step of a rotation, so that declines are counted on', async () => {
    const store = newStore([OLD, NEW]);
    const before = await fingerprintOf(newStore(), [OLD]);
    for (const keys of [[OLD, NEW], [NEW, OLD], [NEW], [NEWEST, NEW], [NEW, NEWEST], [NEWEST]] as const)
      expect(await fingerprintOf(store, keys)).toBe(before);
  });

  it('is the same in processes of two steps, whichever meets the card first', async () => {
    for (const steps of [
      [
        [OLD, NEW],
        [NEW, OLD],
      ],
      [
        [NEW, OLD],
        [OLD, NEW],
      ],
      [[NEW, OLD], [OLD]],
    ] as const) {
      const store = newStore([OLD, NEW]);
      const made = await Promise.all(steps.map((keys) => fingerprintOf(store, keys)));
      expect(new Set(made).size).toBe(1);
    }
  });

  it('is that of the last key of the list if it is not recorded which key was used first', async () => {
    expect(await fingerprintOf(newStore(), [NEW, OLD])).toBe(await fingerprintOf(newStore(), [OLD]));
  });

  it('is looked up without a change once its aliases are stored', async () => {
    const store = newStore([OLD, NEW]);
    const before = await fingerprintOf(store, [NEW, OLD]);
    const insertAliases = jest.fn();
    expect(await fingerprintOf({ ...store, insertAliases }, [NEW, OLD])).toBe(before);
    expect(insertAliases).not.toHaveBeenCalled();
  });

  it('is made by the new key alone for a card that comes after the rotation, without storing anything', async () => {
    const store = newStore([OLD, NEW]);
    await fingerprintOf(store, [NEW, OLD]);
    const size = store.aliases.size;
    const other = await fingerprintOf(store, [NEW], '5555555555554444');
    expect(other).toBe(await fingerprintOf(newStore(), [NEW], '5555555555554444'));
    expect(store.aliases.size).toBe(size);
  });
});
