import { startEngine, type Engine } from '../../support/stack/engine';
import { ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { addGateway, newCompany, rawCard } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

const tried = (body: { transactions: { gateway: string; status: string }[] }): string[][] =>
  body.transactions.map(({ gateway, status }) => [gateway, status]);

describe('a card payment', () => {
  it('is approved at the first gateway and captured there once', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const { body } = await pay(engine, company);
    expect(body).toMatchObject({ status: 'approved', attempts: 1, captured_amount: 12_990, code: null });
    expect(tried(body)).toEqual([['gateway_1', 'approved']]);
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: 12_990, refunded: 0 });
  });

  it('is only authorized with capture false, at a gateway that can', async () => {
    const company = await newCompany(engine, ['gateway_2', 'gateway_4']);
    const { body } = await pay(engine, company, { capture: false });
    expect(body).toMatchObject({ status: 'authorized', captured_amount: 0 });
    expect(tried(body)).toEqual([['gateway_4', 'authorized']]);
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: 0, held: 12_990 });
  });

  it('tries gateway_first_try first', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const { body } = await pay(engine, company, { gateway_first_try: 'gateway_2' });
    expect(tried(body)).toEqual([['gateway_2', 'approved']]);
  });

  it('is listed in Temporal’s UI by its order, its state and the gateway that gave it that', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const merchant_order_id = `order-${uniqueAmount()}`;
    await pay(engine, company, { merchant_order_id, gateway_first_try: 'gateway_2' });
    const query = `MerchantOrderId="${merchant_order_id}" AND PaymentStatus="approved" AND Gateway="gateway_2"`;
    await waitFor(async () => (await engine.parts.temporal.workflow.count(query)).count === 1);
  });

  it.each([
    ['4000000000009987', 'lost card'],
    ['4000000000009995', 'insufficient funds'],
  ])('declined on card %s ends there: no other gateway would help', async (number, message) => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const { body } = await pay(engine, company, { card: rawCard(number) });
    expect(body).toMatchObject({ status: 'failed', code: 'declined', message, attempts: 1 });
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: 0 });
  });

  it('not authorized is tried at one other gateway, and no third', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2', 'gateway_4']);
    const { body } = await pay(engine, company, { card: rawCard('4000000000000002') });
    expect(tried(body)).toEqual([
      ['gateway_1', 'declined'],
      ['gateway_2', 'declined'],
    ]);
    expect(body).toMatchObject({ status: 'failed', code: 'declined' });
  });

  it('goes on to the next gateways when an issuer is not reached, at most MAX_ATTEMPTS in all', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2', 'gateway_4', 'gateway_5']);
    const amount = uniqueAmount();
    await engine.simulator.script({ amount }, { decline: '91' }, 4);
    const { body } = await pay(engine, company, { amount });
    expect(tried(body)).toEqual([
      ['gateway_1', 'declined'],
      ['gateway_2', 'declined'],
      ['gateway_4', 'declined'],
    ]);
    expect(body).toMatchObject({ status: 'failed', attempts: 3 });
  });

  it('goes on when one gateway refuses the credentials and the next limits its rate', async () => {
    const company = await newCompany(engine, []);
    const amount = uniqueAmount();
    await addGateway(engine, company, 'gateway_1', 1, 'sk_invalid_1');
    await addGateway(engine, company, 'gateway_2', 2);
    await addGateway(engine, company, 'gateway_4', 3);
    await engine.simulator.script({ amount, gateway: 'gateway_2' }, { status: 429 });
    const { body } = await pay(engine, company, { amount });
    expect(tried(body)).toEqual([
      ['gateway_1', 'error'],
      ['gateway_2', 'error'],
      ['gateway_4', 'approved'],
    ]);
  });

  it('whose request the gateway calls invalid is tried nowhere else', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const amount = uniqueAmount();
    await engine.simulator.script({ amount, gateway: 'gateway_1' }, { status: 422 });
    const { body } = await pay(engine, company, { amount });
    expect(body).toMatchObject({ status: 'failed', code: 'gateway_error', attempts: 1 });
  });
});

describe('the circuit of a gateway', () => {
  it('opens for a company whose credentials it refuses, and closes nobody else out', async () => {
    const refused = await newCompany(engine, []);
    await addGateway(engine, refused, 'gateway_1', 1, 'sk_invalid_x');
    await addGateway(engine, refused, 'gateway_2', 2);
    const first = await pay(engine, refused);
    expect(tried(first.body)).toEqual([
      ['gateway_1', 'error'],
      ['gateway_2', 'approved'],
    ]);
    const second = await pay(engine, refused);
    expect(tried(second.body)).toEqual([['gateway_2', 'approved']]);

    const other = await newCompany(engine, ['gateway_1', 'gateway_2']);
    expect(tried((await pay(engine, other)).body)).toEqual([['gateway_1', 'approved']]);
  });

  it('opens after five technical failures, and the gateway is still tried when all others fail', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const amount = uniqueAmount();
    await engine.simulator.script({ amount, gateway: 'gateway_1' }, { status: 429 }, 5);
    for (let payment = 0; payment < 5; payment += 1) {
      expect(tried((await pay(engine, company, { amount })).body)[0]).toEqual(['gateway_1', 'error']);
    }
    expect(tried((await pay(engine, company, { amount })).body)).toEqual([['gateway_2', 'approved']]);
    await engine.simulator.script({ amount, gateway: 'gateway_2' }, { decline: '91' });
    expect(tried((await pay(engine, company, { amount })).body)).toEqual([
      ['gateway_2', 'declined'],
      ['gateway_1', 'approved'],
    ]);
  });
});

describe('card data', () => {
  it('leaves nothing in the vault once the payment is settled', async () => {
    const company = await newCompany(engine);
    await pay(engine, company);
    const rows = await engine.parts.db.query('SELECT id FROM vault_cards WHERE company_id = $1', [
      company.id,
    ]);
    expect(rows).toEqual([]);
  });

  it('is saved on the customer with save_card, without its CVV, and the saved card pays', async () => {
    const company = await newCompany(engine);
    const { body } = await pay(engine, company, { save_card: true });
    expect(body.card?.token).toMatch(/^card_/);
    const vaulted = await engine.parts.db.query<{ sealed_cvv: unknown }>(
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

  it('is not saved when the payment is declined', async () => {
    const company = await newCompany(engine);
    const { body } = await pay(engine, company, { save_card: true, card: rawCard('4000000000009995') });
    expect(body.card?.token).toBeNull();
    expect(
      await engine.parts.db.query('SELECT id FROM customer_cards WHERE company_id = $1', [company.id]),
    ).toEqual([]);
  });
});

describe('what makes no payment', () => {
  it.each([
    ['no gateway of the company can carry it', {}, [], 'no_gateway_available'],
    ['an authorization where no gateway can', { capture: false }, ['gateway_2'], 'no_gateway_available'],
    [
      'a recipient that is not the company’s',
      { splits: [{ recipient_id: 're_x', type: 'percentage', amount: 100 }] },
      ['gateway_1'],
      'validation_error',
    ],
    [
      'a customer that is not the company’s',
      { customer: { token: 'cus_x' } },
      ['gateway_1'],
      'validation_error',
    ],
    ['a card that is not the customer’s', { card: { token: 'card_x' } }, ['gateway_1'], 'validation_error'],
  ] as const)('%s: the key is free for the request that makes sense', async (_, change, gateways, code) => {
    const company = await newCompany(engine, gateways);
    const key = `key-${uniqueAmount()}`;
    await expect(pay(engine, company, change, key)).rejects.toMatchObject({ code });
    if (gateways.length === 0) await addGateway(engine, company, 'gateway_1', 1);
    const { body, replayed } = await pay(engine, company, {}, key);
    expect(body.status).toBe('approved');
    expect(replayed).toBe(false);
  });
});
