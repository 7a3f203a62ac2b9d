import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { RawCallback } from '../../../../src/gateways/callback';
import { PagarmeDriver } from '../../../../src/gateways/pagarme/driver';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { AMOUNT, charge, order, REFERENCE, transaction } from './pagarme-stub';

const driver = new PagarmeDriver();
const HEADER = 'x-webhook-asymmetric-signature';
const HINT = {
  eventId: 'hook_1',
  kind: 'status',
  reportedState: null,
  subject: { reference: REFERENCE, gatewayTransactionId: 'ch_1' },
} as const;

interface Key {
  readonly kid: string;
  readonly privateKey: KeyObject;
  /** As the key set has it. */
  readonly text: string;
}
function newKey(kid: string): Key {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = {
    ...publicKey.export({ format: 'jwk' }),
    kid,
    alg: 'RS256',
    use: 'sig',
    keyOps: [],
    keySize: 2048,
  };
  return { kid, privateKey, text: JSON.stringify(jwk) };
}
const [KEY, OTHER] = [newKey('key-1'), newKey('key-2')];

const raw = (body: string, headers: RawCallback['headers']): RawCallback => ({
  ...{ body: Buffer.from(body), headers, query: '' },
});
function signed(body: string, key = KEY, { kid = key.kid, alg = 'RS256' } = {}): RawCallback {
  const signature = createSign('RSA-SHA256').update(body).sign(key.privateKey, 'base64url');
  return raw(body, { [HEADER]: `alg=${alg}; kid=${kid}; signature=${signature}` });
}
const verify = (callback: RawCallback, ...secrets: readonly string[]) =>
  driver.verifyCallback(callback, HINT, secrets);

describe('a webhook of Pagar.me', () => {
  it('is valid if one of the published keys has signed its bytes', () => {
    expect(verify(signed('{"id": 1}'), OTHER.text, KEY.text)).toBe('valid');
    expect(verify(signed('é'), KEY.text, 'user:password')).toBe('valid');
  });

  it('is invalid if the body, the key, its name or the algorithm is another', () => {
    const right = signed('{"id":1}');
    expect(verify({ ...right, body: Buffer.from('{"id":2}') }, KEY.text)).toBe('invalid');
    expect(verify(right, OTHER.text)).toBe('invalid');
    expect(verify(signed('{"id":1}', OTHER, { kid: 'key-1' }), KEY.text)).toBe('invalid');
    for (const alg of ['none', 'HS256', 'rs256', 'RS512']) {
      expect(verify(signed('{"id":1}', KEY, { alg }), KEY.text)).toBe('invalid');
    }
    for (const header of [
      '',
      'alg=RS256',
      'alg=RS256; kid=key-1',
      'alg=RS256; kid=key-1; signature=',
      ';;=',
    ]) {
      expect(verify(raw('{"id":1}', { [HEADER]: header }), KEY.text)).toBe('invalid');
    }
  });

  it('is unsigned without a signature, or while no key is known', () => {
    expect(verify(raw('{}', {}), KEY.text)).toBe('unsigned');
    expect(verify(signed('{}'))).toBe('unsigned');
    expect(verify(signed('{}'), '{"kty":"RSA"}')).toBe('unsigned');
    expect(verify(signed('{}'), '{"kty":"oct","kid":"key-1","k":"c2VjcmV0"}')).toBe('unsigned');
  });

  it('with user and password is never valid, because they say nothing about the body, and invalid with wrong ones', () => {
    const basic = (text: string) =>
      raw('{}', { authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    expect(verify(basic('loja:segredo'), 'another', 'loja:segredo')).toBe('unsigned');
    expect(verify(basic('loja:segredo'), 'segredo')).toBe('unsigned');
    expect(verify(basic('loja:guess'), 'loja:segredo')).toBe('invalid');
    expect(verify(raw('{}', { authorization: 'Bearer segredo' }), 'segredo')).toBe('invalid');
    expect(verify(basic('loja:segredo'))).toBe('unsigned');
  });

  it('tells the id of its key', () => {
    expect(driver.callbackKeys.keyId(signed('{}'))).toBe('key-1');
    expect(driver.callbackKeys.keyId({ headers: {} })).toBeNull();
    expect(driver.callbackKeys.url({ keys: 'https://hubapi.pagar.me' })).toBe(
      'https://hubapi.pagar.me/.well-known/jwks.json',
    );
  });
});

interface Vectors {
  readonly jwks: { readonly keys: readonly object[] };
  readonly cases: readonly { case: string; body: string; header: string; expected: string }[];
}
describeWithOracle('webhook-vectors/pagarme.json', 'the reference signatures', (content) => {
  const { jwks, cases } = content as Vectors;
  const secrets = jwks.keys.map((key) => JSON.stringify(key));

  it.each(cases.map(({ case: name, ...vector }) => [name, vector] as const))(
    'have the verdict: %s',
    (_, vector) => {
      const { body, header, expected } = vector;
      const verdict = verify(raw(body, header === '' ? {} : { [HEADER]: header }), ...secrets);
      // Without a header it is a hint, not a forgery.
      expect(verdict).toBe(header === '' ? 'unsigned' : expected);
    },
  );
});

describe('an event', () => {
  const read = (type: string, data: object, id = 'hook_1') =>
    driver.readCallback(raw(JSON.stringify({ id, type, data, account: { id: 'acc_1' } }), {}));
  const hint = (reportedState: object | null, kind = 'status') => ({
    ...{ kind: 'hints' },
    hints: [
      {
        eventId: 'hook_1',
        kind,
        reportedState,
        subject: { reference: REFERENCE, gatewayTransactionId: 'ch_1' },
      },
    ],
  });
  const approved = { status: 'approved', capturedCents: AMOUNT, refundedCents: 0, paidCents: 0 };
  const voided = transaction({ status: 'voided', operation_type: 'cancel' });

  it('about a paid charge tells its whole state, and its order’s event the same', () => {
    expect(read('charge.paid', charge())).toEqual(hint(approved));
    expect(read('order.paid', order(charge()))).toEqual(hint(approved));
    const last_transaction = transaction({ status: 'paid', operation_type: null });
    expect(read('charge.paid', charge({ payment_method: 'pix', last_transaction }))).toEqual(
      hint({ ...approved, paidCents: AMOUNT }),
    );
  });

  it('about an authorization tells it, and one about a void, a refund or a decline that the charge must be read', () => {
    const last_transaction = transaction({ status: 'authorized_pending_capture' });
    const authorized = charge({ status: 'pending', paid_amount: null, last_transaction });
    expect(read('charge.pending', authorized)).toEqual(
      hint({ status: 'authorized', capturedCents: 0, refundedCents: 0, paidCents: 0 }),
    );
    const canceled = charge({ status: 'canceled', paid_amount: null, last_transaction: voided });
    expect(read('charge.refunded', canceled)).toEqual(hint(null));
    expect(read('charge.partial_canceled', charge({ canceled_amount: 1 }))).toEqual(hint(null));
    const declined = charge({
      status: 'failed',
      paid_amount: null,
      last_transaction: transaction({ status: 'not_authorized' }),
    });
    expect(read('charge.payment_failed', declined)).toEqual(hint(null));
    expect(read('charge.updated', charge({ pending_cancellation: true }))).toEqual(hint(null));
  });

  it('about a chargeback tells a lost dispute of what was paid, and leaves the state to an inquiry', () => {
    const disputed = charge({
      status: 'chargedback',
      currency: 'BRL',
      updated_at: '2026-05-04T12:00:00Z',
      last_transaction: transaction({ status: 'chargedback' }),
    });
    const dispute = {
      ...{ gatewayDisputeId: 'ch_1', currency: 'BRL', kind: 'chargeback', status: 'lost' },
      ...{ amountCents: AMOUNT, reasonCode: null, evidenceDueAt: null, at: new Date('2026-05-04T12:00:00Z') },
    };
    const notice = hint(null, 'chargeback');
    expect(read('charge.chargedback', disputed)).toEqual({
      ...notice,
      hints: [{ ...notice.hints[0], dispute }],
    });
    // Without its instant, or in another state, it is a notice.
    for (const change of [{ updated_at: null }, { status: 'paid' }])
      expect(read('charge.chargedback', { ...disputed, ...change })).toEqual(notice);
  });

  it('after a capture, which gave the charge its code, is about the charge', () => {
    const captured = charge({ code: `${REFERENCE}-capture` });
    expect(read('charge.paid', captured)).toEqual(hint(approved));
    expect(read('charge.paid', { ...captured, code: 'x', order: { code: REFERENCE } })).toEqual(
      hint(approved),
    );
  });

  it('about something else, or about another program’s charge, is not for this service', () => {
    for (const [type, data] of [
      ['charge.paid', charge({ code: 'ORDER-1' })],
      ['charge.paid', {}],
      ['order.paid', { ...order(charge()), code: 'ORDER-1' }],
      ['order.paid', {}],
      ['recipient.updated', { id: 'rp_1' }],
    ] as const) {
      expect(read(type, data)).toEqual({ kind: 'foreign' });
    }
    expect(read('order.created', { code: REFERENCE })).toMatchObject({
      hints: [{ subject: { reference: REFERENCE, gatewayTransactionId: null }, reportedState: null }],
    });
    expect(read('charge.paid', charge(), 'evt_1')).toEqual({ kind: 'unreadable' });
  });
});
