import { InvalidWebhookSignatureError, WebhookSignatureValidator } from 'mercadopago';
import { createHmac } from 'node:crypto';
import type { RawCallback } from '../../../../src/gateways/callback';
import { MercadoPagoDriver } from '../../../../src/gateways/mercadopago/driver';
import { describeWithOracle } from '../../../support/vendors/oracles';

const driver = new MercadoPagoDriver();
const NOW = new Date('2030-01-01T00:00:00Z');
const SECRET = 'a secret of the application';
const REQUEST_ID = '2066ca19-c6f1-498a-be75-1923005edd06';

const notification = (changes: object = {}): object => ({
  id: 12_345,
  live_mode: true,
  type: 'payment',
  date_created: '2030-01-01T00:00:00.000-04:00',
  user_id: 44_444,
  api_version: 'v1',
  action: 'payment.updated',
  data: { id: '999' },
  ...changes,
});
const callback = (body: unknown, more: Partial<RawCallback> = {}): RawCallback => ({
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  headers: {},
  query: 'data.id=999&type=payment',
  ...more,
});
const hintIn = (raw: RawCallback) => {
  const reading = driver.readCallback(raw);
  return reading.kind === 'hints' ? reading.hints[0] : undefined;
};
const verify = (raw: RawCallback, secrets: readonly string[] = [SECRET], now = NOW) => {
  const hint = hintIn(raw);
  if (hint === undefined) throw new Error('no hint');
  return driver.verifyCallback(raw, hint, secrets, now);
};
const signed = ({ id = '999', ts = String(NOW.getTime()), body = notification() }): RawCallback => {
  const v1 = createHmac('sha256', SECRET).update(`id:${id};request-id:${REQUEST_ID};ts:${ts};`).digest('hex');
  const headers = { 'x-signature': `ts=${ts},v1=${v1}`, 'x-request-id': REQUEST_ID };
  return callback(body, { headers, query: `data.id=${id}&type=payment` });
};

describe('a notification', () => {
  it('about a payment names it and says nothing about it', () => {
    const subject = { reference: null, gatewayTransactionId: '999' };
    const status = { kind: 'status', subject, reportedState: null };
    expect(driver.readCallback(callback(notification()))).toEqual({
      kind: 'hints',
      hints: [{ eventId: '12345', ...status }],
    });
    const others = notification({ id: 'a-1', data: { id: 999 }, action: 'payment.created' });
    expect(hintIn(callback(others))).toEqual({ eventId: 'a-1', ...status });
  });

  it.each(['chargebacks', 'topic_chargebacks_wh'])('about a chargeback (%s) names the payment', (type) => {
    const data = { id: 'CB-001-2022', payment_id: 81_968_653_106, site_id: 'MLB' };
    expect(hintIn(callback(notification({ type, data })))).toMatchObject({
      kind: 'chargeback',
      subject: { reference: null, gatewayTransactionId: '81968653106' },
    });
  });

  it.each([
    ['an order', notification({ type: 'topic_merchant_order_wh', data: { status: 'closed' } })],
    ['a subscription', notification({ type: 'subscription_preapproval', data: { id: 'abc' } })],
    ['a chargeback without its payment', notification({ type: 'chargebacks', data: { id: '1' } })],
    ['the older kind', { topic: 'payment', resource: 'https://api.mercadolibre.com/collections/1' }],
  ])('about %s is foreign, so that it is answered with 200', (_, body) => {
    expect(driver.readCallback(callback(body))).toMatchObject({ kind: 'foreign' });
  });

  it.each([
    '',
    '{}',
    '{"id":1}',
    '{"id":1,"type":"payment"}',
    '{"id":1,"type":"payment","data":{"id":"a b"}}',
  ])('is unreadable if it is %j', (text) => {
    expect(driver.readCallback(callback(text))).toEqual({ kind: 'unreadable' });
  });
});

describe('the signature of a notification', () => {
  it.each([
    ['milliseconds', String(NOW.getTime())],
    ['seconds', String(NOW.getTime() / 1000)],
  ])('is accepted by Mercado Pago’s SDK and by the driver, with the time in %s', (_, ts) => {
    const raw = signed({ ts });
    const validate = (secret: string) => () =>
      WebhookSignatureValidator.validate({
        xSignature: raw.headers['x-signature'],
        xRequestId: REQUEST_ID,
        dataId: '999',
        secret,
      });
    expect(validate(SECRET)).not.toThrow();
    expect(validate('another')).toThrow(InvalidWebhookSignatureError);
    expect(verify(raw)).toBe('valid');
    expect(verify(raw, ['another'])).toBe('invalid');
    expect(verify(raw, ['another', SECRET])).toBe('valid');
  });

  it('counts for five minutes', () => {
    const at = (seconds: number) => verify(signed({}), [SECRET], new Date(NOW.getTime() + seconds * 1000));
    expect([at(300), at(301), at(-300), at(-301)]).toEqual(['valid', 'invalid', 'valid', 'invalid']);
  });

  it('proves nothing about a payment that its query does not name, because it does not cover the body', () => {
    expect(verify(signed({ body: notification({ data: { id: '1000' } }) }))).toBe('unsigned');
    const data = { id: '999', payment_id: '1000' };
    expect(verify(signed({ body: notification({ type: 'chargebacks', data }) }))).toBe('unsigned');
    expect(verify({ ...signed({}), query: 'data.id=1000' })).toBe('invalid');
  });

  it('is verified of a notification about something else, too, so that it can be counted', () => {
    const raw = signed({ body: notification({ type: 'merchant_order' }) });
    const reading = driver.readCallback(raw);
    if (reading.kind !== 'foreign' || reading.verifiedBy === undefined) throw new Error('not foreign');
    const hint = { ...reading.verifiedBy, kind: 'status', reportedState: null } as const;
    const verdicts = [SECRET, 'another'].map((secret) => driver.verifyCallback(raw, hint, [secret], NOW));
    expect(verdicts).toEqual(['valid', 'invalid']);
  });

  it('is missing without the header or without a known secret', () => {
    expect(verify(callback(notification()))).toBe('unsigned');
    expect(verify(signed({}), [])).toBe('unsigned');
  });
});

interface Vector {
  readonly case: string;
  readonly x_signature: string | null;
  readonly x_request_id: string | null;
  readonly data_id: string | null;
  readonly tolerance_s?: number;
  readonly now_ms?: number;
  readonly expected: string;
}

describeWithOracle(
  'webhook-vectors/mercadopago.json',
  'the verdict on the signed notification',
  (content) => {
    const { secret, cases } = content as { secret: string; cases: readonly Vector[] };

    it.each(cases.map((each) => [each.case, each] as const))('"%s" is that of the SDK', (_, vector) => {
      const ts = Number(/ts=(\d+)/.exec(vector.x_signature ?? '')?.[1] ?? 0);
      const sentAt = ts < 1e11 ? ts * 1000 : ts;
      // The cases without a tolerance are verified at the time of their sending. The driver's is five minutes.
      const now = new Date(vector.now_ms ?? sentAt);
      const id = vector.data_id?.trim() ?? '';
      const headers = {
        'x-signature': vector.x_signature ?? undefined,
        'x-request-id': vector.x_request_id ?? undefined,
      };
      const query =
        vector.data_id === null ? '' : new URLSearchParams({ 'data.id': vector.data_id }).toString();
      const raw = callback(notification({ data: { id: id || '1' } }), { headers, query });
      const expected = () => {
        if (vector.expected.startsWith('invalid: MissingSignatureHeader')) return 'unsigned';
        if (vector.expected !== 'valid') return 'invalid';
        // Without an id in the query nothing names the payment.
        return id === '' ? 'unsigned' : 'valid';
      };
      expect(verify(raw, [secret], now)).toBe(expected());
    });
  },
);
