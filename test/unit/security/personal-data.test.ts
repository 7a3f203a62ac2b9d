import type { CustomerKey } from '../../../src/domain/customers/personal-data';
import {
  openPersonal,
  PERSONAL_FIELDS,
  putPersonal,
  takePersonal,
} from '../../../src/domain/customers/personal-data';
import { EnvelopeCipher } from '../../../src/security/envelope';
import { CustomerDataCipher, lookupHash } from '../../../src/security/personal-data';

const cipher = () =>
  new CustomerDataCipher(new EnvelopeCipher([{ id: 'k1', key: new Uint8Array(32).fill(7) }]));

async function keyOf(of: CustomerDataCipher, token: string, companyId = 1): Promise<CustomerKey> {
  return { companyId, token, sealed: await of.newKey({ companyId, token }) };
}

describe('what is sealed with a customer’s key', () => {
  const PERSON = { name: 'Joana', address: { city: 'São Paulo' } };

  it('opens in another process, and does not show what it is', async () => {
    const sealer = cipher();
    const key = await keyOf(sealer, 'cus_1');
    const sealed = await sealer.seal(key, PERSON, 'payments:1');
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('Joana');
    expect(await cipher().open(key, sealed, 'payments:1')).toEqual(PERSON);
    expect(await sealer.seal(key, PERSON, 'payments:1')).not.toBe(sealed);
  });

  it('does not open in another record, with another customer’s key, or altered', async () => {
    const sealer = cipher();
    const key = await keyOf(sealer, 'cus_1');
    const sealed = await sealer.seal(key, PERSON, 'payments:1');
    await expect(sealer.open(key, sealed, 'payments:2')).rejects.toThrow();
    await expect(sealer.open(await keyOf(sealer, 'cus_2'), sealed, 'payments:1')).rejects.toThrow();
    await expect(cipher().open({ ...key, token: 'cus_2' }, sealed, 'payments:1')).rejects.toThrow();
    await expect(cipher().open({ ...key, companyId: 2 }, sealed, 'payments:1')).rejects.toThrow();
    const altered = Buffer.from(sealed, 'base64');
    altered.writeUInt8(altered.readUInt8(20) ^ 1, 20);
    await expect(sealer.open(key, altered.toString('base64'), 'payments:1')).rejects.toThrow();
  });

  it('is nothing without the key', async () => {
    const sealer = cipher();
    const sealed = await sealer.seal(await keyOf(sealer, 'cus_1'), PERSON, 'payments:1');
    expect(await openPersonal(sealer, null, sealed, 'payments:1')).toBeNull();
  });
});

it('a lookup hash tells companies and fields apart, and cannot be computed without its key', () => {
  const hash = lookupHash(['a']);
  const hashes = [
    hash(1, 'email', 'x'),
    hash(2, 'email', 'x'),
    hash(1, 'document', 'x'),
    lookupHash(['b'])(1, 'email', 'x'),
  ].flat();
  expect(new Set(hashes).size).toBe(4);
  expect(hash(1, 'email', 'x')).toEqual(hashes.slice(0, 1));
  expect(lookupHash(['b', 'a'])(1, 'email', 'x')).toEqual([hashes[3], hashes[0]]);
});

describe('a body with personal data', () => {
  const PAYMENT = {
    amount: 100,
    customer: { id: 1, name: 'Joana', email: 'j@example.com', phone: null, type: 'individual' },
    card: { brand: 'visa', holder_name: 'JOANA', last_4_digits: '1111' },
    metadata: { name: 'kept' },
  };

  it('is the same text again once its parts are put together, and shows null without the personal part', () => {
    const { rest, personal } = takePersonal(PAYMENT, PERSONAL_FIELDS.payment);
    expect(rest).toEqual({
      ...PAYMENT,
      customer: { ...PAYMENT.customer, name: null, email: null },
      card: { ...PAYMENT.card, holder_name: null },
    });
    expect(JSON.stringify(putPersonal(rest, personal))).toBe(JSON.stringify(PAYMENT));
    expect(putPersonal(rest, null)).toEqual(rest);
  });

  it('without a card, or with a customer who is null, has no such part', () => {
    const { rest, personal } = takePersonal({ amount: 1, customer: null }, PERSONAL_FIELDS.payment);
    expect([rest, personal]).toEqual([{ amount: 1, customer: null }, {}]);
  });
});
