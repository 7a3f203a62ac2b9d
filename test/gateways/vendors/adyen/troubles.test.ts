import { randomUUID } from 'node:crypto';
import { AdyenBench, AdyenPayment, CARDS, PIX } from './bench';

let bench: AdyenBench;
beforeAll(async () => {
  bench = await AdyenBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new AdyenPayment(bench);

describe('an idempotency key at the fake of Adyen', () => {
  it('returns the first answer again, also a refusal and after a restart, and nothing happens twice', async () => {
    const own = await AdyenBench.start();
    try {
      const payment = new AdyenPayment(own);
      const key = randomUUID();
      const first = await payment.pay(CARDS.approved, {}, { key });
      expect(first.headers.get('idempotency-key')).toBe(key);
      const refusedKey = randomUUID();
      const refused = await payment.pay(CARDS.noFunds, {}, { key: refusedKey });
      const refundKey = randomUUID();
      const refund = await payment.modify(first.body.pspReference, 'refunds', 4_000, { key: refundKey });
      await own.restart();
      expect((await payment.pay(CARDS.approved, {}, { key })).text).toBe(first.text);
      expect((await payment.pay(CARDS.noFunds, {}, { key: refusedKey })).text).toBe(refused.text);
      expect(
        await payment.modify(first.body.pspReference, 'refunds', 4_000, { key: refundKey }),
      ).toMatchObject({
        status: 201,
        text: refund.text,
      });
      expect(await payment.totals()).toMatchObject({ captured: 10_000, refunded: 4_000 });
    } finally {
      await own.stop();
    }
  });

  it('answers another request with the first one’s result', async () => {
    const key = randomUUID();
    const first = await newPayment().pay(CARDS.approved, {}, { key });
    const other = newPayment();
    expect((await other.pay(CARDS.approved, {}, { key })).text).toBe(first.text);
    expect((await other.totals()).captured).toBe(0);
  });

  it('is refused as transient while its first request is in progress', async () => {
    const payment = newPayment();
    const key = randomUUID();
    await bench.control.script({ transaction_id: payment.transactionId }, { delay_ms: 300 });
    const first = payment.pay(CARDS.approved, {}, { key });
    let second = await payment.pay(CARDS.approved, {}, { key });
    while (second.status === 200) second = await payment.pay(CARDS.approved, {}, { key });
    expect(second).toMatchObject({ status: 422, body: { errorCode: '704' } });
    expect(second.headers.get('transient-error')).toBe('true');
    expect((await first).body.resultCode).toBe('Authorised');
    expect((await payment.totals()).captured).toBe(10_000);
  });

  it('keeps an error of the server, but is new after a transient one', async () => {
    const payment = newPayment();
    const match = { transaction_id: payment.transactionId };
    const [failed, transient] = [randomUUID(), randomUUID()];
    await bench.control.script(match, { status: 500 });
    expect((await payment.pay(CARDS.approved, {}, { key: failed })).status).toBe(500);
    expect((await payment.pay(CARDS.approved, {}, { key: failed })).status).toBe(500);
    await bench.control.script(match, { status: 503 });
    const first = await payment.pay(CARDS.approved, {}, { key: transient });
    expect([first.status, first.headers.get('transient-error')]).toEqual([503, 'true']);
    expect((await payment.pay(CARDS.approved, {}, { key: transient })).body.resultCode).toBe('Authorised');
    expect((await payment.totals()).captured).toBe(10_000);
  });
});

describe('scripts at the fake of Adyen', () => {
  it('lose the answer before or after the commit, and send the webhook after it all the same', async () => {
    const before = newPayment();
    await bench.control.script({ transaction_id: before.transactionId }, { drop: 'before' });
    await expect(before.pay()).rejects.toThrow();
    expect((await before.totals()).captured).toBe(0);
    const after = newPayment();
    await bench.control.script({ transaction_id: after.transactionId }, { drop: 'after' });
    await expect(after.pay()).rejects.toThrow();
    const [webhook] = await bench.webhooks('AUTHORISATION', after.reference);
    expect(webhook?.item.success).toBe('true');
  });

  it.each([400, 401, 403, 404, 422, 429, 500, 503])(
    'answer with Adyen’s error body for status %d and commit nothing',
    async (status) => {
      const payment = newPayment();
      await bench.control.script({ transaction_id: payment.transactionId }, { status });
      const text = expect.any(String) as string;
      expect(await payment.pay()).toMatchObject({
        status,
        body: { status, errorCode: text, message: text, errorType: text },
      });
      expect((await payment.totals()).captured).toBe(0);
    },
  );

  it('refuse a payment with any code, and fail a refund later', async () => {
    const payment = newPayment();
    const match = { transaction_id: payment.transactionId };
    await bench.control.script(match, { decline: '82', advice: '01' });
    expect((await payment.pay()).body).toMatchObject({
      resultCode: 'Refused',
      refusalReasonCode: '24',
      additionalData: { merchantAdviceCode: '01 : New account information available' },
    });
    const { pspReference } = (await payment.pay()).body;
    await bench.control.script({ ...match, operation: 'refund' }, { decline: '57' });
    expect((await payment.modify(pspReference, 'refunds')).status).toBe(201);
    const [refund] = await bench.webhooks('REFUND', payment.referenceOf('refunds'));
    expect(refund?.item.success).toBe('false');
    expect((await payment.totals()).refunded).toBe(0);
  });

  it('make an account lack features', async () => {
    const payment = newPayment();
    const match = { transaction_id: payment.transactionId };
    await bench.control.script(match, { lacks: 'raw_cards' });
    expect(await payment.pay()).toMatchObject({ status: 403, body: { errorCode: '010' } });
    await bench.control.script(match, { lacks: 'pix' });
    expect(await payment.create(PIX)).toMatchObject({ status: 500, body: { errorCode: '905_1' } });
    expect((await bench.control.ledger(payment.transactionId)).entries).toEqual([]);
  });

  it('show another payment than the one that was made, and keep a webhook back', async () => {
    const other = await newPayment().pay();
    const payment = newPayment();
    await bench.control.script(
      { transaction_id: payment.transactionId },
      { duplicate_id: true, callback: false },
    );
    expect((await payment.pay()).body).toMatchObject({
      pspReference: other.body.pspReference,
      merchantReference: other.body.merchantReference,
    });
    expect((await payment.totals()).captured).toBe(10_000);
    await bench.control.sendCallbacks(payment.transactionId);
    await bench.webhooks('AUTHORISATION', payment.reference);
  });
});

describe('the fake of Adyen', () => {
  it('is out of service during an outage, and for the test card that simulates one', async () => {
    await bench.control.startOutage('gateway_4', '503', 60);
    expect(await newPayment().pay()).toMatchObject({ status: 503, body: { errorCode: '703' } });
    await bench.control.endOutages();
    expect((await newPayment().pay(CARDS.outage)).status).toBe(503);
  });

  it('answers 400 to a body that is not JSON, 401 to a wrong key and 404 to what it does not have', async () => {
    expect(await bench.post('payments', {}, { text: '{"amount":' })).toMatchObject({ status: 400 });
    expect(await newPayment().pay(CARDS.approved, {}, { secret: 'sk_invalid_key' })).toMatchObject({
      status: 401,
      body: { errorCode: '000', errorType: 'security' },
    });
    expect((await bench.post('sessions', {})).status).toBe(404);
    const inquiry = await fetch(`${bench.url}/payments`, {
      headers: { 'x-api-key': 'key', connection: 'close' },
    });
    expect(inquiry.status).toBe(404);
  });

  it('takes the password of Basic authentication and the path of the live host', async () => {
    const payment = newPayment();
    const response = await fetch(bench.url.replace('/v72', '/checkout/v72/payments'), {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from('ws@Company.Loja:senha').toString('base64')}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: JSON.stringify(payment.request()),
    });
    expect(await response.json()).toMatchObject({ resultCode: 'Authorised' });
  });

  it('lets no other account change a payment', async () => {
    await bench.control.setUpAccount('key_of_one', { account: 'one' });
    await bench.control.setUpAccount('key_of_two', { account: 'two' });
    const payment = newPayment();
    const { pspReference } = (await payment.pay(CARDS.approved, {}, { secret: 'key_of_one' })).body;
    expect((await payment.modify(pspReference, 'refunds', 100, { secret: 'key_of_two' })).status).toBe(422);
    expect((await payment.modify(pspReference, 'refunds', 100, { secret: 'key_of_one' })).status).toBe(201);
  });

  it('stores no card number, no security code and no shopper', async () => {
    await newPayment().pay();
    await newPayment().create(PIX);
    // The code as a value of its own: longer random ids may have the same digits.
    expect(bench.dataOnDisk()).not.toMatch(/4000000000000010|cvc|\b737\b|Tony|Stark|01234567890/);
  });
});
