import { waitFor } from '../../support/stack/wait-for';
import { type Answer, BOLETO, chargeOf, PagarmeBench, PagarmePayment, PIX } from './pagarme-bench';

let bench: PagarmeBench;
beforeAll(async () => {
  bench = await PagarmeBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new PagarmePayment(bench);
const show = (answer: Answer): Promise<Answer> => bench.get(`charges/${chargeOf(answer).id}`);

describe('a pix at the fake of Pagar.me', () => {
  it('waits with a code to copy until it is paid, and then has an end-to-end id', async () => {
    const payment = newPayment();
    const created = await payment.create(PIX);
    expect(created).toMatchObject({ status: 200, body: { status: 'pending' } });
    const { last_transaction: last } = chargeOf(created);
    expect(last).toMatchObject({ transaction_type: 'pix', status: 'waiting_payment', success: true });
    expect(last.qr_code).toMatch(/^000201/);
    expect(Date.parse(last.expires_at ?? '') - Date.now()).toBeGreaterThan(3_500_000);
    await bench.control.pay(payment.transactionId);
    expect((await show(created)).body).toMatchObject({
      status: 'paid',
      paid_amount: 10_000,
      last_transaction: {
        id: last.id,
        status: 'paid',
        end_to_end_id: expect.stringMatching(/^E\w{31}$/) as string,
      },
    });
  });

  it('stays pending after its expiry, and is paid after it', async () => {
    const payment = newPayment();
    const created = await payment.create({ payment_method: 'pix', pix: { expires_in: 1 } });
    const isOver = async () => (await bench.control.ledger(payment.transactionId)).entries;
    await waitFor(async () => (await isOver()).some(({ kind }) => kind === 'expired'));
    expect((await show(created)).body).toMatchObject({
      status: 'pending',
      last_transaction: { status: 'waiting_payment' },
    });
    await bench.control.pay(payment.transactionId);
    expect((await show(created)).body).toMatchObject({
      status: 'paid',
      last_transaction: { status: 'paid' },
    });
  });

  it('is not canceled before it is paid', async () => {
    const created = await newPayment().create(PIX);
    const answer = await bench.send('DELETE', `charges/${chargeOf(created).id}`);
    const message = 'This charge cannot be canceled because is pending.';
    expect(answer).toMatchObject({ status: 412, body: { message } });
    expect((await show(created)).body).toMatchObject({ status: 'pending' });
  });

  it('has a refund that is pending until the money is back', async () => {
    const payment = newPayment();
    const created = await payment.create(PIX);
    await bench.control.pay(payment.transactionId);
    const refund = await bench.send('DELETE', `charges/${chargeOf(created).id}`, { amount: 4_000 });
    const pending = { status: 'paid', last_transaction: { status: 'pending_refund', amount: 4_000 } };
    expect(refund).toMatchObject({ status: 200, body: pending });
    expect(refund.body).not.toHaveProperty('canceled_amount');
    await bench.control.finishOperation(payment.transactionId);
    expect((await show(created)).body).toMatchObject({
      status: 'paid',
      canceled_amount: 4_000,
      last_transaction: { status: 'partial_refunded' },
    });
    expect(await payment.refunded()).toBe(4_000);
  });

  it('keeps its money if its refund is refused later', async () => {
    const payment = newPayment();
    const created = await payment.create(PIX);
    await bench.control.pay(payment.transactionId);
    await bench.control.script({ transaction_id: payment.transactionId }, { pending_then: 'refused' });
    await bench.send('DELETE', `charges/${chargeOf(created).id}`);
    await bench.control.finishOperation(payment.transactionId);
    expect((await show(created)).body).toMatchObject({
      status: 'paid',
      paid_amount: 10_000,
      last_transaction: { status: 'failed', success: false },
    });
    expect(await payment.refunded()).toBe(0);
  });

  it('is underpaid until the rest comes, and overpaid after more', async () => {
    const payment = newPayment();
    const created = await payment.create(PIX);
    for (const [cents, status] of [
      [9_000, 'underpaid'],
      [1_000, 'paid'],
      [500, 'overpaid'],
    ] as const) {
      await bench.control.pay(payment.transactionId, cents);
      expect((await show(created)).body).toMatchObject({ status, last_transaction: { status } });
    }
  });

  it('needs an expiry of at most ten years', async () => {
    for (const pix of [{}, { expires_in: 400_000_000 }]) {
      const answer = await newPayment().create({ payment_method: 'pix', pix });
      expect(answer).toMatchObject({ status: 422, body: { message: 'The request is invalid.' } });
      expect(answer.text).toContain('order.payments[0].pix.expires_in');
    }
  });
});

describe('a boleto at the fake of Pagar.me', () => {
  it('has a line with dots and addresses of its images, and is paid', async () => {
    const payment = newPayment();
    const created = await payment.create(BOLETO);
    expect(chargeOf(created)).toMatchObject({
      status: 'pending',
      due_at: '2040-09-20T23:59:59Z',
      last_transaction: {
        transaction_type: 'boleto',
        status: 'generated',
        document_number: '123',
        max_days_to_pay_past_due: 5,
        barcode: expect.stringMatching(/^http.*\/barcode$/) as string,
      },
    });
    const { line } = chargeOf(created).last_transaction;
    expect(line).toMatch(/^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/);
    await bench.control.pay(payment.transactionId);
    expect((await show(created)).body).toMatchObject({
      status: 'paid',
      last_transaction: { status: 'paid', paid_amount: '10000' },
    });
  });

  it('expires when it is due, or as many days later as the order says', async () => {
    const due_at = new Date(Date.now() - 36 * 60 * 60 * 1000).toISOString();
    const boletoWith = (max_days_to_pay_past_due: number) =>
      newPayment().create({ payment_method: 'boleto', boleto: { due_at, max_days_to_pay_past_due } });
    const open = await boletoWith(5);
    const over = await boletoWith(0);
    await waitFor(async () => {
      expect((await show(over)).body).toMatchObject({ last_transaction: { status: 'expired' } });
      return true;
    });
    expect((await show(open)).body).toMatchObject({ last_transaction: { status: 'generated' } });
  });

  it('is refunded to a bank account only, and pending until then', async () => {
    const payment = newPayment();
    const path = `charges/${chargeOf(await payment.create(BOLETO)).id}`;
    await bench.control.pay(payment.transactionId);
    expect(await bench.send('DELETE', path)).toMatchObject({ status: 412 });
    const bank_account = {
      ...{ holder_name: 'Tony Stark', holder_type: 'individual', holder_document: '01234567890' },
      ...{ bank: '341', branch_number: '1234', branch_check_digit: '6', type: 'checking' },
      ...{ account_number: '12345', account_check_digit: '6' },
    };
    expect((await bench.send('DELETE', path, { bank_account })).body).toMatchObject({
      status: 'paid',
      last_transaction: { status: 'pending_refund' },
    });
    await bench.control.finishOperation(payment.transactionId);
    expect((await bench.get(path)).body).toMatchObject({
      status: 'canceled',
      canceled_amount: 10_000,
      last_transaction: { status: 'refunded' },
    });
    expect(bench.dataOnDisk()).not.toContain('12345-6');
  });
});
