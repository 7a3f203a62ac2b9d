import { AsaasDriver } from '../../../../src/gateways/asaas/driver';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { asaasStub, chargeRequest, KNOWN_CUSTOMER, list, ok, REFERENCE } from './asaas-stub';

const driver = new AsaasDriver();

interface Recording {
  readonly http_status: number | null;
  readonly body: { readonly id?: string } | null;
}

/** What Asaas' sandbox really answered on 14 July 2026, as the answer to a charge of a card. */
const ANSWERS: Readonly<Record<string, object>> = {
  'card-approved': { kind: 'approved', gatewayTransactionId: 'pay_goqlln9ijobkq74x', amountCents: 10_000 },
  'card-declined': { kind: 'declined', code: null, declineClass: 'soft', gatewayTransactionId: null },
  'tokenize-declined': { kind: 'declined', code: null, declineClass: 'soft' },
  'customer-invalid-document': { family: 'invalid_request', code: 'invalid_object' },
  'payment-empty-body': { family: 'invalid_request', code: 'invalid_customer' },
  // The code of a refused card: the driver sends no tokens.
  'pay-with-token-of-another-customer': { kind: 'declined', message: 'CreditCardToken … não encontrado.' },
  'pay-with-unknown-token': { kind: 'declined', declineClass: 'soft' },
  // A part of an answer, and another object.
  'pay-with-token-only': { family: 'ambiguous' },
  tokenize: { family: 'ambiguous' },
  // Only their status was recorded.
  'pay-with-token-and-ccv': { family: 'ambiguous' },
  'pay-with-token-of-a-payment': { family: 'ambiguous' },
};

describe.each(Object.entries(ANSWERS))('the recorded answer %s', (recording, expected) => {
  describeWithOracle(`recorded/asaas/${recording}.json`, 'to a charge', (content) => {
    it('has the expected outcome', async () => {
      const { http_status: status, body } = content as Recording;
      const own = body?.id === undefined ? body : { ...body, externalReference: REFERENCE };
      const { ctx } = asaasStub(KNOWN_CUSTOMER, { status: status ?? 0, body: own });
      const request = chargeRequest({ amountCents: 10_000 });
      expect(await driver.charge(ctx, request).catch((error: unknown) => error)).toMatchObject(expected);
    });
  });
});

describeWithOracle('recorded/asaas/card-approved.json', 'the recorded payment', (content) => {
  it('is found by an inquiry, by its id and in a list', async () => {
    const { body } = content as Recording;
    const own = { ...body, externalReference: REFERENCE };
    for (const [id, answer] of [
      ['pay_goqlln9ijobkq74x', ok(own)],
      [null, list(own)],
    ] as const) {
      const subject = { reference: REFERENCE, gatewayTransactionId: id, sentAt: null };
      expect(await driver.inquire(asaasStub(answer).ctx, subject)).toMatchObject({
        kind: 'found',
        outcome: { kind: 'approved', chargeState: { capturedCents: 10_000, refundedCents: 0 } },
      });
    }
  });
});
