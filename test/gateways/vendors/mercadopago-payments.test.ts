import { isValidBoleto } from '@brazilian-utils/brazilian-utils/is-valid-boleto';
import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils/get-pix-payload-info';
import { CARDS, inDays, MercadoPagoBench, MercadoPagoPayment, PAYER, rawCard } from './mercadopago-bench';

let bench: MercadoPagoBench;
beforeAll(async () => {
  bench = await MercadoPagoBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new MercadoPagoPayment(bench);

describe('a card', () => {
  it('becomes a token without a security code of its own, which pays once', async () => {
    const payment = newPayment();
    const token = await payment.token();
    expect((await bench.get(`v1/card_tokens/${token}`)).body).toMatchObject({
      first_six_digits: '400000',
      last_four_digits: '0010',
      status: 'active',
      security_code_length: 3,
    });
    const body = { token, installments: 1, payment_method_id: 'visa' };
    expect(await payment.create(body)).toMatchObject({ status: 201, body: { status: 'approved' } });
    expect(await payment.create(body)).toMatchObject({ status: 400, body: { cause: [{ code: 2062 }] } });
    expect((await payment.totals()).captured).toBe(12_990);
    expect((await bench.get(`v1/card_tokens/${token}`)).text).not.toContain('4000000000000010');
  });

  it.each([
    ['E301', { card_number: '4000000000000011' }],
    ['E302', { security_code: '1' }],
    ['325', { expiration_month: 13 }],
    ['326', { expiration_year: 2020 }],
    [8, { cvv: '123' }],
  ])('is refused with the code %s of a wrong field', async (code, changes) => {
    const refused = await bench.send('POST', 'v1/card_tokens', rawCard(CARDS.approved, changes));
    expect(refused).toMatchObject({ status: 400, body: { error: 'bad_request', cause: [{ code }] } });
  });

  it('is charged at once, and its payment is found by id and by our reference', async () => {
    const payment = newPayment();
    const created = await payment.pay(rawCard(), { statement_descriptor: 'LOJA' });
    expect(created).toMatchObject({
      status: 201,
      body: {
        status: 'approved',
        status_detail: 'accredited',
        transaction_amount: 129.9,
        captured: true,
        external_reference: payment.reference,
        authorization_code: expect.stringMatching(/^\d{6}$/),
        statement_descriptor: 'LOJA',
        card: { last_four_digits: '0010' },
      },
    });
    expect((await bench.get(`v1/payments/${created.body.id}`)).body).toEqual(created.body);
    const search = `v1/payments/search?sort=date_created&criteria=desc&external_reference=`;
    const found = await bench.get(
      `${search}${payment.reference}&range=date_created&begin_date=NOW-1DAYS&end_date=NOW`,
    );
    expect(found.body).toMatchObject({
      paging: { total: 1, limit: 30, offset: 0 },
      results: [{ id: created.body.id, status: 'approved' }],
    });
    expect((await bench.get(`${search}${payment.reference}-2`)).body).toMatchObject({ paging: { total: 0 } });
  });

  it.each([
    [CARDS.declined, 'cc_rejected_other_reason'],
    [CARDS.noFunds, 'cc_rejected_insufficient_amount'],
    [CARDS.lost, 'cc_rejected_card_disabled'],
    [CARDS.fraud, 'cc_rejected_high_risk'],
  ])('that the issuer declines (%s) is answered with 201 and the word %s', async (number, word) => {
    const payment = newPayment();
    expect(await payment.pay(rawCard(number))).toMatchObject({
      status: 201,
      body: { status: 'rejected', status_detail: word, authorization_code: null, captured: false },
    });
    expect((await payment.totals()).captured).toBe(0);
  });

  it('is declined by the name of its holder, as in the test environment', async () => {
    const declined = await newPayment().pay(rawCard(CARDS.approved, { cardholder: { name: 'CALL' } }));
    expect(declined.body).toMatchObject({
      status: 'rejected',
      status_detail: 'cc_rejected_call_for_authorize',
    });
  });

  it('is in process until its review is over', async () => {
    const payment = newPayment();
    const { body } = await payment.pay(rawCard(CARDS.approved, { cardholder: { name: 'CONT' } }));
    expect(body).toMatchObject({
      status: 'in_process',
      status_detail: 'pending_contingency',
      captured: false,
    });
    await bench.control.finishOperation(payment.transactionId);
    expect((await bench.get(`v1/payments/${body.id}`)).body).toMatchObject({ status: 'approved' });
    expect((await payment.totals()).captured).toBe(12_990);
  });

  it('is authorized, and captured in part once', async () => {
    const payment = newPayment();
    const { body } = await payment.authorize();
    expect(body).toMatchObject({ status: 'authorized', status_detail: 'pending_capture', captured: false });
    const capture = (amount: number) =>
      bench.send('PUT', `v1/payments/${body.id}`, { capture: true, transaction_amount: amount });
    expect(await capture(200)).toMatchObject({ status: 400, body: { cause: [{ code: 2017 }] } });
    expect(await capture(100.01)).toMatchObject({
      status: 200,
      body: { status: 'approved', captured: true, transaction_amount: 100.01 },
    });
    expect(await capture(29.89)).toMatchObject({ status: 400, body: { cause: [{ code: 2018 }] } });
    expect(await payment.totals()).toMatchObject({ captured: 10_001, canceled: 2_989 });
  });

  it('is authorized and voided, after which it cannot be captured', async () => {
    const { body } = await newPayment().authorize();
    const path = `v1/payments/${body.id}`;
    expect(await bench.send('PUT', path, { status: 'approved' })).toMatchObject({
      body: { cause: [{ code: 2016 }] },
    });
    expect(await bench.send('PUT', path, { status: 'cancelled' })).toMatchObject({
      status: 200,
      body: { status: 'cancelled', status_detail: 'by_collector' },
    });
    expect(await bench.send('PUT', path, { capture: true })).toMatchObject({ status: 400 });
  });

  it('shows the ids of its network only to a request that asks for them', async () => {
    const { body } = await newPayment().pay(rawCard(CARDS.master), { payment_method_id: 'master' });
    expect(body).not.toHaveProperty('expanded');
    const headers = { 'X-Expand-Responde-Nodes': 'gateway.reference' };
    expect((await bench.get(`v1/payments/${body.id}`, { headers })).body).toMatchObject({
      expanded: {
        gateway: {
          reference: {
            network_transaction_id: expect.stringMatching(/^\d+$/),
            network_data: { transaction_link_id: expect.stringMatching(/./) },
          },
        },
      },
    });
  });
});

describe('a refund', () => {
  it('takes back parts and never more than is left, and the payment shows it', async () => {
    const payment = newPayment();
    const { body } = await payment.pay();
    const path = `v1/payments/${body.id}/refunds`;
    const first = await bench.send('POST', path, { amount: 40 });
    expect(first).toMatchObject({
      status: 201,
      body: { payment_id: body.id, amount: 40, status: 'approved' },
    });
    expect(await bench.send('POST', path, { amount: 90 })).toMatchObject({
      status: 400,
      body: { cause: [{ code: 2017 }] },
    });
    expect((await bench.get(`v1/payments/${body.id}`)).body).toMatchObject({
      status: 'approved',
      status_detail: 'partially_refunded',
      transaction_amount: 129.9,
      transaction_amount_refunded: 40,
    });
    expect(await bench.send('POST', path)).toMatchObject({ status: 201, body: { amount: 89.9 } });
    expect(await bench.send('POST', path)).toMatchObject({ status: 400, body: { cause: [{ code: 2063 }] } });
    expect((await bench.get(`v1/payments/${body.id}`)).body).toMatchObject({ status: 'refunded' });
    expect((await bench.get(path)).body).toMatchObject([{ amount: 40 }, { amount: 89.9 }]);
    expect((await bench.get(`${path}/${first.body.id}`)).body).toEqual(first.body);
    expect(await payment.totals()).toMatchObject({ captured: 12_990, refunded: 12_990 });
  });

  it('can be in process until the gateway executes it', async () => {
    const payment = newPayment();
    const { body } = await payment.pay();
    const match = { transaction_id: payment.transactionId, operation: 'refund' } as const;
    await bench.control.script(match, { pending_then: 'executed' });
    const refund = await bench.send('POST', `v1/payments/${body.id}/refunds`, { amount: 10 });
    expect(refund).toMatchObject({ status: 201, body: { status: 'in_process' } });
    await bench.control.finishOperation(payment.transactionId);
    expect((await bench.get(`v1/payments/${body.id}/refunds/${refund.body.id}`)).body).toMatchObject({
      status: 'approved',
    });
  });
});

describe('a pix', () => {
  it('has a code until it expires, and the end-to-end id once it is paid', async () => {
    const payment = newPayment();
    const { status, body } = await payment.pix({ date_of_expiration: inDays(1) });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        status: 'pending',
        status_detail: 'pending_waiting_transfer',
        payment_type_id: 'bank_transfer',
        point_of_interaction: { transaction_data: { e2e_id: null, ticket_url: expect.any(String) } },
      },
    });
    expect(Date.parse(body.date_of_expiration)).toBeCloseTo(Date.parse(inDays(1)), -4);
    expect(getPixPayloadInfo(body.point_of_interaction.transaction_data.qr_code ?? '')?.amount).toBe(129.9);
    await bench.control.pay(payment.transactionId);
    expect((await bench.get(`v1/payments/${body.id}`)).body).toMatchObject({
      status: 'approved',
      point_of_interaction: { transaction_data: { e2e_id: expect.stringMatching(/^E\d{8}20/) } },
    });
  });

  it('is refused if it expires too soon or too late, or at an instant of another form', async () => {
    const refused = { status: 400, body: { cause: [{ code: 23 }] } };
    for (const date of [inDays(1 / 96), inDays(31), '2040-01-01', '2040-01-01T10:00:00'])
      expect(await newPayment().pix({ date_of_expiration: date })).toMatchObject(refused);
  });

  it('is refused for a seller without a pix key', async () => {
    const payment = newPayment();
    await bench.control.script({ transaction_id: payment.transactionId }, { lacks: 'pix' });
    expect(await payment.pix()).toMatchObject({ status: 400, body: { cause: [{ code: 13253 }] } });
  });
});

describe('a boleto', () => {
  it('has a line, a barcode and a page, and is canceled or paid', async () => {
    const { status, body } = await newPayment().boleto({ date_of_expiration: inDays(3) });
    const { digitable_line: line, barcode, external_resource_url: page } = body.transaction_details;
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { status: 'pending', status_detail: 'pending_waiting_payment', payment_type_id: 'ticket' },
    });
    expect(isValidBoleto(String(line))).toBe(true);
    expect(barcode).toEqual({ content: expect.stringMatching(/^\d{44}$/) });
    expect((await fetch(String(page))).status).toBe(200);
    const canceled = await bench.send('PUT', `v1/payments/${body.id}`, { status: 'cancelled' });
    expect(canceled.body).toMatchObject({ status: 'cancelled' });
    const paid = newPayment();
    const second = await paid.boleto();
    await bench.control.pay(paid.transactionId);
    expect((await bench.get(`v1/payments/${second.body.id}`)).body).toMatchObject({ status: 'approved' });
    expect(await bench.send('PUT', `v1/payments/${second.body.id}`, { status: 'cancelled' })).toMatchObject({
      status: 400,
      body: { cause: [{ code: 2018 }] },
    });
    // Mercado Pago pays the money into the payer's account with it, so that no bank account is needed.
    expect(await bench.send('POST', `v1/payments/${second.body.id}/refunds`)).toMatchObject({ status: 201 });
  });

  it('needs the name, the document and the whole address of its payer', async () => {
    for (const [field, payer] of [
      ['payer.last_name', { ...PAYER, last_name: undefined }],
      ['payer.identification', { ...PAYER, identification: null }],
      ['payer.address.federal_unit', { ...PAYER, address: { ...PAYER.address, federal_unit: undefined } }],
    ] as const)
      expect(await newPayment().boleto({ payer })).toMatchObject({
        status: 400,
        body: { cause: [{ code: 4006, data: field }] },
      });
  });
});
