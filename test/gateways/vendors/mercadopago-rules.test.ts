import { randomUUID } from 'node:crypto';
import { waitFor } from '../../support/stack/wait-for';
import { CARDS, MercadoPagoBench, MercadoPagoPayment, PAYER, rawCard } from './mercadopago-bench';

let bench: MercadoPagoBench;
beforeAll(async () => {
  bench = await MercadoPagoBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new MercadoPagoPayment(bench);
const searchOf = async ({ reference }: MercadoPagoPayment) =>
  (await bench.get(`v1/payments/search?external_reference=${reference}`)).body.results;

describe('an idempotency key at the fake of Mercado Pago', () => {
  it('is demanded of a payment and of a refund before anything else', async () => {
    const missing = { status: 400, body: { cause: [{ code: 4292 }] } };
    expect(await newPayment().create({}, { key: null })).toMatchObject(missing);
    expect(await bench.send('POST', 'v1/payments/1/refunds', {}, { key: null })).toMatchObject(missing);
  });

  it('stands for one payment, also with another body and after a restart', async () => {
    const payment = newPayment();
    const key = randomUUID();
    const first = await payment.pay(rawCard(), {}, { key });
    expect(first.status).toBe(201);
    const token = await payment.token();
    await bench.send('PUT', `v1/payments/${first.body.id}`, { status: 'cancelled' });
    await bench.restart();
    const again = await payment.create({ token, installments: 1, transaction_amount: 5 }, { key });
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect((await payment.totals()).captured).toBe(12_990);
  });

  it('repeats a decline, and is free again after an invalid request and an error', async () => {
    const declined = newPayment();
    const key = randomUUID();
    const first = await declined.pay(rawCard(CARDS.noFunds), {}, { key });
    expect((await declined.pay(rawCard(), {}, { key })).body).toEqual(first.body);
    const payment = newPayment();
    const other = randomUUID();
    expect((await payment.pay(rawCard(), { installments: 0 }, { key: other })).status).toBe(400);
    await bench.control.script({ transaction_id: payment.transactionId }, { status: 500 });
    expect((await payment.pay(rawCard(), {}, { key: other })).status).toBe(500);
    expect((await payment.pay(rawCard(), {}, { key: other })).body).toMatchObject({ status: 'approved' });
  });

  it('of a refund is answered with 200 and without content when it is repeated', async () => {
    const payment = newPayment();
    const { body } = await payment.pay();
    const key = randomUUID();
    const refund = () => bench.send('POST', `v1/payments/${body.id}/refunds`, { amount: 10 }, { key });
    expect(await refund()).toMatchObject({ status: 201, body: { amount: 10 } });
    expect(await refund()).toMatchObject({ status: 200, text: '{}' });
    expect((await payment.totals()).refunded).toBe(1_000);
  });

  it('repeats a capture and a cancel without a second effect', async () => {
    const payment = newPayment();
    const { body } = await payment.authorize();
    const key = randomUUID();
    const capture = () => bench.send('PUT', `v1/payments/${body.id}`, { capture: true }, { key });
    const first = await capture();
    expect(await capture()).toMatchObject({ status: 200, body: first.body });
    expect((await payment.totals()).captured).toBe(12_990);
  });

  it('is locked while its first request is in progress', async () => {
    const payment = newPayment();
    await bench.control.script({ transaction_id: payment.transactionId }, { delay_ms: 200 });
    const key = randomUUID();
    const first = payment.pay(rawCard(), {}, { key });
    const requests = () => bench.control.requests(payment.transactionId);
    await waitFor(async () => (await requests()).length === 1);
    expect((await payment.pix({ description: 'outro' })).status).toBe(201);
    expect(await payment.pay(rawCard(), {}, { key })).toMatchObject({
      status: 423,
      body: { error: 'locked' },
    });
    expect((await first).status).toBe(201);
  });
});

describe('a request to the fake of Mercado Pago', () => {
  it.each<[number, object]>([
    [4002, { transaction_amount: undefined }],
    [2072, { transaction_amount: 10.001 }],
    [2072, { transaction_amount: '10.00' }],
    [8, { antifraud: true }],
    [8, { payer: { ...PAYER, name: 'Ana Lima' } }],
    [4050, { payer: { ...PAYER, email: 'ana' } }],
    [2067, { payer: { ...PAYER, identification: { type: 'RG', number: '1' } } }],
    [1, { external_reference: 'x'.repeat(257) }],
    [1, { statement_descriptor: 'x'.repeat(23) }],
    [4000, { token: null }],
    [2006, { token: '0'.repeat(32) }],
    [4004, { installments: null }],
    [4033, { installments: 25 }],
    [3028, { payment_method_id: 'diners' }],
    [2131, { payment_method_id: 'pix' }],
    [2059, { application_fee: 10 }],
    [4038, { application_fee: 130 }],
  ])('is refused with the code %d for %j, and nothing is charged', async (code, changes) => {
    const payment = newPayment();
    const refused = await payment.pay(rawCard(), changes);
    expect(refused).toMatchObject({ status: 400, body: { error: 'bad_request', cause: [{ code }] } });
    expect((await payment.totals()).captured).toBe(0);
    expect(refused.text).not.toContain(CARDS.approved);
  });

  it('needs an access token, except a card token with a public key', async () => {
    const unauthorized = { status: 401, body: { error: 'unauthorized', cause: [{}] } };
    for (const token of [null, 'sk_invalid_token'])
      expect(
        await newPayment()
          .pix()
          .then(() => bench.get('v1/payments/1', { token })),
      ).toMatchObject(unauthorized);
    expect(await bench.send('POST', 'v1/card_tokens', rawCard(), { token: null })).toMatchObject(
      unauthorized,
    );
    const key = 'v1/card_tokens?public_key=TEST-public';
    expect((await bench.send('POST', key, rawCard(), { token: null })).status).toBe(201);
    expect((await bench.get('users/me')).body).toMatchObject({ site_id: 'MLB' });
  });

  it('for an unknown payment, path or method is refused in Mercado Pago’s words', async () => {
    const unknown = { status: 404, body: { error: 'not_found', cause: [{ code: 2000 }] } };
    expect(await bench.get('v1/payments/1')).toMatchObject(unknown);
    expect(await bench.send('POST', `v1/payments/${randomUUID()}/refunds`, {})).toMatchObject(unknown);
    expect(await bench.send('PUT', 'v1/payments/1', { capture: true })).toMatchObject(unknown);
    expect(await bench.send('DELETE', 'v1/payments/1')).toMatchObject({
      status: 405,
      body: { error: 'method_not_allowed' },
    });
    expect(await bench.get('v1/nothing')).toMatchObject({ status: 404, body: { error: 'not_found' } });
    expect(await bench.send('POST', 'v1/payments', undefined, { text: '{' })).toMatchObject({
      status: 400,
      body: { cause: [{ code: 1 }] },
    });
  });

  it('finds nothing by its reference until the search knows the payment, but at once by its id', async () => {
    const slow = await MercadoPagoBench.start({ searchLagMs: 60_000 });
    try {
      const payment = new MercadoPagoPayment(slow);
      const { body } = await payment.pay();
      const found = await slow.get(`v1/payments/search?external_reference=${payment.reference}`);
      expect(found.body).toMatchObject({ paging: { total: 0 }, results: [] });
      expect((await slow.get(`v1/payments/${body.id}`)).status).toBe(200);
    } finally {
      await slow.stop();
    }
  });
});

describe('scripts at the fake of Mercado Pago', () => {
  it.each([
    ['before', 0, 0],
    ['after', 12_990, 1],
  ] as const)(
    'lose the answer %s the commit, and the search tells which',
    async (drop, captured, payments) => {
      const payment = newPayment();
      await bench.control.script({ transaction_id: payment.transactionId }, { drop });
      await expect(payment.pay()).rejects.toThrow();
      expect((await payment.totals()).captured).toBe(captured);
      expect(await searchOf(payment)).toHaveLength(payments);
    },
  );

  it.each([400, 401, 402, 404, 409, 422, 423, 424, 429, 500, 503])(
    'answer with Mercado Pago’s error body for status %d and commit nothing',
    async (status) => {
      const payment = newPayment();
      await bench.control.script({ transaction_id: payment.transactionId }, { status });
      const answer = await payment.pay();
      expect(answer).toMatchObject({ status, body: { status, error: expect.any(String), cause: [] } });
      expect((await payment.totals()).captured).toBe(0);
    },
  );

  it('put a page of a proxy in place of the answer, and show another payment than the one that was made', async () => {
    const replaced = newPayment();
    await bench.control.script({ transaction_id: replaced.transactionId }, { html: 502 });
    expect((await replaced.pay()).text).toMatch(/^<html>/);
    expect((await replaced.totals()).captured).toBe(12_990);
    const other = await newPayment().pay();
    const payment = newPayment();
    await bench.control.script({ transaction_id: payment.transactionId }, { duplicate_id: true });
    expect((await payment.pay()).body.id).toBe(other.body.id);
  });

  it('keep the numbers of cards and the tokens of accounts off the disk', async () => {
    await newPayment().pay();
    expect(bench.dataOnDisk()).not.toContain(CARDS.approved);
    expect(bench.dataOnDisk()).not.toContain('TEST-6621-112314-bench-1');
    expect(bench.dataOnDisk()).not.toContain(PAYER.email);
  });
});
