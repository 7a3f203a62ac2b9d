import type { RawCallback } from '../../../../src/gateways/callback';
import { PixBacenDriver } from '../../../../src/gateways/pix-bacen/driver';
import { certificateOf, PIX_CREDENTIAL_FIELDS } from '../../../../src/gateways/pix-bacen/credentials';
import { describeWithOracle } from '../../../support/vendors/oracles';
import type { PixDocument } from './pix-document';
import { devolucao, END_TO_END_ID, REFERENCE, TXID } from './pix-stub';

const driver = new PixBacenDriver();
const SECRET = 'secret-of-the-callback-address';
const transfer = (changes: object = {}) => ({
  endToEndId: END_TO_END_ID,
  txid: TXID,
  valor: '129.90',
  horario: '2026-05-04T12:00:00.000Z',
  ...changes,
});
const callback = (body: unknown, query = ''): RawCallback => ({
  body: Buffer.from(JSON.stringify(body)),
  headers: {},
  query,
});
const hintsOf = (...pix: readonly object[]) => {
  const reading = driver.readCallback(callback({ pix }));
  if (reading.kind !== 'hints') throw new Error(reading.kind);
  return reading.hints;
};

describe('a callback of the Pix API', () => {
  it('names each charge of ours among its transfers', () => {
    const foreign = [transfer({ txid: undefined }), transfer({ txid: 'a'.repeat(32) })];
    expect(hintsOf(transfer(), ...foreign)).toMatchObject([
      {
        kind: 'status',
        subject: { reference: REFERENCE, gatewayTransactionId: TXID },
        reportedState: null,
      },
    ]);
    expect(driver.readCallback(callback({ pix: foreign }))).toEqual({ kind: 'foreign' });
  });

  it('is another event when a return has a result, and the same when it is sent again', () => {
    const ids = [
      transfer(),
      transfer(),
      transfer({ devolucoes: [devolucao('a', { status: 'EM_PROCESSAMENTO' })] }),
      transfer({ devolucoes: [devolucao('a')] }),
    ].map((each) => hintsOf(each)[0]?.eventId);
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{64}$/);
  });

  it('of a transfer that the payer’s bank takes back is a chargeback', () => {
    const disputed = transfer({ devolucoes: [devolucao('a', { natureza: 'MED_FRAUDE' })] });
    expect(hintsOf(disputed)).toMatchObject([{ kind: 'chargeback' }]);
  });

  it.each([[''], ['{'], [[]], [{}], [{ pix: [] }], [{ pix: [{}] }], [{ id: 1 }]])(
    'with the body %j is unreadable',
    (body) => {
      expect(driver.readCallback(callback(body))).toEqual({ kind: 'unreadable' });
    },
  );

  it('with which a bank tries the address is answered, though it is for nobody', () => {
    const test = { evento: 'teste_webhook', data_criacao: '2026-05-04T12:00:00.000Z' };
    expect(driver.readCallback(callback(test))).toEqual({ kind: 'foreign' });
  });

  it.each([
    [`hmac=${SECRET}`, 'valid'],
    // Banks append `/pix` to the address.
    [`hmac=${SECRET}/pix`, 'valid'],
    [`hmac=${SECRET}&ignorar=/pix`, 'valid'],
    ['hmac=another', 'invalid'],
    ['', 'unsigned'],
    ['hmac=/pix', 'unsigned'],
  ])('with the query %j is %s', (query, verdict) => {
    const raw = callback({ pix: [transfer()] }, query);
    const [hint] = hintsOf(transfer());
    if (hint === undefined) throw new Error('no hint');
    expect(driver.verifyCallback(raw, hint, ['an older secret', SECRET])).toBe(verdict);
    expect(driver.verifyCallback(raw, hint, [])).toBe('unsigned');
  });

  it('proves nothing by itself', () => {
    expect(driver.callbackProof).toMatchObject({
      kind: 'static_token',
      coversBody: false,
      coversTime: false,
    });
  });
});

describeWithOracle('pix-bacen/openapi.yaml', 'the central bank’s examples of callbacks', (content) => {
  const { examples } = (content as PixDocument).components;

  it.each(['pixWebhook1', 'pixWebhook2'])('%s is readable, though its charge is not ours', (name) => {
    const pix = [examples[name]?.value];
    expect(driver.readCallback(callback({ pix }))).toEqual({ kind: 'foreign' });
  });
});

describe('the credentials of the Pix API', () => {
  const shapeOf = (name: string) =>
    PIX_CREDENTIAL_FIELDS.find((field) => field.name === name)?.shape?.pattern;
  const pem = (kind: string) => `-----BEGIN ${kind}-----\nMIIB\n-----END ${kind}-----\n`;

  it.each([
    [
      'pix_key',
      [
        '52998224725',
        '12ABC34501DE35',
        '+5581988887777',
        'loja@example.com',
        '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
      ],
      ['81988887777 ', 'loja', '7d9f0335'],
    ],
    [
      'certificate',
      [pem('CERTIFICATE'), pem('CERTIFICATE') + pem('CERTIFICATE')],
      [pem('PRIVATE KEY'), 'MIIB'],
    ],
    [
      'private_key',
      [pem('PRIVATE KEY'), pem('RSA PRIVATE KEY'), pem('EC PRIVATE KEY')],
      [pem('ENCRYPTED PRIVATE KEY'), pem('CERTIFICATE')],
    ],
    ['client_id', ['Client_Id_0a1b2c'], ['', 'a b c d']],
  ])('of %s have their shape', (name, right, wrong) => {
    const pattern = shapeOf(name);
    for (const value of right) expect(value).toMatch(pattern ?? '');
    for (const value of wrong) expect(pattern?.test(value)).toBe(false);
  });

  it('identify the company in the TLS handshake', () => {
    const credentials = { certificate: 'a certificate', private_key: 'a key' };
    expect(certificateOf({ secretKey: '', credentials })).toEqual({
      certificate: 'a certificate',
      privateKey: 'a key',
    });
  });
});
