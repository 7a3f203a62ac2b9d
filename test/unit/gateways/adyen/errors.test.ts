import { AdyenDriver } from '../../../../src/gateways/adyen/driver';
import type { ChargeInitiation } from '../../../../src/domain/shared/charge-initiation';
import { GatewayError } from '../../../../src/gateways/errors';
import type { ChargeRequest } from '../../../../src/gateways/gateway';
import {
  adyenStub,
  chargeRequest,
  error,
  followUp,
  modification,
  pixRequest,
  received,
  REFUND,
  type StubAnswer,
} from './adyen-stub';

const driver = new AdyenDriver();
const thrown = (call: Promise<unknown>) => call.catch((problem: unknown) => problem);
const charged = (answer: StubAnswer, request = chargeRequest()) =>
  thrown(driver.charge(adyenStub(answer).ctx, request));

const initiated = (initiation: ChargeInitiation) => chargeRequest({ initiation });

describe('an error of Adyen', () => {
  it.each([
    [400, '702', 'validation', 'invalid_request'],
    [422, '14_030', 'validation', 'invalid_request'],
    [422, '130', 'validation', 'invalid_request'],
    [422, '167', 'validation', 'invalid_request'],
    [500, '702', 'validation', 'invalid_request'],
    [422, '906', 'validation', 'invalid_request'],
    // The request with the same key is in progress, or was processed.
    [422, '704', 'validation', 'ambiguous'],
    [409, '704', 'validation', 'ambiguous'],
    [422, '0', 'validation', 'ambiguous'],
    [422, '9_999', 'validation', 'ambiguous'],
    [500, '703', 'validation', 'ambiguous'],
    [500, '702', 'internal', 'ambiguous'],
    [503, '702', 'internal', 'ambiguous'],
    [401, '000', 'security', 'bad_credentials'],
    [403, '901', 'security', 'bad_credentials'],
    [403, '010', 'security', 'unsupported'],
    [422, '10', 'validation', 'unsupported'],
    [422, '901', 'security', 'ambiguous'],
    [429, '702', 'validation', 'rate_limited'],
    [500, '905', 'configuration', 'unsupported'],
    [422, '905_3', 'configuration', 'unsupported'],
    [422, '907', 'validation', 'unsupported'],
    [500, '999', 'configuration', 'ambiguous'],
  ])('with status %i, code %s and type %s is %s', async (status, code, type, family) => {
    const problem = await charged(error(status, code, type));
    expect(problem).toBeInstanceOf(GatewayError);
    expect(problem).toMatchObject({ family, code });
    expect(String(problem)).not.toContain('4111');
  });

  it('says what the account lacks, if the method has no acquirer', async () => {
    expect(await charged(error(422, '905_1', 'configuration'), pixRequest())).toMatchObject({
      family: 'unsupported',
      lacks: 'pix',
    });
    // It may be one brand of cards only.
    expect(await charged(error(422, '905_1', 'configuration'))).toMatchObject({ lacks: null });
    expect(await charged(error(403, '010', 'security'))).toMatchObject({ lacks: 'raw_cards' });
    const other = await charged(error(403, '010', 'security'), pixRequest());
    expect(other).toMatchObject({ family: 'bad_credentials' });
  });

  it.each<[string, StubAnswer, ChargeRequest]>([
    [
      'of a saved card',
      error(403, '010', 'security'),
      initiated({ initiator: 'customer', reason: 'saved_card' }),
    ],
    [
      'of the first of a series',
      error(403, '010', 'security'),
      initiated({ initiator: 'customer', reason: 'first_recurring' }),
    ],
    [
      'of a renewal',
      error(403, '010', 'security'),
      initiated({ initiator: 'merchant', reason: 'recurring', networkIds: null }),
    ],
    ['of another type', error(422, '010', 'validation'), chargeRequest()],
  ])(
    '010 %s goes to the next gateway, and switches no card numbers off for the account',
    async (_, answer, request) => {
      expect(await charged(answer, request)).toMatchObject({ family: 'unsupported', lacks: null });
    },
  );

  it.each<[string, StubAnswer]>([
    ['of another status', { status: 400, body: { status: 422, errorCode: '130', errorType: 'validation' } }],
    ['of an unknown type', { status: 422, body: { status: 422, errorCode: '130', errorType: 'other' } }],
    ['without a code', { status: 422, body: { status: 422, errorType: 'validation' } }],
    [
      'with the status of a success',
      { status: 200, body: { status: 200, errorCode: '130', errorType: 'validation' } },
    ],
    ['as a page', { status: 403, body: '<html>' }],
  ])('%s is not its own, and proves nothing', async (_, answer) => {
    expect(await charged(answer)).toMatchObject({ family: 'ambiguous' });
  });

  it('about missing credentials is raised before a request is sent', async () => {
    const { ctx, sent } = adyenStub();
    expect(await thrown(driver.charge({ ...ctx, credentials: {} }, chargeRequest()))).toMatchObject({
      family: 'bad_credentials',
    });
    const live = { ...ctx, endpoints: { api: 'https://checkout-live.adyenpayments.com/checkout' } };
    for (const live_url_prefix of ['', 'evil.example/', 'a-b', 'x'.repeat(99)]) {
      const credentials = { ...ctx.credentials, live_url_prefix };
      expect(await thrown(driver.charge({ ...live, credentials }, chargeRequest()))).toMatchObject({
        family: 'bad_credentials',
      });
    }
    expect(sent).toEqual([]);
  });
});

describe('a capture, cancel or refund', () => {
  const refunded = (answer: StubAnswer) => thrown(driver.refund(adyenStub(answer).ctx, followUp()));

  it('is pending once Adyen has it', async () => {
    const pending = { kind: 'pending', gatewayTransactionId: 'PSP1', amountCents: 12_990 };
    expect(await refunded(received(modification()))).toMatchObject(pending);
    // A cancel has no amount.
    const answer = modification({ amount: undefined, reference: undefined });
    const cancel = followUp({ reference: REFUND.replace('refund', 'cancel') });
    expect(await driver.cancel(adyenStub(received(answer)).ctx, cancel)).toMatchObject(pending);
  });

  it.each([
    ['of another payment', { paymentPspReference: 'PSP9' }],
    ['of another request', { reference: 'o1' }],
    ['of another amount', { amount: { value: 1, currency: 'BRL' } }],
    ['in another state', { status: 'done' }],
  ])('%s proves nothing', async (_, changes) => {
    expect(await refunded(received(modification(changes)))).toMatchObject({ family: 'ambiguous' });
  });

  it('answered with another status of success proves nothing', async () => {
    expect(await refunded({ status: 200, body: modification() })).toMatchObject({ family: 'ambiguous' });
  });
});
