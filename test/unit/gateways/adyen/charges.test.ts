import { AdyenDriver } from '../../../../src/gateways/adyen/driver';
import { RESULT_CODES } from '../../../../src/gateways/adyen/wire';
import { chargeReference, verificationReference } from '../../../../src/gateways/adyen/references';
import type { ChargeRequest } from '../../../../src/gateways/gateway';
import {
  adyenStub,
  billetRequest,
  CARD,
  chargeRequest,
  ok,
  payment,
  pixRequest,
  REFERENCE,
} from './adyen-stub';

const driver = new AdyenDriver();
const thrown = (call: Promise<unknown>) => call.catch((error: unknown) => error);
const charged = (answer: object, request: ChargeRequest = chargeRequest()) =>
  thrown(driver.charge(adyenStub(ok(answer)).ctx, request));

const UNKNOWN = { family: 'ambiguous' };
const AUTHENTICATION = { kind: 'declined', code: null, declineClass: 'auth_required' };
/** Card; pix with its code. */
const RESULTS: Readonly<Record<(typeof RESULT_CODES)[number], readonly [card: object, pix: object]>> = {
  AuthenticationFinished: [UNKNOWN, UNKNOWN],
  AuthenticationNotRequired: [UNKNOWN, UNKNOWN],
  Authorised: [{ kind: 'approved' }, UNKNOWN],
  Cancelled: [{ kind: 'canceled' }, { kind: 'canceled', paidAmountCents: 0 }],
  ChallengeShopper: [AUTHENTICATION, UNKNOWN],
  Error: [UNKNOWN, UNKNOWN],
  IdentifyShopper: [AUTHENTICATION, UNKNOWN],
  PartiallyAuthorised: [UNKNOWN, UNKNOWN],
  Pending: [UNKNOWN, { kind: 'pending' }],
  PresentToShopper: [UNKNOWN, { kind: 'pending' }],
  Received: [UNKNOWN, { kind: 'pending' }],
  RedirectShopper: [AUTHENTICATION, UNKNOWN],
  Refused: [{ kind: 'declined' }, { kind: 'declined' }],
  Success: [UNKNOWN, UNKNOWN],
};
describe('a request that is repeated under its key', () => {
  afterEach(() => jest.useRealTimers());

  it.each([
    ['card', chargeRequest({ card: { ...CARD, expireMonth: 12, expireYear: 2026 } }), payment()],
    ['pix', pixRequest(), payment({ resultCode: 'Error' })],
    ['boleto', billetRequest(), payment({ resultCode: 'Error' })],
  ])('by %s is the same in the next month and year', async (_, request, answer) => {
    const stub = adyenStub(ok(answer));
    for (const now of ['2026-12-31T23:59:59-03:00', '2027-01-01T00:00:01-03:00', '2027-01-01T00:00:01Z']) {
      jest.useFakeTimers({ now: new Date(now), doNotFake: ['nextTick', 'queueMicrotask'] });
      await thrown(driver.charge(stub.ctx, request));
    }
    expect(stub.sent).toHaveLength(3);
    expect(new Set(stub.sent.map(({ body }) => body)).size).toBe(1);
    expect(new Set(stub.sent.map(({ headers }) => JSON.stringify(headers))).size).toBe(1);
  });
});

const PIX = chargeReference(REFERENCE, 'pix');
const QR_CODE = { type: 'qrCode', paymentMethodType: 'pix', qrCodeData: '00020126br.gov.bcb.pix' };
const BILLET = chargeReference(REFERENCE, 'billet');
const VOUCHER = {
  type: 'voucher',
  paymentMethodType: 'boletobancario',
  reference: '03399.37473 12342.547284 85272.394939 1 81630000012990',
  downloadUrl: 'https://test.adyen.com/hpp/generationBoleto.shtml?data=1',
  expiresAt: '2026-05-10T23:59:59',
};

describe('a result of Adyen', () => {
  it('has a row for each value that its description lists', () => {
    expect(Object.keys(RESULTS).sort()).toEqual([...RESULT_CODES].sort());
  });

  it.each(Object.entries(RESULTS))('%s has the expected outcome', async (resultCode, [card, pix]) => {
    expect(await charged(payment({ resultCode }))).toMatchObject(card);
    const answer = payment({ resultCode, merchantReference: PIX, action: QR_CODE });
    expect(await charged(answer, pixRequest())).toMatchObject(pix);
  });

  it.each(['Approved', '', null])('%j is unknown', async (resultCode) => {
    expect(await charged(payment({ resultCode }))).toMatchObject(UNKNOWN);
  });
});

describe('an authorised card', () => {
  it('has the authorization code and the network’s ids', async () => {
    expect(await charged(payment())).toMatchObject({
      kind: 'approved',
      gatewayTransactionId: 'PSP1',
      amountCents: 12_990,
      responseCode: '00',
      authorizationCode: '044925',
      networkIds: { transactionId: '858478648165984', transactionLinkId: 'link-1', eloReference: null },
      captureBefore: null,
    });
    const bare = payment({ additionalData: undefined, amount: undefined });
    expect(await charged(bare)).toMatchObject({
      kind: 'approved',
      authorizationCode: null,
      networkIds: null,
    });
  });

  it('that is captured later must be captured within the shortest period of the networks', async () => {
    const merchantReference = chargeReference(REFERENCE, 'authorization');
    const stub = adyenStub(ok(payment({ merchantReference })));
    const outcome = await driver.authorize(stub.ctx, chargeRequest());
    expect(outcome).toMatchObject({ kind: 'authorized', amountCents: 12_990 });
    const days =
      (Date.parse('captureBefore' in outcome ? (outcome.captureBefore ?? '') : '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(5.9);
    expect(days).toBeLessThanOrEqual(7);
  });

  it.each([
    ['of another payment', { merchantReference: chargeReference(`${REFERENCE.slice(0, -1)}2`, 'sale') }],
    ['without our reference', { merchantReference: undefined }],
    ['of another amount', { amount: { value: 12_989, currency: 'BRL' } }],
    ['of another currency', { amount: { value: 12_990, currency: 'USD' } }],
    ['without an id', { pspReference: undefined }],
  ])('%s proves nothing', async (_, changes) => {
    expect(await charged(payment(changes))).toMatchObject(UNKNOWN);
  });

  it('for a part of the amount is released, and its outcome is unknown', async () => {
    const stub = adyenStub(ok(payment({ resultCode: 'PartiallyAuthorised' })));
    expect(await thrown(driver.charge(stub.ctx, chargeRequest()))).toMatchObject(UNKNOWN);
    expect(stub.sent.map(({ url }) => url)).toEqual([
      'http://adyen.invalid/v72/payments',
      'http://adyen.invalid/v72/payments/PSP1/cancels',
    ]);
    expect(stub.sent[1]?.headers).toMatchObject({ 'idempotency-key': 'key-part' });
  });
});

describe('a pix or boleto', () => {
  it('has the code, and the asked expiry if Adyen does not repeat it', async () => {
    const answer = payment({ resultCode: 'Pending', merchantReference: undefined, action: QR_CODE });
    expect(await charged(answer, pixRequest())).toMatchObject({
      kind: 'pending',
      paidAmountCents: 0,
      pix: { qrCode: '00020126br.gov.bcb.pix', expiresAt: '2026-05-04T12:10:00.000Z', endToEndId: null },
    });
    for (const told of [
      { action: { ...QR_CODE, expiresAt: '2026-05-04T12:09:59Z' } },
      { additionalData: { 'pix.expirationDate': '2026-05-04T09:09:59-03:00' } },
    ]) {
      expect(await charged(payment({ ...answer, ...told }), pixRequest())).toMatchObject({
        pix: { expiresAt: '2026-05-04T12:09:59.000Z' },
      });
    }
  });

  it('has the line without its dots, the barcode and the page', async () => {
    const answer = payment({ resultCode: 'PresentToShopper', merchantReference: BILLET, action: VOUCHER });
    expect(await charged(answer, billetRequest())).toMatchObject({
      kind: 'pending',
      billet: {
        line: '03399374731234254728485272394939181630000012990',
        barcode: '03391816300000129909374712342547288527239493',
        url: VOUCHER.downloadUrl,
        dueAt: '2026-05-10',
      },
    });
  });

  it.each([
    ['no action', undefined],
    ['another action', { type: 'redirect', url: 'https://example.com' }],
    ['an empty code', { ...QR_CODE, qrCodeData: '' }],
  ])('with %s is unknown, because nobody could pay it', async (_, action) => {
    const answer = payment({ resultCode: 'Pending', merchantReference: PIX, action });
    expect(await charged(answer, pixRequest())).toMatchObject(UNKNOWN);
    expect(await charged(payment({ ...answer, merchantReference: BILLET }), billetRequest())).toMatchObject(
      UNKNOWN,
    );
  });
});

describe('the verification of a card', () => {
  const request = { ...chargeRequest(), reference: REFERENCE.slice(0, -2) };
  const verified = (changes: object) => {
    const { card } = request;
    if (card === null) throw new Error('a card is needed');
    const merchantReference = verificationReference(request.reference);
    const { ctx } = adyenStub(ok(payment({ merchantReference, amount: undefined, ...changes })));
    const initiation = { initiator: 'customer', reason: 'first_saved' } as const;
    return thrown(driver.verifyCard(ctx, { ...request, card, initiation }));
  };

  it('returns the network’s ids, a decline, or that nothing is known', async () => {
    expect(await verified({})).toMatchObject({
      kind: 'verified',
      networkIds: { transactionId: '858478648165984' },
    });
    expect(await verified({ resultCode: 'Refused', refusalReasonCode: '6' })).toMatchObject({
      kind: 'declined',
      code: '54',
    });
    expect(await verified({ resultCode: 'ChallengeShopper' })).toMatchObject(AUTHENTICATION);
    for (const changes of [{ resultCode: 'Error' }, { merchantReference: 'other' }]) {
      expect(await verified(changes)).toMatchObject(UNKNOWN);
    }
  });
});
