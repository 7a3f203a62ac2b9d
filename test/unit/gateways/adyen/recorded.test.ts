import { AdyenDriver } from '../../../../src/gateways/adyen/driver';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { adyenStub, chargeRequest, followUp, SALE } from './adyen-stub';

const driver = new AdyenDriver();
const thrown = (call: Promise<unknown>) => call.catch((error: unknown) => error);

/** Answers of the classic payment API are of another form: they say nothing. */
const UNREADABLE = { family: 'ambiguous' };
const INVALID = { family: 'invalid_request' };
const APPROVED = { kind: 'approved' };
const declined = (code: string | null, more: object = {}) => ({ kind: 'declined', code, ...more });
const soft = (message: string) => declined(null, { declineClass: 'soft', message });

/**
 * Answers that Adyen really sent, as answers to a charge. They are of the classic payment API, which does not repeat our reference,
 * so the test adds it.
 */
const CHARGES: Readonly<Record<string, object>> = {
  'extended-avs': UNREADABLE,
  'failed-adjust': INVALID,
  'failed-authorize': declined('54', { message: 'Expired Card' }),
  'failed-authorize-3ds2': declined(null, { declineClass: 'auth_required' }),
  'failed-authorize-avs': declined('05'),
  'failed-authorize-mastercard': declined('01', { adviceCode: '01' }),
  'failed-authorize-visa': declined('01', { adviceCode: null }),
  'failed-billing-address': INVALID,
  'failed-billing-field': INVALID,
  'failed-capture': INVALID,
  'failed-credit': INVALID,
  'failed-cvc-validation': declined('N7'),
  'failed-fraud-visa': declined('N7'),
  'failed-invalid-amount': INVALID,
  'failed-invalid-card': declined('14'),
  'failed-invalid-delivery-field': INVALID,
  'failed-not-allowed': { family: 'unsupported', lacks: null },
  'failed-purchase': declined('14'),
  'failed-refund': INVALID,
  'failed-store': soft('Refused'),
  'failed-synchronous-adjust': UNREADABLE,
  'failed-unknown': { family: 'ambiguous' },
  'failed-unstore': INVALID,
  'failed-verify': soft('Refused'),
  'failed-void': INVALID,
  'failed-without-raw-refusal-reason': soft('Your money is no good here'),
  'failed-without-refusal-reason': soft('Refused'),
  'simple-successful-authorize': APPROVED,
  'simple-successful-capture': UNREADABLE,
  'successful-adjust': UNREADABLE,
  'successful-authorize': APPROVED,
  'successful-authorize-with-3ds': declined(null, { declineClass: 'auth_required' }),
  'successful-authorize-with-network-tx-ref': {
    ...APPROVED,
    networkIds: { transactionId: '858435661128555' },
  },
  'successful-cancel-or-refund': UNREADABLE,
  'successful-capture': UNREADABLE,
  'successful-credit': UNREADABLE,
  'successful-payout': APPROVED,
  'successful-refund': UNREADABLE,
  'successful-store': APPROVED,
  'successful-synchronous-adjust': UNREADABLE,
  'successful-tokenize-only-store': UNREADABLE,
  'successful-unstore': UNREADABLE,
  'successful-verify': APPROVED,
  'successful-void': UNREADABLE,
};

describe.each(Object.entries(CHARGES))('the recorded answer %s', (recording, expected) => {
  describeWithOracle(`recorded/adyen/${recording}.json`, 'as the answer to a charge', (content) => {
    it('has the expected outcome, and none without our reference', async () => {
      const { body } = content as { body: { status?: number } };
      const status = body.status ?? 200;
      const repeated = status === 200 ? { ...body, merchantReference: SALE } : body;
      const { ctx } = adyenStub({ status, body: repeated });
      expect(await thrown(driver.charge(ctx, chargeRequest()))).toMatchObject(expected);
      if (status !== 200) return;
      const bare = adyenStub({ status, body });
      expect(await thrown(driver.charge(bare.ctx, chargeRequest()))).toMatchObject({ family: 'ambiguous' });
    });

    it('says nothing about a refund unless it is an error', async () => {
      const { body } = content as { body: { status?: number } };
      const status = body.status ?? 201;
      const outcome = await thrown(driver.refund(adyenStub({ status, body }).ctx, followUp()));
      expect(outcome).toMatchObject(
        status === 201
          ? { family: 'ambiguous' }
          : { family: expect.stringMatching(/invalid_request|ambiguous|bad_credentials/) as string },
      );
    });
  });
});
