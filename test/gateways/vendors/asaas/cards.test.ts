import { AsaasBench, AsaasPayment, CARDS, CUSTOMER, rawCard } from './asaas-bench';

let bench: AsaasBench;
beforeAll(async () => {
  bench = await AsaasBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new AsaasPayment(bench);
const description = 'Transação não autorizada. Verifique os dados do cartão de crédito e tente novamente.';

describe('a card payment at the fake of Asaas', () => {
  it('is confirmed at once, and is in the ledger under its externalReference', async () => {
    const payment = newPayment();
    const { status, body } = await payment.pay();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'payment',
      status: 'CONFIRMED',
      value: 100,
      netValue: 96.52,
      billingType: 'CREDIT_CARD',
      externalReference: payment.reference,
      creditCard: { creditCardNumber: '8829', creditCardBrand: 'MASTERCARD' },
      refunds: null,
    });
    expect(await payment.totals()).toMatchObject({ captured: 10_000 });
    expect(await bench.control.requests(payment.transactionId)).toMatchObject([
      { operation: 'charge', amount: 10_000, reference: payment.reference, answered: 200 },
    ]);
    expect((await bench.get(`payments/${body.id}`)).body).toEqual(body);
    expect((await bench.get(`payments?externalReference=${payment.reference}`)).body).toMatchObject({
      totalCount: 1,
      hasMore: false,
      data: [{ id: body.id }],
    });
  });

  it.each([CARDS.declined, CARDS.noFunds])(
    'that is declined (%s) is a 400 without a code of the issuer, and is not kept',
    async (number) => {
      const payment = newPayment();
      const { status, body } = await payment.pay(number);
      expect({ status, body }).toEqual({
        status: 400,
        body: { errors: [{ code: 'invalid_action', description }] },
      });
      const { data } = (await bench.get(`payments?externalReference=${payment.reference}`)).body;
      expect(data).toEqual([]);
      expect(await payment.totals()).toMatchObject({ captured: 0 });
    },
  );

  it('is paid again by the token of its card alone, by the same customer only', async () => {
    const customer = await bench.customer();
    const { body } = await bench.post('payments', newPayment().card(customer));
    const token = body.creditCard.creditCardToken;
    const byToken = (payer: string, changes: object = {}) =>
      bench.post(
        'payments',
        newPayment().body(payer, 'CREDIT_CARD', {
          creditCardToken: token,
          remoteIp: '203.0.113.7',
          ...changes,
        }),
      );
    expect(await byToken(customer)).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
    expect((await byToken(await bench.customer())).body.errors).toEqual([
      { code: 'invalid_creditCard', description: `CreditCardToken ${token} não encontrado.` },
    ]);
    expect(await byToken(customer, { creditCard: rawCard() })).toMatchObject({ status: 400 });
  });

  it('is reserved, captured once and whole, and then refunded in parts', async () => {
    const payment = newPayment();
    const { body } = await payment.pay(CARDS.approved, { authorizeOnly: true });
    expect(body.status).toBe('AUTHORIZED');
    expect(await payment.totals()).toMatchObject({ authorized: 10_000, captured: 0 });
    const path = `payments/${body.id}`;
    expect(await bench.post(`${path}/captureAuthorizedPayment`, { value: 50 })).toMatchObject({
      status: 400,
    });
    expect((await bench.post(`${path}/captureAuthorizedPayment`, {})).body.status).toBe('CONFIRMED');
    expect(await bench.post(`${path}/captureAuthorizedPayment`, {})).toMatchObject({ status: 400 });

    const reference = `${payment.reference}-refund`;
    const part = await bench.post(`${path}/refund`, { value: 40, description: `${reference} (troca)` });
    expect(part.body).toMatchObject({ status: 'CONFIRMED', refunds: [{ status: 'DONE', value: 40 }] });
    expect(await bench.post(`${path}/refund`, { value: 60.01 })).toMatchObject({ status: 400 });
    expect((await bench.post(`${path}/refund`, {})).body).toMatchObject({ status: 'REFUNDED' });
    expect((await bench.get(`${path}/refunds`)).body).toMatchObject({
      totalCount: 2,
      data: [{ value: 40 }, { value: 60 }],
    });
    const { entries } = await bench.control.ledger(payment.transactionId);
    expect(entries.filter(({ kind }) => kind === 'refunded').map((entry) => entry.reference)).toEqual([
      reference,
      `${reference}-2`,
    ]);
  });

  it('that is reserved is released by a refund, and not by a removal', async () => {
    const payment = newPayment();
    const { body } = await payment.pay(CARDS.approved, { authorizeOnly: true });
    expect(await bench.send('DELETE', `payments/${body.id}`)).toMatchObject({ status: 400 });
    expect((await bench.post(`payments/${body.id}/refund`, {})).body).toMatchObject({
      status: 'REFUNDED',
      deleted: false,
    });
    expect(await payment.totals()).toMatchObject({ canceled: 10_000, held: 0 });
    expect(await bench.post(`payments/${body.id}/captureAuthorizedPayment`, {})).toMatchObject({
      status: 400,
    });
  });

  it('is charged a second time by the same request, because Asaas has no idempotency keys', async () => {
    const payment = newPayment();
    await payment.pay();
    await payment.pay();
    const { data } = (await bench.get(`payments?externalReference=${payment.reference}`)).body;
    expect(data).toHaveLength(2);
    expect(await payment.totals()).toMatchObject({ captured: 20_000 });
  });
});

describe('a request to the fake of Asaas', () => {
  it.each([
    ['no customer', { customer: undefined }, 'invalid_customer'],
    ['an unknown customer', { customer: 'cus_000000000000' }, 'invalid_customer'],
    ['an unknown field', { externalreference: 'x' }, 'invalid_object'],
    ['no amount', { value: undefined }, 'invalid_value'],
    ['three decimals', { value: 10.123 }, 'invalid_value'],
    ['an amount as text', { value: '10.00' }, 'invalid_value'],
    ['a day that is over', { dueDate: '2020-01-01' }, 'invalid_dueDate'],
    ['one installment', { installmentCount: 1, totalValue: 100 }, 'invalid_installmentCount'],
    ['no address of the payer', { remoteIp: undefined }, 'invalid_remoteIp'],
    ['no card holder', { creditCardHolderInfo: undefined }, 'invalid_creditCardHolderInfo'],
    ['a card without a code', { creditCard: { ...rawCard(), ccv: undefined } }, 'invalid_creditCard'],
    ['a year of two digits', { creditCard: { ...rawCard(), expiryYear: '30' } }, 'invalid_creditCard'],
    ['an unknown billing type', { billingType: 'CARD' }, 'invalid_billingType'],
  ])('with %s is refused', async (_, changes, code) => {
    const payment = newPayment();
    const answer = await payment.pay(CARDS.approved, changes);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ code }] } });
    expect(answer.body.errors).toHaveLength(1);
    expect(await payment.totals()).toMatchObject({ captured: 0 });
  });

  it('creates no customer without a valid document, and finds customers by it', async () => {
    const wrong = await bench.post('customers', { ...CUSTOMER, cpfCnpj: '11111111111' });
    expect(wrong.body).toEqual({
      errors: [{ code: 'invalid_object', description: 'O CPF/CNPJ informado é inválido.' }],
    });
    const { body } = await bench.post('customers', { ...CUSTOMER, externalReference: 'our-customer' });
    expect((await bench.get('customers?externalReference=our-customer')).body.data).toEqual([body]);
    expect((await bench.get(`customers/${body.id}`)).body).toEqual(body);
    const { data } = (await bench.get('customers?cpfCnpj=52998224725&limit=1')).body;
    expect(data).toEqual([body]);
  });

  it.each([
    ['no key', null, 'access_token_not_found'],
    ['a key of another form', 'sk_test', 'invalid_access_token_format'],
    ['a key of production', '$aact_prod_000', 'invalid_environment'],
  ])('with %s is a 401', async (_, key, code) => {
    expect(await bench.get('payments', { key })).toMatchObject({ status: 401, body: { errors: [{ code }] } });
  });

  it('is refused without a user agent, and with a name of a filter that the API does not have', async () => {
    const unnamed = await bench.get('payments', { headers: { 'user-agent': '' } });
    expect(unnamed).toMatchObject({ status: 400, body: { errors: [{ code: 'user_agent_not_found' }] } });
    expect(await bench.get('payments?dateCreatedGe=2026-01-01')).toMatchObject({ status: 400 });
    expect(await bench.get('payments?dateCreated[ge]=2026-01-01')).toMatchObject({ status: 200 });
  });

  it('is answered with what is left of the quota, and with 429 by a script', async () => {
    const key = '$aact_hmlg_quota';
    const left = async () =>
      Number((await bench.get('payments', { key })).headers.get('ratelimit-remaining'));
    const first = await left();
    expect(await left()).toBe(first - 1);
    const payment = newPayment();
    await bench.control.script({ transaction_id: payment.transactionId }, { status: 429 });
    expect(await payment.pay()).toMatchObject({ status: 429 });
  });
});
