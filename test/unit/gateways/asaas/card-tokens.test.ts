import { AsaasDriver } from '../../../../src/gateways/asaas/driver';
import { CARD_TOKEN_REFUSED } from '../../../../src/gateways/errors';
import type { GatewayCard } from '../../../../src/gateways/gateway';
import {
  asaasStub,
  chargeRequest,
  error,
  KNOWN_CUSTOMER,
  list,
  ok,
  payment,
  PURCHASE,
  REFERENCE,
  type StubAnswer,
} from './asaas-stub';

const driver = new AsaasDriver();
const TOKEN = 'b3b603a9-5bda-4916-b6de-bfeca47791c7';
const PAID = ok(
  payment({
    creditCard: { creditCardNumber: '8829', creditCardBrand: 'MASTERCARD', creditCardToken: TOKEN },
  }),
);

function charge(card: Partial<GatewayCard>, answers: readonly StubAnswer[], changes: object = {}) {
  const stub = asaasStub(...answers);
  const request = chargeRequest();
  if (request.card === null) throw new Error('a card is needed');
  const outcome = driver.charge(stub.ctx, { ...request, card: { ...request.card, ...card }, ...changes });
  return { stub, outcome };
}
const onFile = { cvv: null, gatewayToken: `cus_9:${TOKEN}` };

it('a charge returns the token of its card with the customer to whom Asaas bound it, and so does an inquiry', async () => {
  const gatewayToken = `cus_1:${TOKEN}`;
  expect(await charge({}, [KNOWN_CUSTOMER, PAID]).outcome).toMatchObject({ kind: 'approved', gatewayToken });
  const subject = { reference: REFERENCE, gatewayTransactionId: 'pay_1', sentAt: null };
  const inquired = await driver.inquire(asaasStub(PAID).ctx, subject);
  expect(inquired).toMatchObject({ kind: 'found', outcome: { gatewayToken } });
});

it('an account for which Asaas has not enabled tokens gets none', async () => {
  for (const creditCard of [undefined, null, { creditCardNumber: '8829', creditCardToken: null }]) {
    const { outcome } = charge({}, [KNOWN_CUSTOMER, ok(payment({ creditCard }))]);
    expect(await outcome).not.toHaveProperty('gatewayToken');
  }
});

it('a card on file is charged by its token and that customer in one request, without any data of the card', async () => {
  const { stub, outcome } = charge(onFile, [PAID], { billingAddress: null });
  expect(await outcome).toMatchObject({ kind: 'approved' });
  expect(stub.paths()).toEqual(['POST payments']);
  expect(stub.body()).toMatchObject({
    customer: 'cus_9',
    creditCardToken: TOKEN,
    remoteIp: PURCHASE.payerIp,
  });
  for (const name of ['creditCard', 'creditCardHolderInfo']) expect(stub.body()).not.toHaveProperty(name);
});

it('a card whose security code is at hand is charged by its own data, even if it has a token', async () => {
  const { stub, outcome } = charge({ cvv: '123', gatewayToken: onFile.gatewayToken }, [KNOWN_CUSTOMER, PAID]);
  await outcome;
  expect(stub.body(1)).toMatchObject({ customer: 'cus_1', creditCard: { ccv: '123' } });
  expect(stub.body(1)).not.toHaveProperty('creditCardToken');
});

it('a charge by a token needs the payer’s address, which the request does not send otherwise', async () => {
  const { stub, outcome } = charge(onFile, [PAID], { purchase: { ...PURCHASE, payerIp: null } });
  await expect(outcome).rejects.toMatchObject({ family: 'unsupported' });
  expect(stub.sent).toEqual([]);
});

it('a token or customer that Asaas does not know is refused by a code of its own, in words without the token', async () => {
  // Recorded: `pay-with-unknown-token`, `pay-with-token-of-another-customer`, `payment-empty-body`.
  const unknown = error(400, 'invalid_creditCard', `CreditCardToken ${TOKEN} não encontrado.`);
  for (const answer of [unknown, error(400, 'invalid_customer', 'Customer inválido ou não informado.')]) {
    const refused: unknown = await charge(onFile, [answer]).outcome.catch((reason: unknown) => reason);
    expect(refused).toMatchObject({ family: 'unsupported', code: CARD_TOKEN_REFUSED, lacks: null });
    expect(String(refused)).not.toContain(TOKEN);
  }
});

it('a decline of a card that is charged by its token is a decline', async () => {
  const words = 'Transação não autorizada. Verifique os dados do cartão de crédito e tente novamente.';
  for (const code of ['invalid_action', 'invalid_creditCard']) {
    const { outcome } = charge(onFile, [error(400, code, words)]);
    expect(await outcome).toMatchObject({ kind: 'declined' });
  }
  await expect(charge(onFile, [list()]).outcome).rejects.toMatchObject({ family: 'ambiguous' });
});
