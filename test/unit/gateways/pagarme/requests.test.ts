import { PagarmeDriver } from '../../../../src/gateways/pagarme/driver';
import type { ChargeRequest } from '../../../../src/gateways/gateway';
import {
  ADDRESS,
  AMOUNT,
  BOLETO,
  charge,
  chargeRequest,
  error,
  ok,
  order,
  pagarmeStub,
  PIX,
  REFERENCE,
  SEND_BEFORE,
  transaction,
  type StubAnswer,
} from './pagarme-stub';

const driver = new PagarmeDriver();
const PAID = ok(order(charge()));

/** The body of the order, whatever its answer is. */
async function bodyOf(changes: Partial<ChargeRequest>, operation: 'charge' | 'authorize' = 'charge') {
  const stub = pagarmeStub(PAID);
  await driver[operation](stub.ctx, chargeRequest(changes)).catch(() => undefined);
  return stub.body(0) as {
    readonly customer: Record<string, unknown>;
    readonly payments: readonly [Record<string, Record<string, unknown>>];
  };
}
const cardOf = async (changes: Partial<ChargeRequest>, operation: 'charge' | 'authorize' = 'charge') =>
  (await bodyOf(changes, operation)).payments[0].credit_card;

describe('an order', () => {
  it('has our reference as its code, the whole amount in one item, and the account’s key', async () => {
    const { ctx, sent, body } = pagarmeStub(PAID);
    await driver.charge(ctx, chargeRequest());
    expect(sent).toMatchObject([
      {
        method: 'POST',
        url: 'http://pagarme.invalid/core/v5/orders',
        headers: {
          authorization: `Basic ${Buffer.from('sk_test_stub:').toString('base64')}`,
          'idempotency-key': 'key',
        },
        sendBefore: SEND_BEFORE,
      },
    ]);
    expect(body(0)).toMatchObject({
      code: REFERENCE,
      closed: true,
      currency: 'BRL',
      ip: '203.0.113.7',
      items: [{ amount: AMOUNT, quantity: 1, code: REFERENCE, description: 'Camiseta azul' }],
      payments: [{ payment_method: 'credit_card', amount: AMOUNT }],
    });
  });

  it('in another currency than BRL is unsupported, and not sent', async () => {
    for (const operation of ['charge', 'authorize'] as const) {
      const { ctx, sent } = pagarmeStub(PAID);
      const refused = driver[operation](ctx, chargeRequest({ currency: 'USD' }));
      await expect(refused).rejects.toMatchObject({ family: 'unsupported' });
      expect(sent).toEqual([]);
    }
  });

  it.each([
    ['+5581991234567', { country_code: '55', area_code: '81', number: '991234567' }],
    ['+558133334444', { country_code: '55', area_code: '81', number: '33334444' }],
    ['+12025550123', { country_code: '1', area_code: '20', number: '25550123' }],
  ])('has the payer’s phone %s in parts', async (payerPhone, mobile_phone) => {
    const { purchase } = chargeRequest();
    const { customer } = await bodyOf({ purchase: { ...purchase, payerPhone } });
    expect(customer.phones).toEqual({ mobile_phone });
  });

  it('tells a person from a company by the document', async () => {
    const { customer } = chargeRequest();
    expect((await bodyOf({})).customer).toMatchObject({ type: 'individual', document_type: 'CPF' });
    const document = '11222333000181';
    expect((await bodyOf({ customer: { ...customer, document } })).customer).toMatchObject({
      ...{ document, type: 'company', document_type: 'CNPJ' },
    });
  });

  it('cuts a long name, and never an e-mail address', async () => {
    const [name, email] = ['A'.repeat(80), `${'a'.repeat(60)}@example.com`];
    const { customer } = await bodyOf({ customer: { name, email, document: '52998224725' } });
    expect(customer).toMatchObject({ name: 'A'.repeat(64), email });
  });

  it('has the address in one line: number, street and neighborhood', async () => {
    const address = {
      ...{ line_1: '1, Rua A, Centro', line_2: 'Apto 3', zip_code: '50000000', city: 'Recife' },
      ...{ state: 'PE', country: 'BR' },
    };
    expect((await bodyOf({ billingAddress: ADDRESS })).customer.address).toEqual(address);
    expect(await cardOf({ billingAddress: ADDRESS })).toMatchObject({ card: { billing_address: address } });
  });

  it('captures at once or only authorizes, and sends no code of a saved card', async () => {
    const { card } = chargeRequest();
    expect(await cardOf({ installments: 3 })).toMatchObject({
      ...{ operation_type: 'auth_and_capture', installments: 3 },
      card: { number: card?.number, cvv: '123', exp_month: 3, exp_year: 2030, holder_name: 'ANA LIMA' },
    });
    expect(await cardOf({}, 'authorize')).toMatchObject({ operation_type: 'auth_only' });
    expect((await cardOf({ card: card && { ...card, cvv: null } }))?.card).not.toHaveProperty('cvv');
  });

  it.each([
    [null, undefined],
    ['Café do João & Filhos', 'Cafe do Joao'],
    ['***', undefined],
  ])('shows the soft descriptor %j as %j', async (softDescriptor, expected) => {
    expect((await cardOf({ softDescriptor }))?.statement_descriptor).toBe(expected);
  });

  it.each([
    [{ initiator: 'customer', reason: 'one_off' }, {}],
    [{ initiator: 'customer', reason: 'first_saved' }, {}],
    [{ initiator: 'customer', reason: 'saved_card' }, {}],
    [
      { initiator: 'customer', reason: 'first_recurring' },
      { recurrence_cycle: 'first', recurrence_model: 'subscription' },
    ],
    [
      {
        initiator: 'merchant',
        reason: 'recurring',
        networkIds: { transactionId: '999', transactionLinkId: 'L', eloReference: null },
      },
      {
        ...{ recurrence_cycle: 'subsequent', recurrence_model: 'subscription' },
        payment_origin: { brand_id: '999' },
      },
    ],
    [{ initiator: 'merchant', reason: 'unscheduled', networkIds: null }, { recurrence_cycle: 'subsequent' }],
  ] as const)('tells the initiation %j', async (initiation, expected) => {
    const { recurrence_cycle, recurrence_model, payment_origin } = (await cardOf({ initiation })) ?? {};
    const told = { recurrence_cycle, recurrence_model, payment_origin };
    expect(JSON.parse(JSON.stringify(told))).toEqual(expected);
  });

  it('has splits as exact amounts, with somebody to bear each cost', async () => {
    const split = (recipientId: string, amountCents: number, isFlagged: boolean) => ({
      ...{ recipientId, amountCents, liable: isFlagged, chargeProcessingFee: isFlagged },
    });
    const options = async (flags: readonly [boolean, boolean]) => {
      const splits = [split('rp_1', 9_990, flags[0]), split('rp_2', 3_000, flags[1])];
      const rules = (await bodyOf({ splits })).payments[0].split as unknown as { options: object }[];
      expect(rules).toMatchObject([
        { type: 'flat', amount: 9_990, recipient_id: 'rp_1' },
        { type: 'flat', amount: 3_000, recipient_id: 'rp_2' },
      ]);
      return rules.map((rule) => rule.options);
    };
    const [first, second] = [{ charge_remainder_fee: true }, { charge_remainder_fee: false }];
    const bears = { liable: true, charge_processing_fee: true };
    const none = { liable: false, charge_processing_fee: false };
    expect(await options([false, true])).toEqual([
      { ...none, ...first },
      { ...bears, ...second },
    ]);
    // Nobody is flagged: all bear the costs.
    expect(await options([false, false])).toEqual([
      { ...bears, ...first },
      { ...bears, ...second },
    ]);
  });

  it('for a pix has its expiry in seconds, and for a boleto its due day and how long it can be paid after it', async () => {
    expect((await bodyOf(PIX)).payments).toEqual([
      { payment_method: 'pix', amount: AMOUNT, pix: { expires_in: 3_600 } },
    ]);
    expect((await bodyOf(BOLETO)).payments).toEqual([
      {
        ...{ payment_method: 'boleto', amount: AMOUNT },
        boleto: {
          due_at: '2040-09-20T23:59:59Z',
          instructions: 'Não receber em cheque',
          // Until the end of Tuesday, 25 September.
          max_days_to_pay_past_due: 5,
        },
      },
    ]);
  });
});

describe('the answer to an order', () => {
  const answered = async (answer: StubAnswer, changes: Partial<ChargeRequest> = {}) =>
    driver.charge(pagarmeStub(answer).ctx, chargeRequest(changes)).catch((thrown: unknown) => thrown);
  const failed = (last: object) =>
    ok(order(charge({ status: 'failed', paid_amount: null, last_transaction: transaction(last) })));

  it.each([
    ['another code', { ...order(charge()), code: 'another' }],
    ['another amount', { ...order(charge()), amount: 1 }],
    ['a charge of another amount', order(charge({ amount: AMOUNT + 1 }))],
    ['a charge by another method', order(charge({ payment_method: 'pix' }))],
    ['two charges', order(charge(), charge())],
    ['no charge', order()],
    [
      'a smaller paid amount',
      order(charge({ paid_amount: 1, last_transaction: transaction({ amount: 1 }) })),
    ],
    [
      'an authorization only',
      order(
        charge({
          status: 'pending',
          paid_amount: null,
          last_transaction: transaction({ status: 'authorized_pending_capture' }),
        }),
      ),
    ],
  ])('with %s is ambiguous', async (_, body) => {
    expect(await answered(ok(body))).toMatchObject({ family: 'ambiguous' });
  });

  it.each([
    [{ acquirer_return_code: '51' }, { code: '51' }],
    [{ acquirer_return_code: '5' }, { code: '5' }],
    [{ acquirer_return_code: 'n7' }, { code: 'N7' }],
    [
      { acquirer_return_code: '1011' },
      { code: null, declineClass: 'soft', message: 'acquirer_return_code 1011' },
    ],
    [{ acquirer_return_code: null }, { code: null, declineClass: 'soft', message: 'not_authorized' }],
    [
      { acquirer_return_code: '51', antifraud_response: { status: 'reproved' } },
      { code: null, declineClass: 'fraud', message: 'antifraud_reproved' },
    ],
    [
      {
        acquirer_return_code: '05',
        acquirer_message: 'Recusado para 4000000000000010',
        retry_info: { brand_failure_return_code: '3' },
      },
      { code: '05', adviceCode: '03', message: 'Recusado para …' },
    ],
  ])('is a decline if the issuer refused it: %j', async (last, expected) => {
    expect(await answered(failed({ status: 'not_authorized', ...last }))).toMatchObject({
      ...{ kind: 'declined', gatewayTransactionId: 'ch_1', adviceCode: null },
      ...expected,
    });
  });

  it.each(['408', '409', '429', '499'])(
    'is unknown if its transaction ended in the error %s, which refuses no request',
    async (code) => {
      const last = { status: 'with_error', acquirer_return_code: null };
      const response = { gateway_response: { code, errors: [{ message: 'Timeout' }] } };
      expect(await answered(failed({ ...last, ...response }))).toMatchObject({ family: 'ambiguous' });
    },
  );

  it('says in Pagar.me’s words why it refused an order before it asked an acquirer', async () => {
    const refusal = (code: string, message: string) =>
      failed({
        ...{ status: 'failed', acquirer_return_code: null },
        gateway_response: { code, errors: [{ message }] },
      });
    expect(await answered(refusal('412', 'At least one customer phone is required.'))).toMatchObject({
      family: 'invalid_request',
      code: '412',
      message: expect.stringContaining('At least one customer phone is required.') as unknown,
    });
    const missing = 'Esta loja não possui um meio de pagamento configurado para a bandeira VR';
    expect(await answered(refusal('400', missing))).toMatchObject({ family: 'unsupported', lacks: null });
    const noPix = ok(
      order(
        charge({
          ...{ status: 'failed', paid_amount: null, payment_method: 'pix' },
          last_transaction: transaction({
            ...{ status: 'failed', acquirer_return_code: null },
            gateway_response: { code: '400', errors: [{ message: missing }] },
          }),
        }),
      ),
    );
    expect(await answered(noPix, PIX)).toMatchObject({ family: 'unsupported', lacks: 'pix' });
  });

  const ECHO = { request: { card: { number: '4000000000000010', cvv: '123' } } };
  it.each<[StubAnswer, object]>([
    [error(401, 'Authorization has been denied for this request.'), { family: 'bad_credentials' }],
    [error(401, 'Unauthorized'), { family: 'ambiguous' }],
    [error(403, 'Forbidden'), { family: 'ambiguous' }],
    [error(404, 'Customer not found.'), { family: 'invalid_request', code: '404' }],
    [error(404, 'no Route matched with those values'), { family: 'ambiguous' }],
    [error(412, 'This charge can not be captured.'), { family: 'invalid_request', code: '412' }],
    [error(429, 'Too many requests'), { family: 'rate_limited' }],
    [error(500, 'An error has occurred.'), { family: 'ambiguous' }],
    [error(409, 'In progress'), { family: 'ambiguous' }],
    [
      error(422, 'The request is invalid.', {
        ...ECHO,
        errors: { 'order.customer.name': ['The name field is required.'] },
      }),
      { family: 'invalid_request', message: expect.stringMatching(/: order\.customer\.name$/) as unknown },
    ],
    [error(422, 'The request is invalid.', { error: 'more' }), { family: 'ambiguous' }],
  ])(
    '%j has a family only if it is Pagar.me’s own, and repeats nothing of the request',
    async (answer, expected) => {
      const thrown = await answered(answer);
      expect(thrown).toMatchObject(expected);
      expect(JSON.stringify(thrown) + String(thrown)).not.toMatch(/4000000000000010|\b123\b/);
    },
  );
});
