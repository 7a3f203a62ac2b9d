import { AsaasDriver } from '../../../../src/gateways/asaas/driver';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { payment, REFERENCE } from './asaas-stub';

const driver = new AsaasDriver();
const read = (body: unknown) =>
  driver.readCallback({ body: Buffer.from(JSON.stringify(body)), headers: {}, query: '' });
const event = (name: string, changes: object = {}) => ({
  id: 'evt_05b708f961d739ea7eba7e4db318f621&368604920',
  event: name,
  dateCreated: '2026-06-08 16:45:03',
  payment: payment(),
  ...changes,
});
const FOREIGN = { kind: 'foreign' };

describe('an event', () => {
  it('names the charge by our reference and Asaas’ id, and reports nothing that could be believed', () => {
    expect(read(event('PAYMENT_CONFIRMED'))).toEqual({
      kind: 'hints',
      hints: [
        {
          eventId: 'evt_05b708f961d739ea7eba7e4db318f621&368604920',
          kind: 'status',
          subject: { reference: REFERENCE, gatewayTransactionId: 'pay_1' },
          reportedState: null,
        },
      ],
    });
  });

  it.each([
    'PAYMENT_CHARGEBACK_REQUESTED',
    'PAYMENT_CHARGEBACK_DISPUTE',
    'PAYMENT_AWAITING_CHARGEBACK_REVERSAL',
  ])('%s is a chargeback', (name) => {
    expect(read(event(name))).toMatchObject({ hints: [{ kind: 'chargeback' }] });
  });

  it('about another program’s charge, something else, or without news is not for this service', () => {
    expect(read(event('PAYMENT_RECEIVED', { payment: payment({ externalReference: '056984' }) }))).toEqual(
      FOREIGN,
    );
    expect(read(event('PAYMENT_RECEIVED', { payment: payment({ externalReference: null }) }))).toEqual(
      FOREIGN,
    );
    expect(read(event('TRANSFER_DONE', { payment: undefined }))).toEqual(FOREIGN);
    for (const name of ['PAYMENT_CREATED', 'PAYMENT_CHECKOUT_VIEWED'])
      expect(read(event(name))).toEqual(FOREIGN);
  });

  it.each([{}, [], { id: 1 }, { id: 'evt_1' }, { event: 'PAYMENT_RECEIVED' }])('%j is unreadable', (body) => {
    expect(read(body)).toEqual({ kind: 'unreadable' });
  });

  for (const sample of ['webhook-payment', 'webhook-unknown-event']) {
    describeWithOracle(`asaas/${sample}.json`, `the sample ${sample}`, (content) => {
      it('is readable, and about no charge of ours', () => expect(read(content)).toEqual(FOREIGN));
    });
  }

  describeWithOracle('asaas/webhook-payment.json', 'the sample with our reference', (content) => {
    it('names its charge', () => {
      const sample = content as { payment: object };
      const ours = { ...sample, payment: { ...sample.payment, externalReference: REFERENCE } };
      expect(read(ours)).toMatchObject({
        hints: [
          {
            kind: 'status',
            subject: { reference: REFERENCE, gatewayTransactionId: '2765d086-c7c5-5cca-898a-4262d212587c' },
          },
        ],
      });
    });
  });
});

describe('the token of a callback', () => {
  const raw = (token?: string) => ({
    body: Buffer.from(JSON.stringify(event('PAYMENT_RECEIVED'))),
    headers: { 'asaas-access-token': token },
    query: '',
  });
  const verify = (token: string | undefined, secrets: readonly string[]) => {
    const reading = driver.readCallback(raw(token));
    if (reading.kind !== 'hints' || reading.hints[0] === undefined) throw new Error(reading.kind);
    return driver.verifyCallback(raw(token), reading.hints[0], secrets);
  };

  it('is compared with each secret, whatever its length', () => {
    expect(verify('the secret', ['an old one', 'the secret'])).toBe('valid');
    expect(verify('the secre', ['the secret'])).toBe('invalid');
    expect(verify('', ['the secret'])).toBe('invalid');
    expect(verify(undefined, ['the secret'])).toBe('unsigned');
    expect(verify('the secret', [])).toBe('unsigned');
  });

  it('proves nothing about the body, so the driver never claims that', () => {
    expect(driver.callbackProof).toMatchObject({
      kind: 'static_token',
      coversBody: false,
      coversTime: false,
    });
  });
});
