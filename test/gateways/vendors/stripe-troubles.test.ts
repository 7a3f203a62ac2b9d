import { randomUUID } from 'node:crypto';
import { CARDS, errorOf, StripeBench, StripePayment } from './stripe-bench';

let bench: StripeBench;
beforeAll(async () => {
  bench = await StripeBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new StripePayment(bench.sdk());
const captured = async ({ transactionId }: StripePayment) =>
  (await bench.control.ledger(transactionId)).totals.captured;
/** Creates the payment without the SDK, which would hide what came back. */
async function sendPayment(
  payment: StripePayment,
): Promise<{ status: number; headers: Headers; text: string }> {
  const form = {
    ...{ amount: '10000', currency: 'brl', confirm: 'true', payment_method: await payment.method() },
    'metadata[reference]': payment.reference,
  };
  return bench.send('POST', 'payment_intents', { form, headers: { 'idempotency-key': randomUUID() } });
}

describe('the scripts of the simulator at the fake of Stripe', () => {
  it.each([
    ['before', 0],
    ['after', 10_000],
  ] as const)('drop the connection %s the commit', async (drop, cents) => {
    const payment = newPayment();
    await bench.control.script({ transaction_id: payment.transactionId }, { drop });
    expect((await errorOf(payment.pay())).type).toBe('StripeConnectionError');
    expect(await captured(payment)).toBe(cents);
    expect(await bench.control.requests(payment.transactionId)).toMatchObject([{ answered: 'dropped' }]);
  });

  it('answer with a page that is not Stripe’s, although the charge is made', async () => {
    const payment = newPayment();
    await bench.control.script({ transaction_id: payment.transactionId }, { html: 502 });
    const { status, text } = await sendPayment(payment);
    expect({ status, isPage: text.startsWith('<html>') }).toEqual({ status: 502, isPage: true });
    expect(await captured(payment)).toBe(10_000);
  });

  it('cut the answer', async () => {
    const payment = newPayment();
    await bench.control.script({ transaction_id: payment.transactionId }, { truncate: true });
    const { status, text } = await sendPayment(payment);
    expect(status).toBe(200);
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(await captured(payment)).toBe(10_000);
  });

  it('decline with any code and advice', async () => {
    const payment = newPayment();
    await bench.control.script({ transaction_id: payment.transactionId }, { decline: '54', advice: '01' });
    expect(await errorOf(payment.pay())).toMatchObject({
      statusCode: 402,
      code: 'expired_card',
      raw: { network_decline_code: '54', network_advice_code: '01', advice_code: 'confirm_card_data' },
    });
  });

  it('show another charge than the one that was made', async () => {
    const other = await newPayment().pay();
    const payment = newPayment();
    await bench.control.script({ transaction_id: payment.transactionId }, { duplicate_id: true });
    expect((await payment.pay()).id).toBe(other.id);
    expect(await captured(payment)).toBe(10_000);
  });

  it.each([400, 401, 403, 404, 429, 500, 503])(
    'answer with Stripe’s own error for status %d',
    async (status) => {
      const payment = newPayment();
      await bench.control.script({ transaction_id: payment.transactionId }, { status });
      const answer = await sendPayment(payment);
      expect({ status: answer.status, body: JSON.parse(answer.text) as unknown }).toMatchObject({
        status,
        body: { error: { type: status < 500 ? 'invalid_request_error' : 'api_error' } },
      });
      expect(answer.headers.get('request-id')).toMatch(/^req_/);
      expect(await captured(payment)).toBe(0);
    },
  );
});

describe('the fake of Stripe', () => {
  it('is out of service during an outage, and for the test card that simulates one', async () => {
    const payment = newPayment();
    const payment_method = await payment.method();
    await bench.control.startOutage('gateway_4', '503', 60);
    expect(await errorOf(payment.pay({ payment_method }))).toMatchObject({
      statusCode: 503,
      type: 'StripeAPIError',
    });
    await bench.control.endOutages();
    expect(await errorOf(payment.pay({}, { number: CARDS.outage }))).toMatchObject({ statusCode: 503 });
    expect(await captured(payment)).toBe(0);
  });

  it('refuses a wrong key, and shows account and balance with a right one', async () => {
    const wrong = await errorOf(bench.sdk('sk_invalid_key').balance.retrieve());
    expect(wrong).toMatchObject({ statusCode: 401, type: 'StripeAuthenticationError' });
    expect((await bench.sdk().balance.retrieve()).object).toBe('balance');
    const basic = `Basic ${Buffer.from('sk_test_bench:').toString('base64')}`;
    const own = await bench.send('GET', 'account', { headers: { authorization: basic } });
    expect(JSON.parse(own.text)).toMatchObject({ object: 'account', charges_enabled: true });
  });

  it('names an unknown object, an unknown parameter, a missing one and a wrong one', async () => {
    const sdk = bench.sdk();
    expect(await errorOf(sdk.paymentIntents.retrieve('pi_none'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      param: 'intent',
    });
    const codes = async (form: Record<string, string>) => {
      const { status, text } = await bench.send('POST', 'payment_intents', { form });
      const { error } = JSON.parse(text) as { error: { code?: string; param?: string } };
      return [status, error.code, error.param];
    };
    expect(await codes({ amount: '100', currency: 'brl', color: 'red' })).toEqual([
      400,
      'parameter_unknown',
      'color',
    ]);
    expect(await codes({ currency: 'brl' })).toEqual([400, 'parameter_missing', 'amount']);
    expect(await codes({ amount: '1.5', currency: 'brl' })).toEqual([
      400,
      'parameter_invalid_integer',
      'amount',
    ]);
  });

  it.each([
    [49, 'brl', 'amount_too_small'],
    [100_000_000, 'brl', 'amount_too_large'],
    [49, 'jpy', 'amount_too_small'],
    [150, 'isk', undefined],
  ])('refuses an amount of %d %s, which is in the smallest unit', async (amount, currency, code) => {
    const error = await errorOf(newPayment().pay({ amount, currency }));
    expect(error).toMatchObject({ statusCode: 400, code, param: 'amount' });
  });

  it('takes an amount of a currency without decimals as it is', async () => {
    const payment = newPayment();
    expect(await payment.pay({ amount: 500, currency: 'jpy' })).toMatchObject({ amount_received: 500 });
    expect(await captured(payment)).toBe(500);
  });

  it('shows the charges of one account to no other', async () => {
    await bench.control.setUpAccount('sk_test_one', { account: 'one' });
    await bench.control.setUpAccount('sk_test_two', { account: 'two' });
    const one = bench.sdk('sk_test_one');
    const { id } = await new StripePayment(one).pay();
    expect(await one.paymentIntents.retrieve(id)).toMatchObject({ id });
    const two = bench.sdk('sk_test_two');
    expect(await errorOf(two.paymentIntents.retrieve(id))).toMatchObject({ statusCode: 404 });
    expect(await errorOf(two.refunds.create({ payment_intent: id }))).toMatchObject({
      code: 'resource_missing',
    });
    expect((await two.paymentIntents.list()).data).toEqual([]);
  });

  it('stores no card number and no security code', async () => {
    const payment = newPayment();
    await payment.pay();
    const form = {
      ...{ amount: '500', currency: 'usd', confirm: 'true', 'payment_method_data[type]': 'card' },
      ...{ 'payment_method_data[card][number]': CARDS.approved, 'payment_method_data[card][cvc]': '987' },
      ...{ 'payment_method_data[card][exp_month]': '12', 'payment_method_data[card][exp_year]': '2040' },
    };
    expect((await bench.send('POST', 'payment_intents', { form })).status).toBe(200);
    expect(bench.dataOnDisk()).not.toMatch(/4000000000000010|cvc|cvv/);
  });
});
