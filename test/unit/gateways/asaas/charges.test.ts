import { AsaasDriver } from '../../../../src/gateways/asaas/driver';
import { GatewayError } from '../../../../src/gateways/errors';
import type { ChargeRequest } from '../../../../src/gateways/gateway';
import {
  asaasStub,
  authorized,
  billet,
  BARCODE,
  billetRequest,
  BOLETO_LINE,
  chargeRequest,
  customer,
  error,
  KNOWN_CUSTOMER,
  LINE,
  list,
  ok,
  payment,
  pix,
  pixRequest,
  PURCHASE,
  QR_CODE,
  REFERENCE,
  type StubAnswer,
} from './asaas-stub';

const driver = new AsaasDriver();
const CARD_REFUSED = 'Transação não autorizada. Verifique os dados do cartão de crédito e tente novamente.';

function charge(request: ChargeRequest, ...answers: readonly StubAnswer[]) {
  const stub = asaasStub(...answers);
  return { stub, outcome: driver.charge(stub.ctx, request) };
}
const failed = (promise: Promise<unknown>) => promise.catch((thrown: unknown) => thrown);
const expectFamily = async (promise: Promise<unknown>, family: string) =>
  expect(await failed(promise)).toMatchObject({ name: 'GatewayError', family });

describe('a charge of a card', () => {
  it('sends the customer that Asaas knows, and the payment with the card and its holder', async () => {
    const { stub, outcome } = charge(chargeRequest(), KNOWN_CUSTOMER, ok(payment()));
    expect(await outcome).toMatchObject({
      kind: 'approved',
      gatewayTransactionId: 'pay_1',
      amountCents: 12_990,
    });
    expect(stub.paths()).toEqual(['GET customers', 'POST payments']);
    expect(stub.body(1)).toMatchObject({
      customer: 'cus_1',
      billingType: 'CREDIT_CARD',
      value: 129.9,
      externalReference: REFERENCE,
      description: 'Pedido 7',
      remoteIp: '203.0.113.10',
      creditCard: { number: '4242424242424242', expiryMonth: '03', expiryYear: '2030', ccv: '123' },
      creditCardHolderInfo: { cpfCnpj: '52998224725', postalCode: '50000000', phone: '81998765432' },
    });
    expect(stub.body(1)).not.toHaveProperty('authorizeOnly');
    const headers = { access_token: '$aact_hmlg_stub', 'user-agent': expect.stringMatching(/\w/) as unknown };
    for (const request of stub.sent) expect(request.headers).toMatchObject(headers);
  });

  it('creates a customer of whom Asaas does not know these data, and turns its notifications off', async () => {
    const found = list(customer({ deleted: true }), customer({ externalReference: 'another program' }));
    const { stub, outcome } = charge(chargeRequest(), found, ok(customer({ id: 'cus_2' })), ok(payment()));
    await outcome;
    expect(stub.paths()).toEqual(['GET customers', 'POST customers', 'POST payments']);
    expect(stub.body(1)).toMatchObject({ cpfCnpj: '52998224725', notificationDisabled: true });
    expect(stub.body(2)).toMatchObject({ customer: 'cus_2' });
  });

  it('has the send window in all requests, because the payment is the last one', async () => {
    const { stub, outcome } = charge(chargeRequest(), list(), ok(customer()), ok(payment()));
    await outcome;
    expect(new Set(stub.sent.map(({ sendBefore }) => sendBefore))).toEqual(new Set([stub.ctx.sendBefore]));
  });

  it('authorizes only if it is asked to', async () => {
    const stub = asaasStub(KNOWN_CUSTOMER, ok(authorized()));
    expect(await driver.authorize(stub.ctx, chargeRequest())).toMatchObject({ kind: 'authorized' });
    expect(stub.body(1)).toMatchObject({ authorizeOnly: true });
  });

  it.each<[string, Partial<ChargeRequest>]>([
    ['a security code', { card: { ...chargeRequest().card, cvv: null } as ChargeRequest['card'] }],
    ['the payer’s IP', { purchase: { ...PURCHASE, payerIp: null } }],
    ['the payer’s phone', { purchase: { ...PURCHASE, payerPhone: null } }],
    ['a billing address', { billingAddress: null }],
    ['reais', { currency: 'USD' }],
    ['twelve installments at most', { installments: 13 }],
  ])('without %s is unsupported, and nothing is sent', async (_, change) => {
    const { stub, outcome } = charge(chargeRequest(change), KNOWN_CUSTOMER);
    await expectFamily(outcome, 'unsupported');
    expect(stub.sent).toEqual([]);
  });

  it('whose customer cannot be prepared was certainly not sent', async () => {
    const lost = new GatewayError('ambiguous', 'the answer was incomplete');
    for (const answer of [lost, { status: 200, body: '<html>' }, error(500, 'internal_error')]) {
      await expectFamily(charge(chargeRequest(), answer).outcome, 'not_sent');
      await expectFamily(charge(chargeRequest(), list(), answer).outcome, 'not_sent');
    }
    await expectFamily(
      charge(chargeRequest(), error(401, 'invalid_access_token')).outcome,
      'bad_credentials',
    );
    await expectFamily(charge(chargeRequest(), error(429, 'too_many_requests')).outcome, 'rate_limited');
    const document = error(400, 'invalid_object', 'O CPF/CNPJ informado é inválido.');
    expect(await failed(charge(chargeRequest(), list(), document).outcome)).toMatchObject({
      family: 'invalid_request',
      message: 'the gateway rejected the request as invalid (O CPF/CNPJ informado é inválido.)',
    });
  });

  it.each<[string, object]>([
    ['another payment', { externalReference: REFERENCE.replace(/-1$/, '-2') }],
    ['another amount', { value: 129.91 }],
    ['another method', { billingType: 'PIX' }],
    ['a payment that is not charged', { status: 'PENDING' }],
    ['an analysis of the risk', { status: 'AWAITING_RISK_ANALYSIS' }],
    ['an authorization', { status: 'AUTHORIZED' }],
    ['a state that nobody knows', { status: 'ON_HOLD' }],
  ])('that is answered with %s is unknown', async (_, change) => {
    await expectFamily(charge(chargeRequest(), KNOWN_CUSTOMER, ok(payment(change))).outcome, 'ambiguous');
  });

  it('that the account may not make says what it lacks, in Asaas’ words', async () => {
    const words = 'Conclua o cadastro de loja@example.com para usar cartão.';
    const refusal = error(400, 'invalid_billingType', words);
    for (const [request, lacks] of [
      [chargeRequest(), 'raw_cards'],
      [pixRequest(), 'pix'],
      [billetRequest(), 'billet'],
    ] as const) {
      const thrown = await failed(charge(request, KNOWN_CUSTOMER, refusal).outcome);
      expect(thrown).toMatchObject({ family: 'unsupported', lacks, code: 'invalid_billingType' });
      expect(String(thrown)).toContain('Conclua o cadastro de …');
    }
  });
});

describe('a decline', () => {
  const decline = (code: string, description: string) =>
    charge(chargeRequest(), KNOWN_CUSTOMER, error(400, code, description)).outcome;

  it('has no code, no id and Asaas’ words', async () => {
    for (const code of ['invalid_action', 'invalid_creditCard']) {
      expect(await decline(code, CARD_REFUSED)).toEqual({
        kind: 'declined',
        code: null,
        declineClass: 'soft',
        message: CARD_REFUSED,
        adviceCode: null,
        gatewayTransactionId: null,
      });
    }
  });

  it.each([
    ['Saldo insuficiente.', 'soft'],
    ['Transação recusada pelo emissor.', 'soft'],
    ['Informações de cartão de crédito são inválidas', 'hard'],
    ['Cartão vencido.', 'hard'],
    ['Cartão bloqueado.', 'hard'],
    ['Transação recusada por suspeita de fraude.', 'fraud'],
    ['Transação não autenticada.', 'auth_required'],
  ])('with the words “%s” is %s', async (words, declineClass) => {
    expect(await decline('invalid_creditCard', words)).toMatchObject({ kind: 'declined', declineClass });
  });

  it('repeats nothing of the request', async () => {
    const words =
      'CreditCardToken afbdb445-cee8-4d58-be3e-e179d754760a de ana@example.com, 4242 4242 4242 4242';
    const outcome = await decline('invalid_creditCard', words);
    expect(outcome).toMatchObject({ message: 'CreditCardToken … de … …' });
  });

  it('is told from the other refusals with the same code by its words', async () => {
    await expectFamily(decline('invalid_action', 'A conta não está aprovada.'), 'invalid_request');
    await expectFamily(decline('invalid_value', 'O valor mínimo é R$ 5,00.'), 'invalid_request');
  });

  it('is none with another status, or for a pix', async () => {
    const other = error(403, 'invalid_creditCard', CARD_REFUSED);
    await expectFamily(charge(chargeRequest(), KNOWN_CUSTOMER, other).outcome, 'bad_credentials');
    const refusal = error(400, 'invalid_action', CARD_REFUSED);
    await expectFamily(charge(pixRequest(), KNOWN_CUSTOMER, refusal).outcome, 'invalid_request');
  });
});

describe('a pix', () => {
  it('is due on its last day, and has the code of a second request', async () => {
    const { stub, outcome } = charge(pixRequest(), KNOWN_CUSTOMER, ok(pix()), QR_CODE);
    expect(await outcome).toMatchObject({
      kind: 'pending',
      paidAmountCents: 0,
      pix: { qrCode: '000201pix', expiresAt: '2026-06-11T02:59:59.000Z' },
    });
    expect(stub.paths()).toEqual(['GET customers', 'POST payments', 'GET payments/pay_1/pixQrCode']);
    expect(stub.body(1)).toMatchObject({ billingType: 'PIX', dueDate: '2026-06-10' });
  });

  it('whose code cannot be read is unknown, because it exists', async () => {
    const lost = new GatewayError('not_sent', 'the gateway could not be reached');
    for (const answer of [lost, error(401, 'invalid_access_token'), error(429, 'too_many_requests')])
      await expectFamily(charge(pixRequest(), KNOWN_CUSTOMER, ok(pix()), answer).outcome, 'ambiguous');
  });

  it('whose code Asaas refuses is removed, and the account lacks pix', async () => {
    const refusal = error(400, 'invalid_action', 'Cadastre uma chave Pix.');
    const removed = ok({ deleted: true, id: 'pay_1' });
    const { stub, outcome } = charge(pixRequest(), KNOWN_CUSTOMER, ok(pix()), refusal, removed);
    expect(await failed(outcome)).toMatchObject({ family: 'unsupported', lacks: 'pix' });
    expect(stub.paths().at(-1)).toBe('DELETE payments/pay_1');
    const kept = charge(pixRequest(), KNOWN_CUSTOMER, ok(pix()), refusal, error(400, 'invalid_action'));
    await expectFamily(kept.outcome, 'ambiguous');
  });
});

describe('a boleto', () => {
  it('is refused by banks after the payment’s own deadline, and has its line and page', async () => {
    const { stub, outcome } = charge(billetRequest(), KNOWN_CUSTOMER, ok(billet()), BOLETO_LINE);
    expect(await outcome).toMatchObject({
      kind: 'pending',
      billet: { line: LINE, barcode: BARCODE, url: 'https://www.asaas.com/b/pdf/1', dueAt: '2026-06-10' },
    });
    expect(stub.body(1)).toMatchObject({
      billingType: 'BOLETO',
      dueDate: '2026-06-10',
      daysAfterDueDateToRegistrationCancellation: 5,
    });
  });

  it('shows its instructions behind the description', async () => {
    const instructions = 'Não receber em cheque';
    const request = billetRequest({
      billet: { ...billetRequest().billet, instructions } as ChargeRequest['billet'],
    });
    const { stub, outcome } = charge(request, KNOWN_CUSTOMER, ok(billet()), BOLETO_LINE);
    await outcome;
    expect(stub.body(1)).toMatchObject({ description: `Pedido 7 - ${instructions}` });
  });

  it('whose line or page is missing is unknown, because it exists', async () => {
    const answers = [KNOWN_CUSTOMER, ok(billet({ bankSlipUrl: null })), BOLETO_LINE];
    await expectFamily(charge(billetRequest(), ...answers).outcome, 'ambiguous');
    const refusal = error(400, 'invalid_action');
    await expectFamily(charge(billetRequest(), KNOWN_CUSTOMER, ok(billet()), refusal).outcome, 'ambiguous');
  });
});

describe('splits', () => {
  const split = { amountCents: 6_495, liable: false, chargeProcessingFee: false };

  it('are percentages of the net amount, and one split is the whole', async () => {
    const splits = [
      { ...split, recipientId: 'w1', percent: 60 },
      { ...split, recipientId: 'w2', percent: 40 },
    ];
    const { stub, outcome } = charge(chargeRequest({ splits }), KNOWN_CUSTOMER, ok(payment()));
    await outcome;
    expect(stub.body(1)).toMatchObject({
      split: [
        { walletId: 'w1', percentualValue: 60 },
        { walletId: 'w2', percentualValue: 40 },
      ],
    });
    const whole = charge(chargeRequest({ splits: splits.slice(0, 1) }), KNOWN_CUSTOMER, ok(payment()));
    await whole.outcome;
    expect(whole.stub.body(1)).toMatchObject({ split: [{ walletId: 'w1', percentualValue: 100 }] });
  });

  it('of flat amounts are unsupported', async () => {
    const splits = ['w1', 'w2'].map((recipientId) => ({ ...split, recipientId }));
    await expectFamily(charge(chargeRequest({ splits }), KNOWN_CUSTOMER).outcome, 'unsupported');
  });
});
