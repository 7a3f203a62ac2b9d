import { CieloDriver } from '../../../../src/gateways/cielo/driver';
import { GatewayError } from '../../../../src/gateways/errors';
import type { ChargeRequest } from '../../../../src/gateways/gateway';
import { describeWithOracle } from '../../../support/vendors/oracles';
import {
  authorized,
  CARD,
  chargeRequest,
  cieloStub,
  created,
  empty,
  error,
  ok,
  ORDER_ID,
  PAYMENT_ID,
  pix,
  pixRequest,
  sale,
  unknownFields,
  type StubAnswer,
} from './cielo-stub';

const driver = new CieloDriver();

function charge(request: ChargeRequest, ...answers: readonly StubAnswer[]) {
  const stub = cieloStub(...answers);
  return { stub, outcome: driver.charge(stub.ctx, request).catch((thrown: unknown) => thrown) };
}
async function bodyOf(request: ChargeRequest): Promise<Record<string, unknown>> {
  const { stub, outcome } = charge(request, created(sale()));
  await outcome;
  return (stub.body(0) as { Payment: Record<string, unknown> }).Payment;
}

describe('a charge', () => {
  it('of a card is one sale with our reference in letters and digits, sent within the send window', async () => {
    const { stub, outcome } = charge(
      chargeRequest(),
      created(sale({ IssuerTransactionId: '580027442382078' })),
    );
    expect(await outcome).toMatchObject({
      kind: 'approved',
      gatewayTransactionId: PAYMENT_ID,
      amountCents: 12_990,
      authorizationCode: '123456',
      networkIds: { transactionId: '580027442382078' },
    });
    expect(stub.paths()).toEqual(['POST api sales/']);
    expect(stub.sent[0]).toMatchObject({
      sendBefore: 1_900_000_000_000,
      headers: { MerchantId: 'c1e10000-0000-4000-8000-000000000001', MerchantKey: 'A'.repeat(40) },
    });
    expect(stub.body(0)).toMatchObject({
      MerchantOrderId: expect.stringMatching(/^[a-z0-9]{26}$/) as string,
      Payment: { Type: 'CreditCard', Amount: 12_990, Capture: true, Installments: 1 },
    });
  });

  it('authorizes only with `Capture` false, until the end of the capture window', async () => {
    const stub = cieloStub(created(authorized()));
    expect(await driver.authorize(stub.ctx, chargeRequest())).toMatchObject({
      kind: 'authorized',
      captureBefore: '2026-06-25T15:00:00.000Z',
    });
    expect(stub.body(0)).toMatchObject({ Payment: { Capture: false } });
  });

  it('sends a holder and a descriptor without accents and signs, and no longer than Cielo takes', async () => {
    const card = { ...CARD, holderName: 'João D’Ávila de Assunção e Silva Neto' };
    const body = await bodyOf(chargeRequest({ card, softDescriptor: 'Açaí & Cia. Recife' }));
    expect(body).toMatchObject({
      SoftDescriptor: 'AcaiCiaRecife',
      CreditCard: { Holder: 'Joao DAvila de Assuncao e' },
    });
  });

  it.each<[string, string, object, object]>([
    ['one_off', 'visa', { Recurrent: false }, {}],
    ['first_saved', 'visa', {}, { Usage: 'First', Reason: 'Unscheduled' }],
    ['first_recurring', 'visa', { Recurrent: true }, { Usage: 'First', Reason: 'Recurring' }],
    ['saved_card', 'elo', { Recurrent: false }, { Usage: 'Used', Reason: 'Unscheduled' }],
    [
      'recurring',
      'visa',
      { Recurrent: true, IssuerTransactionId: '58' },
      { Usage: 'Used', Reason: 'Recurring' },
    ],
    [
      'unscheduled',
      'mastercard',
      {
        IssuerTransactionId: '58',
        InitiatedTransactionIndicator: { Category: 'M1', Subcategory: 'CredentialsOnFile' },
      },
      { Usage: 'Used', Reason: 'Unscheduled' },
    ],
    [
      'first_recurring',
      'mastercard',
      { InitiatedTransactionIndicator: { Category: 'C1', Subcategory: 'Subscription' } },
      { Usage: 'First', Reason: 'Recurring' },
    ],
  ])('tells that it is %s for %s', async (reason, brand, payment, onFile) => {
    const initiator = reason === 'recurring' || reason === 'unscheduled' ? 'merchant' : 'customer';
    const networkIds = { transactionId: '58', transactionLinkId: null, eloReference: null };
    const initiation = { initiator, reason, networkIds } as unknown as ChargeRequest['initiation'];
    const body = await bodyOf(chargeRequest({ initiation, card: { ...CARD, brand } }));
    expect(body).toMatchObject(payment);
    const { CardOnFile = {} } = body.CreditCard as { CardOnFile?: object };
    expect(CardOnFile).toEqual(onFile);
  });

  it('of a pix is pending with its code', async () => {
    const { stub, outcome } = charge(pixRequest(), created(pix()));
    expect(await outcome).toMatchObject({
      kind: 'pending',
      paidAmountCents: 0,
      pix: { qrCode: '000201pix', expiresAt: '2026-06-10T17:00:00.000Z' },
    });
    expect(stub.body(0)).toEqual({
      MerchantOrderId: ORDER_ID,
      Customer: {
        Name: 'Ana Lima',
        Identity: '52998224725',
        IdentityType: 'CPF',
        Email: 'ana@example.com',
      },
      Payment: { Type: 'Pix', Amount: 12_990 },
    });
  });

  it.each<[string, StubAnswer]>([
    ['another reference', created(sale({}, 'other'))],
    ['another amount', created(sale({ Amount: 1 }))],
    ['another method', created(pix())],
    ['no state', created(sale({ Status: undefined }))],
    ['a state that tells nothing', created(sale({ Status: 0 }))],
    ['an authorization in place of a charge', created(authorized())],
    ['the status of another answer', ok(sale())],
    ['half a body', { status: 201, body: '{"MerchantOrderId":' }],
    ['an empty 404', empty(404)],
    ['an error of no known code', error(400, 999)],
    ['a sale with the same reference', error(400, 302, 'Sent MerchantOrderId is duplicated')],
    ['an error of the server', error(500, 101)],
    ['a lost connection', new GatewayError('ambiguous', 'the answer was incomplete')],
  ])('answered with %s is ambiguous', async (_, answer) => {
    expect(await charge(chargeRequest(), answer).outcome).toMatchObject({ family: 'ambiguous' });
  });

  it.each<[string, StubAnswer, object]>([
    ['invalid_request', error(400, 126, 'Credit Card Expiration Date is invalid'), { code: '126' }],
    ['bad_credentials', empty(401), {}],
    ['bad_credentials', error(400, 132, 'MerchantKey is invalid'), { code: '132' }],
    ['unsupported', error(400, 129, 'Affiliation not found'), { lacks: 'raw_cards' }],
  ])('is %s by Cielo’s own answer', async (family, answer, more) => {
    expect(await charge(chargeRequest(), answer).outcome).toMatchObject({ family, ...more });
  });

  it.each([
    ['an error', error(400, '422', 'Error on Merchant Integration')],
    ['an aborted sale', created(pix({ Status: 13, ReturnCode: '422' }))],
  ])('of a pix that the account does not have, told by %s, is unsupported and learned', async (_, answer) => {
    expect(await charge(pixRequest(), answer).outcome).toMatchObject({ family: 'unsupported', lacks: 'pix' });
  });

  it('that Cielo cannot make is refused before anything is sent', async () => {
    const card = { ...CARD, brand: 'maestro' };
    for (const request of [
      chargeRequest({ currency: 'USD' }),
      chargeRequest({ installments: 13 }),
      chargeRequest({ card }),
    ]) {
      const { stub, outcome } = charge(request, created(sale()));
      expect(await outcome).toMatchObject({ family: 'unsupported' });
      expect(stub.sent).toHaveLength(0);
    }
  });
});

/** What the samples of the manual mean as answers to a charge, an authorization or a pix. */
const SAMPLES: readonly (readonly [sample: string, kind: string])[] = [
  ['003', 'approved'],
  ['007', 'approved'],
  ['028', 'authorized'],
  ['030', 'approved'],
  ['035', 'authorized'],
  ['046', 'declined null'],
];

describe.each(SAMPLES)('the sample %s of the manual', (name, expected) => {
  describeWithOracle(`cielo/samples/${name}.json`, 'as the answer to a sale', (content) => {
    it('has the expected outcome', async () => {
      const { Payment } = content as { Payment: { Amount: number } };
      const stub = cieloStub(created({ MerchantOrderId: ORDER_ID, Payment }));
      const request = chargeRequest({ amountCents: Payment.Amount });
      const outcome = await driver[expected === 'authorized' ? 'authorize' : 'charge'](stub.ctx, request);
      expect(outcome.kind === 'declined' ? `declined ${outcome.code}` : outcome.kind).toBe(expected);
    });
  });
});

/** In the sample of a pix, and in the answer to a card. */
const OF_OTHER_SAMPLES = ['Customer.Identity is unknown', 'Customer.IdentityType is unknown'];

describeWithOracle('cielo/samples/002.json', 'the sample of a sale', (full) => {
  it('has every field of a charge, with its type', async () => {
    const initiation = { initiator: 'customer', reason: 'first_recurring' } as const;
    const stub = cieloStub(created(sale()));
    await driver.charge(stub.ctx, chargeRequest({ initiation, softDescriptor: 'Loja' }));
    expect(unknownFields(stub.body(0), full)).toEqual(OF_OTHER_SAMPLES);
  });
});

describeWithOracle('cielo/samples/009.json', 'the sample of a pix', (full) => {
  it('has every field of a charge by pix, with its type', async () => {
    const stub = cieloStub(created(pix()));
    await driver.charge(stub.ctx, pixRequest());
    // The e-mail is a field of any sale.
    expect(unknownFields(stub.body(0), full)).toEqual(['Customer.Email is unknown']);
  });
});
