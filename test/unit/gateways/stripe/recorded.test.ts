import { StripeDriver } from '../../../../src/gateways/stripe/driver';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { chargeRequest, METHOD, REFERENCE, stripeStub } from './stripe-stub';

const driver = new StripeDriver();
const STATUSES: Readonly<Record<string, number>> = {
  card_error: 402,
  invalid_request_error: 400,
  api_error: 500,
};

/** Errors that Stripe really sent, as answers to a charge. */
const ERRORS: Readonly<Record<string, object>> = {
  'failed-cancel': { family: 'invalid_request', code: 'payment_intent_unexpected_state' },
  'failed-capture': {
    kind: 'declined',
    code: null,
    declineClass: 'soft',
    message: 'generic_decline',
    gatewayTransactionId: 'pi_1F2MB5AWOtgoysogCMt8BaxR',
  },
  'failed-payment-method': { family: 'unsupported' },
  'failed-service': { family: 'ambiguous' },
  'failed-verify': { kind: 'declined', code: 'N7', message: 'incorrect_cvc' },
  'failed-with-set-error-on-requires-action': { kind: 'declined', code: null, declineClass: 'auth_required' },
};

describe.each(Object.entries(ERRORS))('the recorded error %s', (recording, expected) => {
  describeWithOracle(`recorded/stripe/${recording}.json`, 'as the answer to a charge', (content) => {
    it('has the expected outcome', async () => {
      const { body } = content as { body: { error: { type: string } } };
      const { ctx } = stripeStub(METHOD, { status: STATUSES[body.error.type] ?? 0, body });
      const outcome = await driver.charge(ctx, chargeRequest()).catch((error: unknown) => error);
      expect(outcome).toMatchObject(expected);
    });
  });
});

const found = (kind: string, amountCents: number, more: object = {}) => ({
  kind: 'found',
  outcome: { kind, amountCents, ...more },
});
const networkId = (transactionId: string) => ({ networkIds: { transactionId } });
/** Parts of answers, answers of versions of the API that the driver does not ask for, and other objects. */
const UNREADABLE = { kind: 'inconclusive' };

/** Objects that Stripe really sent, as answers to an inquiry about a charge. */
const OBJECTS: Readonly<Record<string, object>> = {
  'successful-capture': found('approved', 2_020, { chargeState: { capturedCents: 2_020, refundedCents: 0 } }),
  'successful-create-intent': found('authorized', 2_020),
  'successful-create-intent-manual-capture-with-network-token-fields': found(
    'authorized',
    2_000,
    networkId('791008482116711'),
  ),
  'successful-create-intent-with-apple-pay-and-billing-address': found(
    'approved',
    2_000,
    networkId('104102978678771'),
  ),
  'successful-create-intent-with-google-pay-and-billing-address': found('approved', 2_000),
  'successful-create-intent-with-network-token-fields': found('approved', 2_000),
  'successful-manual-capture-of-payment-intent-with-network-token-fields': found('approved', 2_000),
  'successful-request-three-d-secure': found('approved', 2_000, networkId('1041029786787710')),
  // Its charge lists a refund: what the cancel released.
  'successful-void': found('canceled', 2_020, { chargeState: { capturedCents: 0, refundedCents: 0 } }),
  'successful-authorize-with-multicapture': UNREADABLE,
  'successful-capture-with-multicapture': UNREADABLE,
  'successful-confirm-3ds2-intent': UNREADABLE,
  'successful-create-3ds2-intent': UNREADABLE,
  'successful-create-3ds2-payment-method': UNREADABLE,
  'successful-create-customer': UNREADABLE,
  'successful-create-intent-with-multicapture-available': UNREADABLE,
  'successful-payment-method': UNREADABLE,
  'successful-payment-method-attach': UNREADABLE,
  'successful-purchase-avs-pass': UNREADABLE,
  'successful-purchase-with-multicapture': UNREADABLE,
  'successful-setup-purchase': UNREADABLE,
  'successful-update-intent': UNREADABLE,
  'successful-verify': UNREADABLE,
};

describe.each(Object.entries(OBJECTS))('the recorded object %s', (recording, expected) => {
  describeWithOracle(`recorded/stripe/${recording}.json`, 'as the answer to an inquiry', (content) => {
    it('has the expected outcome', async () => {
      const { body } = content as { body: { id?: string } };
      const own = { ...body, metadata: { reference: REFERENCE } };
      const subject = { reference: REFERENCE, gatewayTransactionId: body.id ?? 'pi_1', sentAt: null };
      expect(await driver.inquire(stripeStub({ status: 200, body: own }).ctx, subject)).toMatchObject(
        expected,
      );
    });
  });
});
