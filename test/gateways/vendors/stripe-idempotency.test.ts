import { randomUUID } from 'node:crypto';
import { waitFor } from '../../support/stack/wait-for';
import { CARDS, errorOf, StripeBench, StripePayment } from './stripe-bench';

let bench: StripeBench;
beforeAll(async () => {
  bench = await StripeBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new StripePayment(bench.sdk());
const replayed = ({ lastResponse }: { lastResponse: { headers: Record<string, string> } }) =>
  new Headers(lastResponse.headers).get('idempotent-replayed');

describe('an idempotency key at the fake of Stripe', () => {
  it('repeats the first answer with the header that says so, and charges once', async () => {
    const payment = newPayment();
    const key = randomUUID();
    const payment_method = await payment.method();
    const first = await payment.pay({ payment_method }, { key });
    const again = await payment.pay({ payment_method }, { key });
    expect(replayed(first)).toBeNull();
    expect(replayed(again)).toBe('true');
    expect(again).toEqual(first);
    expect((await bench.control.ledger(payment.transactionId)).totals.captured).toBe(10_000);
  });

  it('repeats an answer after a restart and after later changes of the charge', async () => {
    const payment = newPayment();
    const key = randomUUID();
    const payment_method = await payment.method();
    const first = await payment.pay({ payment_method }, { key });
    await bench.sdk().refunds.create({ payment_intent: first.id });
    await bench.restart();
    const again = await payment.pay({ payment_method }, { key });
    expect(again).toEqual(first);
  });

  it('repeats a decline', async () => {
    const payment = newPayment();
    const key = randomUUID();
    const payment_method = await payment.method(CARDS.noFunds);
    const first = await errorOf(payment.pay({ payment_method }, { key }));
    const again = await errorOf(payment.pay({ payment_method }, { key }));
    expect(again.payment_intent?.id).toBe(first.payment_intent?.id);
    expect(again.headers?.['idempotent-replayed']).toBe('true');
  });

  it('repeats a 500 even though nothing was charged, but not a 503, a 429 or invalid parameters', async () => {
    const payment = newPayment();
    const match = { transaction_id: payment.transactionId };
    const payment_method = await payment.method();
    const key = randomUUID();
    await bench.control.script(match, { status: 500 });
    for (const header of [undefined, 'true']) {
      const error = await errorOf(payment.pay({ payment_method }, { key }));
      expect(error).toMatchObject({ statusCode: 500, type: 'StripeAPIError' });
      expect(error.headers?.['idempotent-replayed']).toBe(header);
    }
    const other = randomUUID();
    await bench.control.script(match, { status: 503 });
    await errorOf(payment.pay({ payment_method }, { key: other }));
    await bench.control.script(match, { status: 429 });
    expect((await errorOf(payment.pay({ payment_method }, { key: other }))).type).toBe(
      'StripeRateLimitError',
    );
    await errorOf(payment.pay({ payment_method, amount: -1 }, { key: other }));
    expect(await payment.pay({ payment_method }, { key: other })).toMatchObject({ status: 'succeeded' });
  });

  it('is refused for other parameters and for another endpoint', async () => {
    const payment = newPayment();
    const key = randomUUID();
    const payment_method = await payment.method();
    const { id: payment_intent } = await payment.pay({ payment_method }, { key });
    const refused = { statusCode: 400, type: 'StripeIdempotencyError' };
    expect(await errorOf(payment.pay({ payment_method, amount: 9_999 }, { key }))).toMatchObject(refused);
    const refund = bench.sdk().refunds.create({ payment_intent }, { idempotencyKey: key });
    expect(await errorOf(refund)).toMatchObject(refused);
  });

  it('is answered with 409 while its first request is in progress', async () => {
    const slow = newPayment();
    const key = randomUUID();
    const payment_method = await slow.method();
    await bench.control.script({ transaction_id: slow.transactionId }, { delay_ms: 1_000 });
    const first = slow.pay({ payment_method }, { key });
    await waitFor(async () => (await bench.control.requests(slow.transactionId)).length === 1, {
      what: 'the first request',
    });
    const conflict = await errorOf(slow.pay({ payment_method }, { key }));
    expect(conflict).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    expect(await first).toMatchObject({ status: 'succeeded' });
  });

  it('is ignored if a script says so', async () => {
    const payment = newPayment();
    const key = randomUUID();
    await payment.pay({}, { key });
    await bench.control.script({ transaction_id: payment.transactionId }, { ignore_idempotency: true });
    await payment.pay({}, { key });
    expect((await bench.control.ledger(payment.transactionId)).totals.captured).toBe(20_000);
  });
});
