import { GatewayError } from '../../../../src/gateways/errors';
import { MercadoPagoDriver } from '../../../../src/gateways/mercadopago/driver';
import {
  chargeRequest,
  created,
  failure,
  mercadoPagoStub,
  ok,
  payment,
  SEND_BEFORE,
  TOKEN,
  type StubAnswer,
} from './mercadopago-stub';

const driver = new MercadoPagoDriver();
const charged = (...answers: readonly StubAnswer[]) => {
  const stub = mercadoPagoStub(...answers);
  return { stub, outcome: driver.charge(stub.ctx, chargeRequest()).catch((thrown: unknown) => thrown) };
};
const CREATION = 'POST card_tokens';
const PAYMENT = 'POST payments';
const CANCEL = 'PUT payments/1';
const lost = new GatewayError('ambiguous', 'lost');
const rejected = (statusDetail: string, changes: object = {}) =>
  created(payment({ status: 'rejected', status_detail: statusDetail, ...changes }));

const SPLIT = { recipientId: '1', amountCents: 1, liable: false, chargeProcessingFee: false };

describe('a card charge', () => {
  it('creates a token and then the payment, which alone has the send window and the key of the attempt', async () => {
    const { stub, outcome } = charged(TOKEN, created(payment()));
    expect(await outcome).toMatchObject({ kind: 'approved', gatewayTransactionId: '1', amountCents: 12_990 });
    expect(stub.paths()).toEqual([CREATION, PAYMENT]);
    expect(stub.sent.map(({ sendBefore }) => sendBefore)).toEqual([null, SEND_BEFORE]);
    expect(stub.sent.map(({ headers }) => headers['x-idempotency-key'])).toEqual(['key-token', 'key']);
  });

  it('is the same for an answer of 200, with which a repeated key is answered', async () => {
    expect(await charged(TOKEN, ok(payment())).outcome).toMatchObject({ kind: 'approved' });
  });

  it.each([
    ['E301', '14'],
    ['E302', '82'],
    ['325', '54'],
    ['326', '54'],
  ])('whose card data is refused with %s is a decline with the code %s', async (code, expected) => {
    const { stub, outcome } = charged(failure(400, code));
    expect(await outcome).toMatchObject({ kind: 'declined', code: expected, gatewayTransactionId: null });
    expect(stub.paths()).toEqual([CREATION]);
  });

  it.each<[string, StubAnswer, string]>([
    ['a lost answer', lost, 'not_sent'],
    ['a page of a proxy', { status: 502, body: '<html>' }, 'not_sent'],
    ['an error of its own', failure(500), 'not_sent'],
    ['an unreadable token', created({ status: 'active' }), 'not_sent'],
    ['an error about anything but the card', failure(400, 324), 'invalid_request'],
    ['a demand for the security code of a saved card', failure(400, '224'), 'unsupported'],
    ['rejected credentials', failure(401), 'bad_credentials'],
    ['too many requests', failure(429), 'rate_limited'],
  ])('fails before any money can move if the token gets %s', async (_, answer, family) => {
    const { stub, outcome } = charged(answer);
    expect(await outcome).toMatchObject({ family });
    expect(stub.paths()).toEqual([CREATION]);
  });

  it.each<[string, StubAnswer]>([
    ['a lost answer', lost],
    ['a page of a proxy', { status: 400, body: '<html>' }],
    [
      'an error whose body names another status',
      { status: 400, body: { message: 'no', error: 'x', status: 404 } },
    ],
    ['an error without a code', { status: 400, body: { message: 'no', status: 400 } }],
    ['an error without a status', { status: 400, body: { message: 'no', error: 'bad_request' } }],
    [
      'a refusal of a token with another status',
      { status: 400, body: { message: 'no', code: 'unauthorized' } },
    ],
    ['a refusal with an unknown code', { status: 401, body: { message: 'no', code: 'denied' } }],
    ['a key in use (409)', failure(409)],
    ['a locked key (423)', failure(423)],
    ['a failure behind (424)', failure(424)],
    ['an error of its own', failure(500)],
    ['an equal request a minute ago', failure(400, 2001)],
    ['an equal request a minute ago, by the other code', failure(400, '801')],
    ['a failure of the processor', failure(400, 2004)],
    ['a payment of another reference', created(payment({ external_reference: 'order 12' }))],
    ['another amount', created(payment({ transaction_amount: 129.91 }))],
    ['more than two decimals', created(payment({ transaction_amount: 129.901 }))],
    ['another currency', created(payment({ currency_id: 'ARS' }))],
    ['another method', created(payment({ payment_type_id: 'ticket' }))],
    ['an unknown status', created(payment({ status: 'settling' }))],
    ['a review', created(payment({ status: 'in_process', status_detail: 'pending_review_manual' }))],
    ['an authorization', created(payment({ status: 'authorized', status_detail: 'pending_capture' }))],
    ['an equal payment', rejected('cc_rejected_duplicated_payment')],
  ])('is ambiguous after %s', async (_, answer) => {
    expect(await charged(TOKEN, answer).outcome).toMatchObject({ family: 'ambiguous' });
  });

  it.each<[string, StubAnswer, object]>([
    ['an error of the request', failure(400, 2072), { family: 'invalid_request', code: '2072' }],
    ['too many installments', rejected('cc_rejected_invalid_installments'), { family: 'invalid_request' }],
    ['a card that Mercado Pago cannot place', failure(400, 2131), { family: 'unsupported', lacks: null }],
    ['rejected credentials', failure(401), { family: 'bad_credentials' }],
    [
      'an error of the authorization in front of the API',
      { status: 403, body: { code: 'PA_UNAUTHORIZED_RESULT_FROM_POLICIES', message: 'no', status: 403 } },
      { family: 'bad_credentials' },
    ],
    [
      'the same without a status',
      { status: 401, body: { code: 'unauthorized', message: 'invalid access token' } },
      { family: 'bad_credentials', code: 'unauthorized' },
    ],
    ['too many requests', failure(429), { family: 'rate_limited' }],
  ])('certainly had no effect after %s', async (_, answer, expected) => {
    expect(await charged(TOKEN, answer).outcome).toMatchObject(expected);
  });

  it('that gets a 402 is a decline by its word, without a payment', async () => {
    const answer = failure(402, 'cc_rejected_insufficient_amount');
    expect(await charged(TOKEN, answer).outcome).toMatchObject({
      kind: 'declined',
      code: '51',
      message: 'cc_rejected_insufficient_amount',
      gatewayTransactionId: null,
    });
    expect(await charged(TOKEN, failure(402, 'failed')).outcome).toMatchObject({
      code: null,
      declineClass: 'soft',
      message: 'payment_error',
    });
  });

  it.each<[string, StubAnswer]>([
    ['canceled', ok(payment({ status: 'cancelled', status_detail: 'by_collector' }))],
    ['not canceled, because the answer is lost', lost],
  ])('that asks for a challenge is declined, and its payment is %s', async (_, cancel) => {
    const challenge = { status: 'pending', status_detail: 'pending_challenge', three_ds_info: { creq: 'x' } };
    const { stub, outcome } = charged(TOKEN, created(payment(challenge)), cancel);
    expect(await outcome).toMatchObject({
      kind: 'declined',
      code: null,
      declineClass: 'auth_required',
      gatewayTransactionId: '1',
    });
    expect(stub.paths()).toEqual([CREATION, PAYMENT, CANCEL]);
    expect([stub.body(2), stub.sent[2]?.sendBefore]).toEqual([{ status: 'cancelled' }, null]);
    expect(stub.sent[2]?.headers['x-idempotency-key']).toBe('key-abandon');
  });

  it('of a saved card has no security code', async () => {
    const stub = mercadoPagoStub(TOKEN, created(payment()));
    const { card, ...request } = chargeRequest();
    await driver.charge(stub.ctx, { ...request, card: card && { ...card, cvv: null } });
    expect(stub.body(0)).not.toHaveProperty('security_code');
  });

  it.each([
    ['another currency', { currency: 'USD' }],
    ['more digits than a JSON number holds', { amountCents: Number.MAX_SAFE_INTEGER }],
    ['several splits', { splits: [SPLIT, SPLIT] }],
  ])('with %s is refused before a request is sent', async (_, changes) => {
    const stub = mercadoPagoStub(TOKEN);
    await expect(driver.charge(stub.ctx, chargeRequest(changes))).rejects.toMatchObject({
      family: 'unsupported',
    });
    expect(stub.sent).toEqual([]);
  });

  it('puts no card data and no key into its errors', async () => {
    const text = JSON.stringify(await charged(TOKEN, failure(400, '5031433215406351')).outcome);
    expect(text).not.toMatch(/TEST-stub|ana@example/);
  });
});
