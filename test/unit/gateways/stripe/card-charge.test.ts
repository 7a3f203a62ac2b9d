import { GatewayError } from '../../../../src/gateways/errors';
import { StripeDriver } from '../../../../src/gateways/stripe/driver';
import {
  charge,
  chargeRequest,
  error,
  intent,
  METHOD,
  ok,
  SEND_BEFORE,
  stripeStub,
  type StubAnswer,
} from './stripe-stub';

const driver = new StripeDriver();
const charged = (...answers: readonly StubAnswer[]) => {
  const stub = stripeStub(...answers);
  return { stub, outcome: driver.charge(stub.ctx, chargeRequest()).catch((thrown: unknown) => thrown) };
};
const CREATION = 'POST payment_methods';
const PAYMENT = 'POST payment_intents';
const NOT_ACTIVATED =
  'All types provided in payment_method_types are invalid. Please ensure the provided types are activated in your dashboard.';
const CANCEL = 'POST payment_intents/pi_1/cancel';

describe('the creation of a PaymentMethod', () => {
  it.each([
    ['incorrect_number', '14'],
    ['invalid_number', '14'],
    ['invalid_expiry_year', '54'],
    ['invalid_expiry_month', '54'],
    ['expired_card', '54'],
    ['invalid_cvc', 'N7'],
  ])('that fails with %s is a decline with the code %s', async (code, expected) => {
    const { stub, outcome } = charged(error(402, { type: 'card_error', code }));
    expect(await outcome).toMatchObject({ kind: 'declined', code: expected, gatewayTransactionId: null });
    expect(stub.paths()).toEqual([CREATION]);
  });

  it('that the account must not do is unsupported, so that another gateway is tried', async () => {
    const messages = [
      'Sending credit card numbers directly to the Stripe API is generally unsafe.',
      'You must verify a phone number on your Stripe account before you can send raw credit card numbers to the Stripe API.',
    ];
    for (const message of messages) {
      for (const status of [400, 402]) {
        const { outcome } = charged(error(status, { type: 'invalid_request_error', message }));
        expect(await outcome).toMatchObject({
          family: 'unsupported',
          lacks: 'raw_cards',
          message: expect.stringContaining(message) as string,
        });
      }
    }
  });

  it.each<[string, StubAnswer]>([
    ['a server error', error(500, { type: 'api_error' })],
    ['a page', { status: 200, body: '<html>' }],
    ['a lost answer', new GatewayError('ambiguous', 'the answer was incomplete')],
  ])('that ends with %s sent no payment', async (_, answer) => {
    const { stub, outcome } = charged(answer);
    expect(await outcome).toMatchObject({ family: 'not_sent' });
    expect(stub.paths()).toEqual([CREATION]);
  });

  it.each([
    [400, 'invalid_request'],
    [401, 'bad_credentials'],
    [403, 'bad_credentials'],
    [429, 'rate_limited'],
  ] as const)('that Stripe answers with %d is %s', async (status, family) => {
    const { outcome } = charged(error(status, { type: 'invalid_request_error' }));
    expect(await outcome).toMatchObject({ family });
  });
});

describe('the payment of a card', () => {
  it('alone has the send window, and its own key', async () => {
    const { stub, outcome } = charged(METHOD, ok(intent()));
    expect(await outcome).toMatchObject({ kind: 'approved', gatewayTransactionId: 'pi_1' });
    expect(stub.sent.map(({ sendBefore }) => sendBefore)).toEqual([null, SEND_BEFORE]);
    expect(stub.sent.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-method', 'key']);
    expect(stub.sent[1]?.headers).toMatchObject({
      authorization: 'Bearer sk_test_stub',
      'content-type': 'application/x-www-form-urlencoded',
      'stripe-version': '2026-08-26.dahlia',
    });
  });

  it.each([
    { metadata: { reference: 'another' } },
    { amount: 1 },
    { currency: 'usd' },
    { payment_method_types: ['pix'] },
    { status: 'requires_capture' },
    { status: 'processing' },
    { status: 'canceled' },
  ])('answered with %j is ambiguous', async (change) => {
    const { outcome } = charged(METHOD, ok(intent({ latest_charge: charge(), ...change })));
    expect(await outcome).toMatchObject({ family: 'ambiguous' });
  });

  it.each([
    // The key stands for an earlier request, about which this says nothing.
    [400, 'idempotency_error', 'ambiguous'],
    [409, 'idempotency_error', 'ambiguous'],
    [409, 'invalid_request_error', 'ambiguous'],
    [429, 'invalid_request_error', 'rate_limited'],
    [424, 'invalid_request_error', 'ambiguous'],
    [500, 'api_error', 'ambiguous'],
    // The type does not fit the status, so the page is not Stripe's.
    [400, 'api_error', 'ambiguous'],
    [404, 'card_error', 'ambiguous'],
    [402, 'api_error', 'ambiguous'],
    [400, 'new_kind_of_error', 'ambiguous'],
  ] as const)('answered with %d %s is %s', async (status, type, family) => {
    const { outcome } = charged(METHOD, error(status, { type }));
    expect(await outcome).toMatchObject({ family });
  });

  it.each([
    [409, 'idempotency_error', 'idempotency_key_in_use'],
    [429, 'invalid_request_error', 'lock_timeout'],
  ])(
    'is ambiguous while another copy of the request may be in progress: %i %s %s',
    async (status, type, code) => {
      const { outcome } = charged(METHOD, error(status, { type, code }));
      expect(await outcome).toMatchObject({ family: 'ambiguous', code });
    },
  );

  it.each([
    ['payment_method_provider_timeout', 'ambiguous'],
    ['payment_method_not_available', 'not_sent'],
  ])('answered with %s is %s', async (code, family) => {
    const { outcome } = charged(METHOD, error(400, { type: 'invalid_request_error', code }));
    expect(await outcome).toMatchObject({ family, code });
  });

  it('is unsupported if the account has not activated the payment method', async () => {
    for (const fields of [
      { code: 'payment_method_unactivated' },
      { code: 'capability_not_active' },
      { message: NOT_ACTIVATED },
    ]) {
      const { outcome } = charged(METHOD, error(400, { type: 'invalid_request_error', ...fields }));
      expect(await outcome).toMatchObject({ family: 'unsupported' });
    }
  });
});

describe('a card that needs authentication', () => {
  const payment_intent = { id: 'pi_1', object: 'payment_intent' };
  const recorded =
    'This payment required an authentication action to complete, but `error_on_requires_action` was set.';

  it.each([
    { code: 'authentication_required', decline_code: 'authentication_required', payment_intent },
    { message: recorded, payment_intent },
  ])('is declined as auth_required, and its PaymentIntent is canceled: %j', async (fields) => {
    const { stub, outcome } = charged(METHOD, error(402, { type: 'card_error', ...fields }), ok(intent()));
    expect(await outcome).toMatchObject({
      code: null,
      declineClass: 'auth_required',
      gatewayTransactionId: 'pi_1',
    });
    expect(stub.paths()).toEqual([CREATION, PAYMENT, CANCEL]);
    expect(stub.form(2)).toEqual({ cancellation_reason: 'abandoned' });
  });

  it('is declined without a cancel if nothing was left behind, and also if the cancel fails', async () => {
    const { stub, outcome } = charged(METHOD, error(402, { type: 'card_error', message: recorded }));
    expect(await outcome).toMatchObject({ declineClass: 'auth_required', gatewayTransactionId: null });
    expect(stub.paths()).toEqual([CREATION, PAYMENT]);
    const failing = charged(
      METHOD,
      error(402, { type: 'card_error', code: 'authentication_required', payment_intent }),
      error(500, { type: 'api_error' }),
    );
    expect(await failing.outcome).toMatchObject({ declineClass: 'auth_required' });
  });

  it('is canceled too if Stripe asks for it in spite of the request', async () => {
    const waiting = intent({ status: 'requires_action', amount_received: 0, latest_charge: null });
    const { stub, outcome } = charged(METHOD, ok(waiting), ok(waiting));
    expect(await outcome).toMatchObject({ declineClass: 'auth_required' });
    expect(stub.paths()).toEqual([CREATION, PAYMENT, CANCEL]);
  });
});

describe('a merchant-initiated charge', () => {
  const networkIds = { transactionId: '0931', transactionLinkId: 'link', eloReference: null };
  const initiation = { initiator: 'merchant', reason: 'recurring', networkIds } as const;
  const EXEMPTION = 'payment_method_options[card][mit_exemption][network_transaction_id]';

  it('is off session and names the network transaction id of the series', async () => {
    const stub = stripeStub(METHOD, ok(intent()));
    await driver.charge(stub.ctx, chargeRequest({ initiation }));
    expect(stub.form(1)).toMatchObject({ off_session: 'recurring', [EXEMPTION]: '0931' });
  });

  it('is sent without that id, under the same key, if the account may not send it', async () => {
    const refusal = error(400, {
      type: 'invalid_request_error',
      code: 'parameter_unknown',
      param: EXEMPTION,
    });
    const stub = stripeStub(METHOD, refusal, ok(intent()));
    expect(await driver.charge(stub.ctx, chargeRequest({ initiation }))).toMatchObject({ kind: 'approved' });
    expect(Object.keys(stub.form(2))).not.toContain(EXEMPTION);
    expect(stub.form(2)).toMatchObject({ off_session: 'recurring' });
    expect(stub.sent[2]).toMatchObject({ sendBefore: SEND_BEFORE, headers: { 'idempotency-key': 'key' } });
  });

  it('is not repeated after any other error', async () => {
    const stub = stripeStub(METHOD, error(500, { type: 'api_error' }));
    await expect(driver.charge(stub.ctx, chargeRequest({ initiation }))).rejects.toMatchObject({
      family: 'ambiguous',
    });
    expect(stub.paths()).toEqual([CREATION, PAYMENT]);
  });
});
