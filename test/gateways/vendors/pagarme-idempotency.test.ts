import { randomUUID } from 'node:crypto';
import { waitFor } from '../../support/stack/wait-for';
import { CARDS, chargeOf, PagarmeBench, PagarmePayment } from './pagarme-bench';

let bench: PagarmeBench;
beforeAll(async () => {
  bench = await PagarmeBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new PagarmePayment(bench);

describe('an idempotency key at the fake of Pagar.me', () => {
  it('stands for one order, also with another body', async () => {
    const payment = newPayment();
    const key = randomUUID();
    const first = await payment.pay(CARDS.approved, {}, { key });
    expect(await payment.pay(CARDS.approved, {}, { key })).toEqual(first);
    expect(await payment.pay(CARDS.approved, { installments: 3 }, { key })).toEqual(first);
    expect(await payment.captured()).toBe(10_000);
  });

  it('repeats the result of a refused card and of a refund, and is case-sensitive', async () => {
    const refused = newPayment();
    const key = `key-${randomUUID()}`;
    const first = await refused.pay(CARDS.noFunds, {}, { key });
    expect(await refused.pay(CARDS.approved, {}, { key })).toEqual(first);
    expect((await refused.pay(CARDS.approved, {}, { key: key.toUpperCase() })).body).toMatchObject({
      status: 'paid',
    });
    const payment = newPayment();
    const path = `charges/${chargeOf(await payment.pay()).id}`;
    const refund = () => bench.send('DELETE', path, { amount: 1_000 }, { key: `${payment.code}-refund` });
    const refunded = await refund();
    expect(await refund()).toEqual(refunded);
    expect(await payment.refunded()).toBe(1_000);
  });

  it('repeats the answer as it was after later changes and a restart, but without the customer’s data', async () => {
    const payment = newPayment();
    const key = randomUUID();
    const first = await payment.pay(CARDS.approved, {}, { key });
    await bench.send('DELETE', `charges/${chargeOf(first).id}`);
    await bench.restart();
    const again = await payment.pay(CARDS.approved, {}, { key });
    expect(again.body).toMatchObject({ id: first.body.id, status: 'paid', customer: { name: '' } });
    expect(chargeOf(again).last_transaction).toEqual(chargeOf(first).last_transaction);
  });

  it('is free again after an invalid request and after an error of Pagar.me', async () => {
    const payment = newPayment();
    const key = randomUUID();
    expect((await payment.pay('4000000000000011', {}, { key })).status).toBe(422);
    await bench.control.script({ transaction_id: payment.transactionId }, { status: 500 });
    expect((await payment.pay(CARDS.approved, {}, { key })).status).toBe(500);
    expect((await payment.pay(CARDS.approved, {}, { key })).body).toMatchObject({ status: 'paid' });
  });

  it('is answered with 409 while its first request is in progress', async () => {
    const payment = newPayment();
    const key = randomUUID();
    await bench.control.script({ transaction_id: payment.transactionId }, { delay_ms: 1_000 });
    const first = payment.pay(CARDS.approved, {}, { key });
    await waitFor(async () => (await bench.control.requests(payment.transactionId)).length === 1, {
      what: 'the first request',
    });
    expect(await payment.pay(CARDS.approved, {}, { key })).toMatchObject({ status: 409 });
    expect((await first).body).toMatchObject({ status: 'paid' });
  });

  it('is ignored if a script says so', async () => {
    const payment = newPayment();
    const key = randomUUID();
    await payment.pay(CARDS.approved, {}, { key });
    await bench.control.script({ transaction_id: payment.transactionId }, { ignore_idempotency: true });
    await payment.pay(CARDS.approved, {}, { key });
    expect(await payment.captured()).toBe(20_000);
  });
});
