import { randomBytes } from 'node:crypto';
import { EnvelopeCipher } from '../../../src/security/envelope';
import { GatewaySecretCipher } from '../../../src/security/gateway-secret-cipher';

const envelope = new EnvelopeCipher([{ id: 'test', key: randomBytes(32) }]);
const cipher = new GatewaySecretCipher(envelope, ['fingerprint-key']);
const OWNER = { companyId: 7, slug: 'gateway_5' } as const;
const VALUES = {
  secretKey: 'sk_canary',
  credentials: { certificate: '-----BEGIN CERTIFICATE-----\nç\n', private_key: 'pk_canary' },
};

describe('GatewaySecretCipher', () => {
  it('returns every value that it sealed, and shows none of them', async () => {
    const sealed = await cipher.seal(OWNER, VALUES, 'loja');
    expect(await cipher.open(OWNER, sealed)).toEqual(VALUES);
    expect(JSON.stringify(sealed)).not.toContain('canary');
  });

  it('opens a secret only for its company, gateway and row', async () => {
    const sealed = await cipher.seal(OWNER, VALUES, null);
    const other = await cipher.seal(OWNER, { ...VALUES, secretKey: 'sk_other' }, null);
    await expect(cipher.open({ ...OWNER, companyId: 8 }, sealed)).rejects.toThrow();
    await expect(cipher.open({ ...OWNER, slug: 'gateway_4' }, sealed)).rejects.toThrow();
    await expect(cipher.open(OWNER, { ...sealed, fingerprint: other.fingerprint })).rejects.toThrow();
  });

  it('recognizes values by the fingerprint of each key, and keeps that of a stored secret', async () => {
    const old = await cipher.seal(OWNER, VALUES, null);
    const rotated = new GatewaySecretCipher(envelope, ['new-key', 'fingerprint-key']);
    const [current, ...older] = rotated.fingerprints(OWNER, VALUES, null);
    expect(older).toEqual([old.fingerprint]);
    expect((await rotated.seal(OWNER, VALUES, null)).fingerprint).toBe(current);
    const again = await rotated.seal(OWNER, VALUES, null, old.fingerprint);
    expect(again.fingerprint).toBe(old.fingerprint);
    expect(await rotated.open(OWNER, again)).toEqual(VALUES);
  });

  it('recognizes the same values in any order, and tells apart every other set of values', async () => {
    const fingerprintOf = async (values: typeof VALUES, clientId: string | null = null, owner = OWNER) =>
      (await cipher.seal(owner, values, clientId)).fingerprint;
    const { certificate, private_key } = VALUES.credentials;
    const reordered = { ...VALUES, credentials: { private_key, certificate } };
    const first = await fingerprintOf(VALUES);
    expect(await fingerprintOf(reordered)).toBe(first);
    const others = await Promise.all([
      fingerprintOf({ ...VALUES, secretKey: 'sk' }),
      fingerprintOf({ ...VALUES, credentials: { certificate, private_key: 'renewed' } }),
      fingerprintOf(VALUES, 'loja'),
      fingerprintOf(VALUES, null, { ...OWNER, companyId: 8 } as unknown as typeof OWNER),
    ]);
    expect(new Set([first, ...others]).size).toBe(5);
  });
});
