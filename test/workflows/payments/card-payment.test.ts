import { startEngine, type Engine } from '../../support/stack/engine';
import { ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { addGateway, newCompany, rawCard } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

const attemptsIn = (body: { transactions: { gateway: string; status: string }[] }): string[][] =>
  body.transactions.map(({ gateway, status }) => [gateway, status]);

describe('a card payment', () => {
  it('a card payment is approved and captured once at the first gateway', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const { body } = await pay(engine, company);
    expect(body).toMatchObject({ status: 'approved', attempts: 1, captured_amount: 12_990, code: null });
    expect(attemptsIn(body)).toEqual([['gateway_1', 'approved']]);
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: 12_990, refunded: 0 });
  });

  it('a payment with capture false is authorized at a gateway that supports it', async () => {
    const company = await newCompany(engine, ['gateway_2', 'gateway_4']);
    const { body } = await pay(engine, company, { capture: false });
    expect(body).toMatchObject({ status: 'authorized', captured_amount: 0 });
    expect(attemptsIn(body)).toEqual([['gateway_4', 'authorized']]);
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: 0, held: 12_990 });
  });

  it('gateway_first_try is attempted first', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const { body } = await pay(engine, company, { gateway_first_try: 'gateway_2' });
    expect(attemptsIn(body)).toEqual([['gateway_2', 'approved']]);
  });

  it('the payment is found in Temporal by order, status and gateway', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const merchant_order_id = `order-${uniqueAmount()}`;
    await pay(engine, company, { merchant_order_id, gateway_first_try: 'gateway_2' });
    const query = `MerchantOrderId="${merchant_order_id}" AND PaymentStatus="approved" AND Gateway="gateway_2"`;
    await waitFor(async () => (await engine.context.temporal.workflow.count(query)).count === 1);
  });

  it.each([
    ['4000000000009987', 'lost card'],
    ['4000000000009995', 'insufficient funds'],
  ])('a decline of card %s fails the payment without failover', async (number, message) => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const { body } = await pay(engine, company, { card: rawCard(number) });
    expect(body).toMatchObject({ status: 'failed', code: 'declined', message, attempts: 1 });
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: 0 });
  });

  it('a decline without a code fails the payment without failover, and shows the gateway’s word', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const { body } = await pay(engine, company, { card: rawCard('4000000000000044') });
    expect(body).toMatchObject({ status: 'failed', code: 'declined', message: 'declined', attempts: 1 });
    expect(body.transactions).toMatchObject([
      { response_code: null, response_message: 'card_issuer_unavailable', decline_type: 'soft' },
    ]);
  });

  it('a decline "not authorized" fails over to exactly one other gateway', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2', 'gateway_4']);
    const { body } = await pay(engine, company, { card: rawCard('4000000000000002') });
    expect(attemptsIn(body)).toEqual([
      ['gateway_1', 'declined'],
      ['gateway_2', 'declined'],
    ]);
    expect(body).toMatchObject({ status: 'failed', code: 'declined' });
  });

  it('an unavailable issuer fails over to the next gateways, with at most MAX_ATTEMPTS attempts', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2', 'gateway_4', 'gateway_5']);
    const amount = uniqueAmount();
    await engine.simulator.script({ amount }, { decline: '91' }, 4);
    const { body } = await pay(engine, company, { amount });
    expect(attemptsIn(body)).toEqual([
      ['gateway_1', 'declined'],
      ['gateway_2', 'declined'],
      ['gateway_4', 'declined'],
    ]);
    expect(body).toMatchObject({ status: 'failed', attempts: 3 });
  });

  it('rejected credentials and a rate limit fail over to the next gateway', async () => {
    const company = await newCompany(engine, []);
    const amount = uniqueAmount();
    await addGateway(engine, company, 'gateway_1', 1, 'sk_invalid_1');
    await addGateway(engine, company, 'gateway_2', 2);
    await addGateway(engine, company, 'gateway_4', 3);
    await engine.simulator.script({ amount, gateway: 'gateway_2' }, { status: 429 });
    const { body } = await pay(engine, company, { amount });
    expect(attemptsIn(body)).toEqual([
      ['gateway_1', 'error'],
      ['gateway_2', 'error'],
      ['gateway_4', 'approved'],
    ]);
  });

  it('an invalid request does not fail over', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const amount = uniqueAmount();
    await engine.simulator.script({ amount, gateway: 'gateway_1' }, { status: 422 });
    const { body } = await pay(engine, company, { amount });
    expect(body).toMatchObject({ status: 'failed', code: 'gateway_error', attempts: 1 });
  });
});

describe('the circuit of a gateway', () => {
  it('rejected credentials open the circuit only for that company', async () => {
    const refused = await newCompany(engine, []);
    await addGateway(engine, refused, 'gateway_1', 1, 'sk_invalid_x');
    await addGateway(engine, refused, 'gateway_2', 2);
    const first = await pay(engine, refused);
    expect(attemptsIn(first.body)).toEqual([
      ['gateway_1', 'error'],
      ['gateway_2', 'approved'],
    ]);
    const second = await pay(engine, refused);
    expect(attemptsIn(second.body)).toEqual([['gateway_2', 'approved']]);

    const other = await newCompany(engine, ['gateway_1', 'gateway_2']);
    expect(attemptsIn((await pay(engine, other)).body)).toEqual([['gateway_1', 'approved']]);
  });

  it('five technical failures open the circuit, and the gateway is still attempted when all others fail', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const amount = uniqueAmount();
    await engine.simulator.script({ amount, gateway: 'gateway_1' }, { status: 429 }, 5);
    for (let payment = 0; payment < 5; payment += 1) {
      expect(attemptsIn((await pay(engine, company, { amount })).body)[0]).toEqual(['gateway_1', 'error']);
    }
    expect(attemptsIn((await pay(engine, company, { amount })).body)).toEqual([['gateway_2', 'approved']]);
    await engine.simulator.script({ amount, gateway: 'gateway_2' }, { decline: '91' });
    expect(attemptsIn((await pay(engine, company, { amount })).body)).toEqual([
      ['gateway_2', 'declined'],
      ['gateway_1', 'approved'],
    ]);
  });
});

describe('card data', () => {
  it('the vault keeps nothing of a settled payment', async () => {
    const company = await newCompany(engine);
    await pay(engine, company);
    const rows = await engine.context.db.query('SELECT id FROM vault_cards WHERE company_id = $1', [
      company.id,
    ]);
    expect(rows).toEqual([]);
  });

  it('save_card saves the card without its CVV, and the saved card can pay', async () => {
    const company = await newCompany(engine);
    const { body } = await pay(engine, company, { save_card: true });
    expect(body.card?.token).toMatch(/^card_/);
    const vaulted = await engine.context.db.query<{ sealed_cvv: unknown }>(
      'SELECT sealed_cvv FROM vault_cards WHERE company_id = $1',
      [company.id],
    );
    expect(vaulted).toEqual([{ sealed_cvv: null }]);

    const customer = { token: body.customer?.token ?? '' };
    const again = await pay(engine, company, {
      customer,
      card: { token: body.card?.token ?? '' },
      billing_address: null,
    });
    expect(again.body).toMatchObject({
      status: 'approved',
      card: { token: body.card?.token, last_4_digits: '1111' },
    });
  });

  it('a declined card is not saved', async () => {
    const company = await newCompany(engine);
    const { body } = await pay(engine, company, { save_card: true, card: rawCard('4000000000009995') });
    expect(body.card?.token).toBeNull();
    expect(
      await engine.context.db.query('SELECT id FROM customer_cards WHERE company_id = $1', [company.id]),
    ).toEqual([]);
  });
});

describe('a rejected payment request', () => {
  it.each([
    ['no gateway supports the payment', {}, [], 'no_gateway_available'],
    ['no gateway supports authorizations', { capture: false }, ['gateway_2'], 'no_gateway_available'],
    [
      'the recipient belongs to another company',
      { splits: [{ recipient_id: 're_x', type: 'percentage', amount: 100 }] },
      ['gateway_1'],
      'validation_error',
    ],
    [
      'the customer belongs to another company',
      { customer: { token: 'cus_x' } },
      ['gateway_1'],
      'validation_error',
    ],
    [
      'the card belongs to another customer',
      { card: { token: 'card_x' } },
      ['gateway_1'],
      'validation_error',
    ],
  ] as const)(
    'when %s, the idempotency key stays free for a valid request',
    async (_, change, gateways, code) => {
      const company = await newCompany(engine, gateways);
      const key = `key-${uniqueAmount()}`;
      await expect(pay(engine, company, change, key)).rejects.toMatchObject({ code });
      if (gateways.length === 0) await addGateway(engine, company, 'gateway_1', 1);
      const { body, replayed } = await pay(engine, company, {}, key);
      expect(body.status).toBe('approved');
      expect(replayed).toBe(false);
    },
  );
});
