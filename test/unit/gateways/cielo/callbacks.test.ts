import { CieloDriver } from '../../../../src/gateways/cielo/driver';
import type { CallbackHint } from '../../../../src/gateways/callback';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { PAYMENT_ID } from './cielo-stub';

const driver = new CieloDriver();
const raw = (body: unknown, headers: Readonly<Record<string, string>> = {}) => ({
  body: Buffer.from(JSON.stringify(body)),
  headers,
  query: '',
});
const read = (body: unknown) => driver.readCallback(raw(body));
const hint: CallbackHint = {
  eventId: 'e',
  kind: 'status',
  subject: { reference: null, gatewayTransactionId: PAYMENT_ID },
  reportedState: null,
};

describe('a notification', () => {
  it('names the sale by Cielo’s id, and reports nothing that could be believed', () => {
    for (const ChangeType of [1, 3, 5])
      expect(read({ PaymentId: PAYMENT_ID.toUpperCase(), ChangeType })).toMatchObject({
        kind: 'hints',
        hints: [{ ...hint, eventId: expect.any(String) as string }],
      });
    expect(read({ PaymentId: PAYMENT_ID, ChangeType: 7 })).toMatchObject({ hints: [{ kind: 'chargeback' }] });
  });

  it('counts as a new one each time, because the next change of the sale has the same body', () => {
    const body = { PaymentId: PAYMENT_ID, ChangeType: 1 };
    const ids = [read(body), read(body)].map(
      (reading) => reading.kind === 'hints' && reading.hints[0]?.eventId,
    );
    expect(new Set(ids).size).toBe(2);
  });

  it('about a recurrence or a fraud alert is not for this service', () => {
    for (const ChangeType of [2, 4, 8, 9])
      expect(read({ PaymentId: PAYMENT_ID, ChangeType })).toEqual({ kind: 'foreign' });
  });

  it.each([{}, [], { id: 1 }, { PaymentId: 'x', ChangeType: 1 }, { PaymentId: PAYMENT_ID }])(
    '%j is unreadable',
    (body) => expect(read(body)).toEqual({ kind: 'unreadable' }),
  );

  it('has the fixed token of the company, or is unsigned', () => {
    const body = { PaymentId: PAYMENT_ID, ChangeType: 1 };
    const verify = (headers: Readonly<Record<string, string>>, secrets: readonly string[]) =>
      driver.verifyCallback(raw(body, headers), hint, secrets);
    const signed = { 'x-cielo-notification': 'segredo' };
    expect(verify(signed, ['outro', 'segredo'])).toBe('valid');
    expect(verify(signed, ['outro'])).toBe('invalid');
    expect(verify({}, ['segredo'])).toBe('unsigned');
    expect(verify(signed, [])).toBe('unsigned');
  });
});

describeWithOracle('cielo/samples/055.json', 'the sample of a notification', (content) => {
  it('has the fields that are read', () => {
    expect(content).toMatchObject({ PaymentId: expect.any(String) as string, ChangeType: 2 });
    expect(read({ ...(content as object), PaymentId: PAYMENT_ID })).toEqual({ kind: 'foreign' });
  });
});
