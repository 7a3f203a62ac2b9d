import type { CardVerificationRequest } from '../../../../src/gateways/gateway';
import { StripeDriver } from '../../../../src/gateways/stripe/driver';
import { SETUP_INTENT_STATUSES } from '../../../../src/gateways/stripe/wire';
import { describeWithOracle } from '../../../support/vendors/oracles';
import {
  ADDRESS,
  chargeRequest,
  error,
  METHOD,
  ok,
  SEND_BEFORE,
  stripeStub,
  type StubAnswer,
} from './stripe-stub';

const driver = new StripeDriver();
const REFERENCE = '0190a6f0-7e2c-7c3a-9b1a-2f5d1c3e4b5b';
const CREATION = 'POST payment_methods';
const SETUP = 'POST setup_intents';
const CANCEL = 'POST setup_intents/seti_1/cancel';

function verification(): CardVerificationRequest {
  const { currency, customer, card } = chargeRequest();
  if (card === null) throw new Error('the request has no card');
  const initiation = { initiator: 'customer', reason: 'first_saved' } as const;
  return { reference: REFERENCE, currency, customer, card, billingAddress: ADDRESS, initiation };
}

const verified = (...answers: readonly StubAnswer[]) => {
  const stub = stripeStub(...answers);
  return { stub, outcome: driver.verifyCard(stub.ctx, verification()).catch((thrown: unknown) => thrown) };
};

const setup = (changes: object = {}) => ({
  id: 'seti_1',
  object: 'setup_intent',
  status: 'succeeded',
  payment_method: 'pm_1',
  metadata: { reference: REFERENCE },
  last_setup_error: null,
  ...changes,
});

describe('the verification of a card at Stripe', () => {
  it('confirms a SetupIntent for later charges without a customer, and only that request has the send window', async () => {
    const { stub, outcome } = verified(METHOD, ok(setup()));
    expect(await outcome).toEqual({ kind: 'verified', networkIds: null });
    expect(stub.paths()).toEqual([CREATION, SETUP]);
    expect(stub.form(0)).toMatchObject({ 'card[number]': '4242424242424242', 'card[cvc]': '123' });
    expect(stub.form(1)).toEqual({
      confirm: 'true',
      payment_method: 'pm_1',
      'payment_method_types[0]': 'card',
      usage: 'off_session',
      'metadata[reference]': REFERENCE,
    });
    expect(stub.sent.map(({ sendBefore }) => sendBefore)).toEqual([null, SEND_BEFORE]);
    expect(stub.sent.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-method', 'key']);
  });

  const decline = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' };
  const ROWS: Readonly<Record<(typeof SETUP_INTENT_STATUSES)[number], object>> = {
    canceled: { family: 'ambiguous' },
    processing: { family: 'ambiguous' },
    requires_action: { kind: 'declined', declineClass: 'auth_required', gatewayTransactionId: 'seti_1' },
    requires_confirmation: { family: 'ambiguous' },
    requires_payment_method: { kind: 'declined', code: '51', gatewayTransactionId: 'seti_1' },
    succeeded: { kind: 'verified' },
  };

  it.each(SETUP_INTENT_STATUSES)('that is %s has the result of its row', async (status) => {
    const { outcome } = verified(METHOD, ok(setup({ status, last_setup_error: decline })));
    expect(await outcome).toMatchObject(ROWS[status]);
  });

  it.each([
    { metadata: { reference: 'another' } },
    { payment_method: 'pm_2' },
    { status: 'requires_payment_method' },
    { status: 'brand_new_state' },
    { object: 'payment_intent' },
  ])('proves nothing if it is answered with %j', async (change) => {
    const { stub, outcome } = verified(METHOD, ok(setup(change)));
    expect(await outcome).toMatchObject({ family: 'ambiguous' });
    expect(stub.paths()).toEqual([CREATION, SETUP]);
  });

  it('has the decline of the card’s data without a second request, and that of the issuer by the same table as a charge', async () => {
    const number = verified(error(402, { type: 'card_error', code: 'incorrect_number' }));
    expect(await number.outcome).toMatchObject({ code: '14', gatewayTransactionId: null });
    expect(number.stub.paths()).toEqual([CREATION]);
    const issuer = error(402, { ...decline, network_decline_code: '41', setup_intent: { id: 'seti_1' } });
    const { stub, outcome } = verified(METHOD, issuer);
    expect(await outcome).toMatchObject({ code: '41', gatewayTransactionId: 'seti_1' });
    expect(stub.paths()).toEqual([CREATION, SETUP]);
  });

  it.each([
    ok(setup({ status: 'requires_action' })),
    error(402, { type: 'card_error', code: 'authentication_required', setup_intent: { id: 'seti_1' } }),
  ])('is declined as auth_required and canceled if the issuer asks for its holder', async (answer) => {
    const { stub, outcome } = verified(METHOD, answer, error(500, { type: 'api_error' }));
    expect(await outcome).toMatchObject({ code: null, declineClass: 'auth_required' });
    expect(stub.paths()).toEqual([CREATION, SETUP, CANCEL]);
    expect(stub.form(2)).toEqual({ cancellation_reason: 'abandoned' });
  });

  it('was not sent if the card was not taken, and is unknown if the answer to the SetupIntent is lost', async () => {
    const failure = error(500, { type: 'api_error' });
    expect(await verified(failure).outcome).toMatchObject({ family: 'not_sent' });
    expect(await verified(METHOD, failure).outcome).toMatchObject({ family: 'ambiguous' });
  });
});

describeWithOracle(
  'recorded/stripe/failed-verify.json',
  'the recorded refusal of a SetupIntent',
  (content) => {
    it('is a decline with the word of Stripe', async () => {
      const { body } = content as { body: unknown };
      expect(await verified(METHOD, { status: 402, body }).outcome).toMatchObject({
        kind: 'declined',
        code: 'N7',
        message: 'incorrect_cvc',
        gatewayTransactionId: 'seti_nhtadoeunhtaobjntaheodu',
      });
    });
  },
);

describeWithOracle('recorded/stripe/successful-verify.json', 'the recorded SetupIntent', (content) => {
  it('verifies the card', async () => {
    const { body } = content as { body: { payment_method: string } };
    const method = ok({ id: body.payment_method, object: 'payment_method' });
    const own = { ...body, metadata: { reference: REFERENCE } };
    expect(await verified(method, ok(own)).outcome).toEqual({ kind: 'verified', networkIds: null });
  });
});

describeWithOracle('stripe/spec3.subset.json', 'the schema of a verification’s attempt', (content) => {
  it('has no network ids, so none are returned', () => {
    const { components } = content as { components: { schemas: Record<string, object> } };
    const { setup_attempt_payment_method_details_card: card, setup_intent } = components.schemas;
    expect(JSON.stringify([card, setup_intent])).toContain('three_d_secure');
    expect(JSON.stringify([card, setup_intent])).not.toContain('network_transaction_id');
  });
});
