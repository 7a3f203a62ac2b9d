import { card, CARDS, chargeOf, CUSTOMER, PagarmeBench, PagarmePayment, rawCard } from './pagarme-bench';

let bench: PagarmeBench;
beforeAll(async () => {
  bench = await PagarmeBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new PagarmePayment(bench);

describe('a card order at the fake of Pagar.me', () => {
  it('is paid with the network’s id and is in the ledger under its code', async () => {
    const payment = newPayment();
    const answer = await payment.pay(CARDS.approved, { statement_descriptor: 'LOJA', installments: 2 });
    expect(answer).toMatchObject({
      status: 200,
      body: { code: payment.code, amount: 10_000, currency: 'BRL', status: 'paid', closed: true },
    });
    const charge = chargeOf(answer);
    expect(charge).toMatchObject({
      code: payment.code,
      status: 'paid',
      amount: 10_000,
      paid_amount: 10_000,
      payment_method: 'credit_card',
      last_transaction: {
        transaction_type: 'credit_card',
        status: 'captured',
        success: true,
        operation_type: 'auth_and_capture',
        installments: 2,
        acquirer_return_code: '00',
        card: { first_six_digits: '400000', last_four_digits: '0010', brand: 'Visa' },
        gateway_response: { code: '201', errors: [] },
      },
    });
    expect(charge.last_transaction.brand_id).toMatch(/^\d{15}$/);
    expect(await payment.captured()).toBe(10_000);
    expect(await bench.control.requests(payment.transactionId)).toMatchObject([
      { operation: 'charge', amount: 10_000, reference: payment.code, answered: 200 },
    ]);
  });

  it.each([
    [CARDS.declined, '05', undefined],
    [CARDS.noFunds, '51', undefined],
    [CARDS.advice, '05', '3'],
  ])('is answered with 200 and a failed transaction if card %s is declined', async (number, code, advice) => {
    const payment = newPayment();
    const answer = await payment.pay(number);
    expect(answer).toMatchObject({ status: 200, body: { status: 'failed' } });
    expect(chargeOf(answer)).toMatchObject({
      status: 'failed',
      last_transaction: { status: 'not_authorized', success: false, acquirer_return_code: code },
    });
    expect(chargeOf(answer).last_transaction.retry_info?.brand_failure_return_code).toBe(advice);
    expect(await payment.captured()).toBe(0);
  });

  it('is reproved by the anti-fraud service without a code of the issuer', async () => {
    const last = chargeOf(await newPayment().pay(CARDS.fraud)).last_transaction;
    expect(last).toMatchObject({ success: false, antifraud_response: { status: 'reproved' } });
    expect(last).not.toHaveProperty('acquirer_return_code');
  });

  it('fails before an acquirer sees it if the customer has no phone', async () => {
    const payment = newPayment();
    const answer = await payment.create(card({ card: rawCard() }), { customer: { ...CUSTOMER, phones: {} } });
    expect(answer).toMatchObject({ status: 200, body: { status: 'failed' } });
    const last = chargeOf(answer).last_transaction;
    expect(last).toMatchObject({
      status: 'failed',
      success: false,
      gateway_response: { code: '412', errors: [{ message: 'At least one customer phone is required.' }] },
    });
    expect(last).not.toHaveProperty('acquirer_return_code');
    expect(await payment.captured()).toBe(0);
  });

  it('is charged to the card of a customer by its id', async () => {
    const customer = await bench.send('POST', 'customers', CUSTOMER);
    expect(customer).toMatchObject({ status: 200, body: { name: 'Tony Stark' } });
    const stored = await bench.send('POST', `customers/${customer.body.id}/cards`, rawCard());
    expect(stored).toMatchObject({ status: 200, body: { last_four_digits: '0010', status: 'active' } });
    const payment = newPayment();
    const customer_id = customer.body.id;
    const answer = await payment.create(card({ card_id: stored.body.id }), {
      customer_id,
      customer: undefined,
    });
    expect(answer).toMatchObject({ body: { status: 'paid', customer: { id: customer_id } } });
    expect((await bench.get(`customers/${customer_id}/cards`)).body.data).toMatchObject([
      { id: stored.body.id },
    ]);
    const missing = await newPayment().create(card({ card_id: 'card_unknown' }));
    expect(missing).toMatchObject({ status: 404, body: { message: 'Card not found.' } });
  });

  it('tells the issuer who initiates it and names the network’s id of the first charge', async () => {
    const first = newPayment();
    const { brand_id } = chargeOf(
      await first.pay(CARDS.approved, { recurrency_cycle: 'first' }),
    ).last_transaction;
    const later = newPayment();
    const origin = { recurrence_cycle: 'subsequent', payment_origin: { brand_id } };
    const charge = chargeOf(await later.pay(CARDS.approved, origin));
    expect(charge).toMatchObject({ status: 'paid', payment_origin: { brand_id } });
    expect(await bench.control.requests(first.transactionId)).toMatchObject([
      { initiation: { initiator: 'customer', reason: 'first_recurring' } },
    ]);
    expect(await bench.control.requests(later.transactionId)).toMatchObject([
      {
        initiation: {
          initiator: 'merchant',
          reason: 'recurring',
          network_ids: { network_transaction_id: brand_id },
        },
      },
    ]);
  });
});

describe('a charge at the fake of Pagar.me', () => {
  it('is authorized, captured in part once, and keeps the code that the capture gives it', async () => {
    const payment = newPayment();
    const authorized = chargeOf(await payment.authorize());
    expect(authorized).toMatchObject({
      status: 'pending',
      last_transaction: { status: 'authorized_pending_capture', operation_type: 'auth_only' },
    });
    const path = `charges/${authorized.id}/capture`;
    const captured = await bench.send('POST', path, { amount: 4_000, code: 'capture-code' });
    expect(captured).toMatchObject({
      status: 200,
      body: {
        status: 'paid',
        code: 'capture-code',
        amount: 10_000,
        paid_amount: 4_000,
        last_transaction: { status: 'partial_capture', amount: 4_000, operation_type: 'capture' },
      },
    });
    const { totals } = await bench.control.ledger(payment.transactionId);
    expect(totals).toMatchObject({ captured: 4_000, canceled: 6_000, held: 0 });
    expect(await bench.send('POST', path, {})).toMatchObject({ status: 412 });
    expect((await bench.get(`charges?code=${payment.code}`)).body.data).toEqual([]);
    expect((await bench.get(`orders?code=${payment.code}`)).body.data).toHaveLength(1);
  });

  it('is captured only up to the authorized amount', async () => {
    const { id } = chargeOf(await newPayment().authorize());
    expect(await bench.send('POST', `charges/${id}/capture`, { amount: 10_001 })).toMatchObject({
      status: 412,
      body: { message: expect.stringContaining('exceeds') as string },
    });
  });

  it('is voided while it is authorized', async () => {
    const payment = newPayment();
    const { id } = chargeOf(await payment.authorize());
    expect(await bench.send('DELETE', `charges/${id}`)).toMatchObject({
      status: 200,
      body: {
        status: 'canceled',
        canceled_amount: 10_000,
        last_transaction: { status: 'voided', operation_type: 'cancel' },
      },
    });
    expect((await bench.control.ledger(payment.transactionId)).totals).toMatchObject({
      canceled: 10_000,
      held: 0,
    });
    expect(await bench.send('DELETE', `charges/${id}`)).toMatchObject({ status: 412 });
  });

  it('is refunded in parts, and canceled when all is refunded', async () => {
    const payment = newPayment();
    const { id } = chargeOf(await payment.pay());
    const part = await bench.send('DELETE', `charges/${id}`, {
      amount: 3_000,
      operation_reference: `${payment.code}-refund`,
    });
    expect(part.body).toMatchObject({
      status: 'paid',
      paid_amount: 10_000,
      canceled_amount: 3_000,
      last_transaction: { status: 'partial_refunded', amount: 3_000 },
    });
    expect(await bench.send('DELETE', `charges/${id}`, { amount: 7_001 })).toMatchObject({ status: 412 });
    const rest = await bench.send('DELETE', `charges/${id}`);
    expect(rest.body).toMatchObject({ status: 'canceled', canceled_amount: 10_000 });
    expect(rest.body).not.toHaveProperty('paid_amount');
    expect(await payment.refunded()).toBe(10_000);
    const { entries } = await bench.control.ledger(payment.transactionId);
    expect(entries.filter(({ kind }) => kind === 'refunded').map(({ reference }) => reference)).toEqual([
      `${payment.code}-refund`,
      `${payment.code}-refund-2`,
    ]);
    const { data, paging } = (await bench.get(`charges/${id}/transactions?size=2`)).body;
    expect(paging).toMatchObject({ total: 3 });
    expect(data).toMatchObject([{ amount: 7_000 }, { amount: 3_000 }]);
  });

  it('stays in manual review until the anti-fraud service approves or reproves it', async () => {
    for (const [result, status, captured] of [
      ['executed', 'paid', 10_000],
      ['refused', 'failed', 0],
    ] as const) {
      const payment = newPayment();
      const match = { transaction_id: payment.transactionId, operation: 'charge' } as const;
      await bench.control.script(match, { pending_then: result });
      const charge = chargeOf(await payment.pay());
      expect(charge).toMatchObject({
        status: 'pending',
        last_transaction: { status: 'pending_review', antifraud_response: { status: 'pending' } },
      });
      expect(await bench.send('DELETE', `charges/${charge.id}`)).toMatchObject({ status: 412 });
      await bench.control.finishOperation(payment.transactionId);
      const decided = (await bench.get(`charges/${charge.id}`)).body;
      const verdict = captured > 0 ? 'approved' : 'reproved';
      expect(decided).toMatchObject({
        status,
        last_transaction: { id: charge.last_transaction.id, antifraud_response: { status: verdict } },
      });
      expect((await bench.control.ledger(payment.transactionId)).totals).toMatchObject({ captured, held: 0 });
    }
  });
});
