import {
  type Body,
  card,
  CARDS,
  chargeOf,
  PagarmeBench,
  PagarmePayment,
  PIX,
  rawCard,
} from './pagarme-bench';

let bench: PagarmeBench;
beforeAll(async () => {
  bench = await PagarmeBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new PagarmePayment(bench);
const found = async (payment: PagarmePayment) => (await bench.get(`orders?code=${payment.code}`)).body.data;

describe('scripts at the fake of Pagar.me', () => {
  it.each([
    ['before', 0, 0],
    ['after', 10_000, 1],
  ] as const)('lose the answer %s the commit, and the list tells which', async (drop, captured, orders) => {
    const payment = newPayment();
    await bench.control.script({ transaction_id: payment.transactionId }, { drop });
    await expect(payment.pay()).rejects.toThrow();
    expect(await payment.captured()).toBe(captured);
    expect(await found(payment)).toHaveLength(orders);
  });

  it('cut the answer, and put a page of a proxy in its place', async () => {
    const cut = newPayment();
    await bench.control.script({ transaction_id: cut.transactionId }, { truncate: true });
    const { status, text } = await cut.pay();
    expect(status).toBe(200);
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    const replaced = newPayment();
    await bench.control.script({ transaction_id: replaced.transactionId }, { html: 502 });
    expect(await replaced.pay()).toMatchObject({
      status: 502,
      text: expect.stringMatching(/^<html>/) as string,
    });
    expect([await cut.captured(), await replaced.captured()]).toEqual([10_000, 10_000]);
  });

  it.each([400, 401, 403, 404, 412, 422, 429, 500, 503])(
    'answer with Pagar.me’s error body for status %d and commit nothing',
    async (status) => {
      const payment = newPayment();
      await bench.control.script({ transaction_id: payment.transactionId }, { status });
      expect(await payment.pay()).toMatchObject({
        status,
        body: { message: expect.any(String) as string },
      });
      expect(await payment.captured()).toBe(0);
    },
  );

  it('decline a charge, a capture and a refund with any code', async () => {
    const payment = newPayment();
    const match = { transaction_id: payment.transactionId };
    await bench.control.script(match, { decline: '82', advice: '01' });
    expect(chargeOf(await payment.pay()).last_transaction).toMatchObject({
      acquirer_return_code: '82',
      retry_info: { brand_failure_return_code: '1' },
    });
    const { id } = chargeOf(await payment.authorize());
    await bench.control.script(match, { decline: '57' });
    expect(await bench.send('POST', `charges/${id}/capture`)).toMatchObject({
      status: 200,
      body: {
        status: 'pending',
        last_transaction: { status: 'failed', success: false, acquirer_return_code: '57' },
      },
    });
    await bench.send('POST', `charges/${id}/capture`);
    await bench.control.script(match, { decline: '57' });
    expect((await bench.send('DELETE', `charges/${id}`)).body).toMatchObject({
      status: 'paid',
      last_transaction: { status: 'failed', success: false },
    });
    expect(await payment.refunded()).toBe(0);
  });

  it('keep a capture pending until it has its result', async () => {
    const payment = newPayment();
    const { id } = chargeOf(await payment.authorize());
    await bench.control.script({ transaction_id: payment.transactionId }, { pending_then: 'executed' });
    expect((await bench.send('POST', `charges/${id}/capture`)).body).toMatchObject({
      status: 'pending',
      last_transaction: { status: 'waiting_capture' },
    });
    expect(await payment.captured()).toBe(0);
    await bench.control.finishOperation(payment.transactionId);
    expect((await bench.get(`charges/${id}`)).body).toMatchObject({
      status: 'paid',
      last_transaction: { status: 'captured' },
    });
    expect(await payment.captured()).toBe(10_000);
  });

  it('fail an order for what the account lacks, before an acquirer sees it', async () => {
    const payment = newPayment();
    await bench.control.script({ transaction_id: payment.transactionId }, { lacks: 'pix' });
    expect(chargeOf(await payment.create(PIX))).toMatchObject({
      status: 'failed',
      last_transaction: { status: 'failed', gateway_response: { code: '412', errors: [{}] } },
    });
  });

  it('show another order than the one that was made', async () => {
    const other = await newPayment().pay();
    const payment = newPayment();
    await bench.control.script({ transaction_id: payment.transactionId }, { duplicate_id: true });
    expect((await payment.pay()).body.id).toBe(other.body.id);
    expect(await payment.captured()).toBe(10_000);
  });
});

describe('the fake of Pagar.me', () => {
  it('is out of service during an outage, and for the test card that simulates one', async () => {
    const payment = newPayment();
    await bench.control.startOutage('gateway_1', '503', 60);
    expect(await payment.pay()).toMatchObject({ status: 503 });
    await bench.control.endOutages();
    expect(await payment.pay(CARDS.outage)).toMatchObject({ status: 500 });
    expect(await found(payment)).toEqual([]);
  });

  it('names the wrong fields of a request and repeats it without number and security code', async () => {
    const wrong = await newPayment().pay('4000000000000011');
    expect(wrong).toMatchObject({
      status: 422,
      body: {
        message: 'The request is invalid.',
        errors: {
          'order.payments[0].credit_card.card': ['The number field is not a valid card number'],
        },
        request: { payments: [{ credit_card: { card: { last_four_digits: '0011' } } }] },
      },
    });
    expect(wrong.text).not.toMatch(/4000000000000011|cvv/);
    const invalid = async (changes: object) => {
      const { status, body } = await newPayment().create(card({ card: rawCard() }), changes);
      return { status, body };
    };
    expect(await invalid({ items: undefined })).toMatchObject({
      status: 422,
      body: { errors: { 'order.items': ['The items field is required.'] } },
    });
    expect(await invalid({ customer: { email: 'a@example.com' } })).toMatchObject({
      status: 422,
      body: { errors: { 'order.customer.name': ['The name field is required.'] } },
    });
    expect(await invalid({ customer: undefined })).toMatchObject({
      status: 404,
      body: { message: 'Customer not found.' },
    });
    expect(await invalid({ items: [{ amount: 99.9, description: 'Chaveiro', quantity: 1 }] })).toMatchObject({
      status: 422,
      body: { errors: { 'order.items[0].amount': [expect.any(String) as string] } },
    });
  });

  it('refuses a descriptor over 13 characters, an expired card and pix in another currency', async () => {
    const statuses = [
      await newPayment().pay(CARDS.approved, { statement_descriptor: 'FOURTEEN CHARS' }),
      await newPayment().create(card({ card: { ...rawCard(), exp_year: 2020 } })),
      await newPayment().create(PIX, { currency: 'USD' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([422, 422, 422]);
  });

  it('answers 400 to a body that is not JSON, 401 to a wrong key and 404 to what it does not know', async () => {
    expect(await bench.send('POST', 'orders', undefined, { text: '{"items":' })).toMatchObject({
      status: 400,
    });
    expect(await bench.get('orders', { secret: 'sk_invalid_key' })).toMatchObject({
      status: 401,
      body: { message: 'Authorization has been denied for this request.' },
    });
    expect(await bench.get('orders/or_unknown')).toMatchObject({
      status: 404,
      body: { message: 'Order not found.' },
    });
    expect(await bench.send('DELETE', 'Charges/ch_unknown')).toMatchObject({
      status: 404,
      body: { message: 'Charge not found.' },
    });
    expect(await bench.get('nothing')).toMatchObject({ status: 404 });
  });

  it('shows the orders of one account to no other', async () => {
    await bench.control.setUpAccount('sk_test_one', { account: 'one' });
    await bench.control.setUpAccount('sk_test_two', { account: 'two' });
    const payment = newPayment();
    const { id } = chargeOf(await payment.pay(CARDS.approved, {}, { secret: 'sk_test_one' }));
    const two = { secret: 'sk_test_two' };
    expect(await bench.get(`charges/${id}`, { secret: 'sk_test_one' })).toMatchObject({ body: { id } });
    expect(await bench.get(`charges/${id}`, two)).toMatchObject({ status: 404 });
    expect(await bench.send('DELETE', `charges/${id}`, {}, two)).toMatchObject({ status: 404 });
    expect((await bench.get(`orders?code=${payment.code}`, two)).body.data).toEqual([]);
  });

  it('stores no card number, no security code and no customer', async () => {
    await newPayment().pay();
    // The code as a value of its own: longer random ids may have the same digits.
    expect(bench.dataOnDisk()).not.toMatch(
      /4000000000000010|cvv|\b351\b|Tony Stark|tony@example|01234567890/,
    );
  });
});

describe('lists of the fake of Pagar.me', () => {
  it('show pages of orders and charges by code, state, method, order and time', async () => {
    const payment = newPayment();
    const first = await payment.pay();
    const second = await payment.create(PIX);
    const page = (await bench.get(`orders?code=${payment.code}&page=1&size=1`)).body;
    expect(page).toMatchObject({ data: [{ id: second.body.id }], paging: { total: 2 } });
    expect(page.paging.next).toContain('page=2');
    const charges = async (query: string) =>
      (await bench.get(`charges?code=${payment.code}&${query}`)).body.data.map((each) => (each as Body).id);
    expect(await charges('status=paid')).toEqual([chargeOf(first).id]);
    expect(await charges('payment_method=pix')).toEqual([chargeOf(second).id]);
    expect(await charges(`order_id=${first.body.id}`)).toEqual([chargeOf(first).id]);
    expect(await charges('created_since=2100-01-01T00:00:00Z')).toEqual([]);
    expect(await charges('created_until=2100-01-01T00:00:00Z')).toHaveLength(2);
    expect((await bench.get('charges?size=many')).status).toBe(422);
  });

  it('know a new order only after the delay of the search, which its id does not have', async () => {
    const slow = await PagarmeBench.start({ searchLagMs: 60_000 });
    try {
      const payment = new PagarmePayment(slow);
      const { body } = await payment.pay();
      expect((await slow.get(`orders?code=${payment.code}`)).body.data).toEqual([]);
      expect((await slow.get(`orders/${body.id}`)).body).toMatchObject({ code: payment.code });
    } finally {
      await slow.stop();
    }
  });
});
