import { PagarmeDriver } from '../../../../src/gateways/pagarme/driver';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { chargeRequest, listOf, ok, order, pagarmeStub, REFERENCE } from './pagarme-stub';

const driver = new PagarmeDriver();

const found = (kind: string, amountCents: number, more: object = {}) => ({
  kind: 'found',
  outcome: { kind, amountCents, ...more },
});
const declined = (code: string, message: string) => ({
  kind: 'found',
  outcome: { kind: 'declined', code, message: expect.stringContaining(message) as unknown },
});
const UNREADABLE = { kind: 'inconclusive' };

/** What Mundipagg, the predecessor of core v5, really answered in 2018 to 2021, as answers to an inquiry about a charge. */
const CHARGES: Readonly<Record<string, object>> = {
  'successful-authorize': found('authorized', 100, { authorizationCode: '523448' }),
  'successful-purchase': found('approved', 100, { authorizationCode: '713736' }),
  'successful-capture': found('approved', 100, { chargeState: { capturedCents: 100, refundedCents: 0 } }),
  // Captured, though its `gateway_response` has an error of another brand.
  'failed-with-gateway-errors': found('approved', 100),
  // Its transactions are not recorded: by the cancel alone nothing was paid.
  'successful-void': found('canceled', 100, { chargeState: { capturedCents: 0, refundedCents: 0 } }),
  'successful-refund': found('canceled', 100),
  'successful-verify': found('canceled', 100),
  'failed-authorize': declined('92', 'negada'),
  'failed-purchase': declined('92', 'negada'),
  // A voucher, which the driver does not use, in a card's words.
  'failed-with-acquirer-return-code': declined('14', 'VR'),
  'failed-voucher': UNREADABLE,
  'successful-create-customer': UNREADABLE,
  'successful-store': UNREADABLE,
};

describe.each(Object.entries(CHARGES))('the recorded answer %s', (recording, expected) => {
  describeWithOracle(`recorded/mundipagg/${recording}.json`, 'to an inquiry', (content) => {
    it('has the expected outcome', async () => {
      const { body } = content as { body: { id: string; last_transaction: object } };
      const own = { ...body, code: REFERENCE };
      const { ctx } = pagarmeStub(ok(own), listOf(body.last_transaction));
      const subject = { reference: REFERENCE, gatewayTransactionId: body.id, sentAt: null };
      expect(await driver.inquire(ctx, subject)).toMatchObject(expected);
    });
  });
});

/** Errors that it really sent, as answers to a charge. */
const ERRORS: Readonly<Record<string, readonly [status: number, expected: object]>> = {
  'failed-capture': [404, { family: 'invalid_request' }],
  'failed-refund': [404, { family: 'invalid_request' }],
  'failed-void': [404, { family: 'invalid_request' }],
  'failed-with-top-level-errors': [
    422,
    {
      family: 'invalid_request',
      message: expect.stringContaining('charge.payment.credit_card.card.billing_address.line_1') as unknown,
    },
  ],
};

describe.each(Object.entries(ERRORS))('the recorded error %s', (recording, [status, expected]) => {
  describeWithOracle(`recorded/mundipagg/${recording}.json`, 'as the answer to a charge', (content) => {
    it('has the expected family, and nothing of the request', async () => {
      const { body } = content as { body: object };
      const { ctx } = pagarmeStub({ status, body });
      const thrown = await driver.charge(ctx, chargeRequest()).catch((error: unknown) => error);
      expect(thrown).toMatchObject(expected);
      expect(JSON.stringify(thrown)).not.toMatch(/Longbob|Sesame|2224/);
    });
  });
});

describeWithOracle(
  'recorded/mundipagg/successful-purchase.json',
  'the recorded purchase in an order',
  (content) => {
    it('is the outcome of the charge that made it', async () => {
      const { body } = content as { body: object };
      const { ctx } = pagarmeStub(ok({ ...order({ ...body, code: REFERENCE }), amount: 100 }));
      const outcome = await driver.charge(ctx, chargeRequest({ amountCents: 100 }));
      expect(outcome).toMatchObject({ kind: 'approved', gatewayTransactionId: 'ch_90Vjq8TrwfP74XJO' });
    });
  },
);
