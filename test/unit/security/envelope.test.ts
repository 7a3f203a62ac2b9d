import { randomBytes } from 'node:crypto';
import { EnvelopeCipher, type MasterKey } from '../../../src/security/envelope';

const AAD = 'company:1:vault_cards.number:a';
const key = (id: string): MasterKey => ({ id, key: randomBytes(32) });

describe('EnvelopeCipher', () => {
  it('decrypts what it encrypted, and the sealed value does not contain the plaintext', async () => {
    const envelope = new EnvelopeCipher([key('a')]);
    const sealed = await envelope.seal('4111111111111111', AAD);
    expect(await envelope.open(sealed, AAD)).toBe('4111111111111111');
    expect(JSON.stringify(sealed)).not.toContain('4111111111111111');
  });

  it('encrypts the same value differently each time', async () => {
    const envelope = new EnvelopeCipher([key('a')]);
    const [one, other] = await Promise.all([envelope.seal('123', AAD), envelope.seal('123', AAD)]);
    expect(one?.ciphertext).not.toBe(other?.ciphertext);
    expect(one?.encrypted_key).not.toBe(other?.encrypted_key);
  });

  it('does not store the additional authenticated data', async () => {
    const sealed = await new EnvelopeCipher([key('a')]).seal('123', AAD);
    expect(Object.keys(sealed).sort()).toEqual(['ciphertext', 'encrypted_key', 'iv', 'protected', 'tag']);
  });

  it.each([
    'company:2:vault_cards.number:a',
    'company:1:vault_cards.number:b',
    'company:1:vault_cards.cvv:a',
    '',
  ])('does not decrypt in another record: %p', async (elsewhere) => {
    const envelope = new EnvelopeCipher([key('a')]);
    await expect(envelope.open(await envelope.seal('123', AAD), elsewhere)).rejects.toThrow();
  });

  it.each(['ciphertext', 'encrypted_key', 'iv', 'tag', 'protected'] as const)(
    'does not decrypt if its %s was altered',
    async (part) => {
      const envelope = new EnvelopeCipher([key('a')]);
      const sealed = await envelope.seal('4111111111111111', AAD);
      const altered = Buffer.from(sealed[part], 'base64url');
      altered[0] = (altered[0] ?? 0) ^ 1;
      await expect(
        envelope.open({ ...sealed, [part]: altered.toString('base64url') }, AAD),
      ).rejects.toThrow();
    },
  );

  it('decrypts old values after a key rotation, and encrypts with the new key', async () => {
    const [old, next] = [key('old'), key('new')];
    const sealed = await new EnvelopeCipher([old]).seal('123', AAD);
    const rotated = new EnvelopeCipher([next, old]);
    expect(await rotated.open(sealed, AAD)).toBe('123');
    expect(await new EnvelopeCipher([next]).open(await rotated.seal('456', AAD), AAD)).toBe('456');
  });

  it('does not decrypt with another key, whatever its id', async () => {
    const sealed = await new EnvelopeCipher([key('a')]).seal('123', AAD);
    await expect(new EnvelopeCipher([key('a')]).open(sealed, AAD)).rejects.toThrow();
    await expect(new EnvelopeCipher([key('b')]).open(sealed, AAD)).rejects.toThrow(
      'no encryption key with id a',
    );
  });
});

describe('a secret that is used often', () => {
  const SECRET = 'company:1:gateway_secrets:a';

  async function openedOnce() {
    const envelope = new EnvelopeCipher([key('a')]);
    const sealed = await envelope.seal('sk_1', SECRET);
    const decrypt = jest.spyOn(envelope, 'open');
    expect(await envelope.openOften(sealed, SECRET)).toBe('sk_1');
    return { envelope, sealed, decrypt };
  }

  it('is decrypted once', async () => {
    const { envelope, sealed, decrypt } = await openedOnce();
    expect(await envelope.openOften({ ...sealed }, SECRET)).toBe('sk_1');
    expect(decrypt).toHaveBeenCalledTimes(1);
  });

  it('is not returned for another record, an altered value or the one that replaced it', async () => {
    const { envelope, sealed } = await openedOnce();
    await expect(envelope.openOften(sealed, 'company:2:gateway_secrets:a')).rejects.toThrow();
    const other = await envelope.seal('sk_2', SECRET);
    for (const part of ['protected', 'encrypted_key', 'iv', 'ciphertext', 'tag'] as const) {
      const altered = { ...sealed, [part]: part === 'protected' ? `${other.protected}A` : other[part] };
      await expect(envelope.openOften(altered, SECRET)).rejects.toThrow();
    }
    expect(await envelope.openOften(other, SECRET)).toBe('sk_2');
  });

  it('is decrypted again after ten minutes', async () => {
    const { envelope, sealed, decrypt } = await openedOnce();
    const later = performance.now() + 10 * 60 * 1000 + 1;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(later);
    expect(await envelope.openOften(sealed, SECRET)).toBe('sk_1');
    clock.mockRestore();
    expect(decrypt).toHaveBeenCalledTimes(2);
  });

  it('leaves the memory after two thousand others', async () => {
    const { envelope, sealed, decrypt } = await openedOnce();
    decrypt.mockResolvedValue('another');
    for (let n = 1; n <= 2_000; n += 1) await envelope.openOften({ ...sealed, tag: `t${n}` }, SECRET);
    decrypt.mockRestore();
    const again = jest.spyOn(envelope, 'open');
    expect(await envelope.openOften(sealed, SECRET)).toBe('sk_1');
    expect(again).toHaveBeenCalledTimes(1);
  });
});
