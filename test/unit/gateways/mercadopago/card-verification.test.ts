import type { CardVerificationRequest } from '../../../../src/gateways/gateway';
import { MercadoPagoDriver } from '../../../../src/gateways/mercadopago/driver';
import {
  chargeRequest,
  mercadoPagoStub,
  ok,
  REFERENCE,
  SEND_BEFORE,
  TOKEN,
  type StubAnswer,
} from './mercadopago-stub';
import { SdkTypes } from './sdk-types';

const driver = new MercadoPagoDriver();
const { customer, currency, card } = chargeRequest();
if (card === null) throw new Error('the request has a card');
const REQUEST: CardVerificationRequest = {
  ...{ reference: REFERENCE, currency, customer, card, billingAddress: null },
  initiation: { initiator: 'customer', reason: 'first_saved' },
};
const VALIDATED = {
  ...{ id: 1, operation_type: 'card_validation', transaction_amount: 0 },
  ...{ status: 'approved', status_detail: 'accredited' },
};
const verify = (answer: StubAnswer) => driver.verifyCard(mercadoPagoStub(TOKEN, answer).ctx, REQUEST);

describe('the verification of a card', () => {
  it('is a payment of zero with a header of its own and fields that the SDK’s types know', async () => {
    const stub = mercadoPagoStub(TOKEN, ok(VALIDATED));
    expect(await driver.verifyCard(stub.ctx, REQUEST)).toEqual({ kind: 'verified', networkIds: null });
    expect(stub.paths()).toEqual(['POST card_tokens', 'POST payments']);
    expect(stub.sent[1]).toMatchObject({
      headers: { 'x-card-validation': 'card_validation', 'x-idempotency-key': 'key' },
      sendBefore: SEND_BEFORE,
    });
    expect(stub.body(1)).toMatchObject({ transaction_amount: 0, payer: { type: 'guest' } });
    const types = new SdkTypes('payment/create/types.d.ts');
    expect(types.problems(stub.body(1), 'PaymentCreateRequest')).toEqual([]);
  });

  it('is a decline with the word of the refusal', async () => {
    const rejected = { ...VALIDATED, status: 'rejected', status_detail: 'cc_rejected_other_reason' };
    expect(await verify(ok(rejected))).toMatchObject({
      kind: 'declined',
      message: 'cc_rejected_other_reason',
    });
  });

  it.each([
    ['an account without it', { status: 403, body: { message: 'Forbidden' } }, 'unsupported'],
    ['another page with 403', { status: 403, body: '<html>' }, 'ambiguous'],
    ['a payment', ok({ ...VALIDATED, operation_type: 'regular_payment' }), 'ambiguous'],
    ['an amount', ok({ ...VALIDATED, transaction_amount: 1 }), 'ambiguous'],
    ['another reference', ok({ ...VALIDATED, external_reference: 'x' }), 'ambiguous'],
    ['an unknown state', ok({ ...VALIDATED, status: 'in_process' }), 'ambiguous'],
  ] as const)('fails after the answer of %s', async (_, answer, family) => {
    await expect(verify(answer)).rejects.toMatchObject({ family });
  });

  it('of another network is refused before a request is sent', async () => {
    const stub = mercadoPagoStub(TOKEN);
    const elo = { ...REQUEST, card: { ...REQUEST.card, brand: 'elo' } };
    await expect(driver.verifyCard(stub.ctx, elo)).rejects.toMatchObject({ family: 'unsupported' });
    expect(stub.sent).toEqual([]);
  });
});
