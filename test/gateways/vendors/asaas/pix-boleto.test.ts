import { getBoletoInfo } from '@brazilian-utils/brazilian-utils/get-boleto-info';
import { AsaasBench, AsaasPayment, dayFromNow, WEBHOOK_TOKEN } from './asaas-bench';

let bench: AsaasBench;
beforeAll(async () => {
  bench = await AsaasBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new AsaasPayment(bench);
const names = async (payment: AsaasPayment, count: number) =>
  (await bench.events(payment.reference, count)).map(({ event }) => event.event);

describe('a pix at the fake of Asaas', () => {
  it('has a code until 12 months after its due date, and is received when it is paid', async () => {
    const payment = newPayment();
    const { body } = await payment.create('PIX');
    expect(body).toMatchObject({ status: 'PENDING', pixTransaction: null, netValue: 98.01 });
    const code = (await bench.get(`payments/${body.id}/pixQrCode`)).body;
    const year = Number(dayFromNow(3).slice(0, 4)) + 1;
    expect(code).toMatchObject({
      payload: expect.stringMatching(/^000201/) as string,
      expirationDate: `${year}${dayFromNow(3).slice(4)} 23:59:59`,
    });
    await bench.control.pay(payment.transactionId);
    const paid = (await bench.get(`payments/${body.id}`)).body;
    expect(paid).toMatchObject({ status: 'RECEIVED', pixTransaction: expect.any(String) as string });
    const { pixTransaction } = paid as unknown as { pixTransaction: string };
    expect((await bench.get(`pix/transactions/${pixTransaction}`)).body).toMatchObject({
      endToEndIdentifier: expect.stringMatching(/^E99999999/) as string,
      value: 100,
      payment: body.id,
    });
    expect(await names(payment, 2)).toEqual(['PAYMENT_CREATED', 'PAYMENT_RECEIVED']);
  });

  it('is refunded in parts only after it is paid', async () => {
    const payment = newPayment();
    const { body } = await payment.create('PIX');
    const refund = (value?: number) => bench.post(`payments/${body.id}/refund`, { value });
    const description = 'Somente é possível estornar cobranças recebidas ou confirmadas.';
    expect((await refund()).body.errors).toEqual([{ code: 'invalid_object', description }]);
    await bench.control.pay(payment.transactionId);
    expect((await refund(30)).body).toMatchObject({ status: 'RECEIVED', refunds: [{ value: 30 }] });
    expect((await refund(70)).body).toMatchObject({ status: 'REFUNDED' });
    expect(await payment.totals()).toMatchObject({ refunded: 10_000 });
    expect(await names(payment, 4)).toEqual([
      'PAYMENT_CREATED',
      'PAYMENT_RECEIVED',
      'PAYMENT_PARTIALLY_REFUNDED',
      'PAYMENT_REFUNDED',
    ]);
  });

  it.each([
    ['executed', 'DONE', 'REFUNDED', 'PAYMENT_REFUNDED'],
    ['refused', 'CANCELLED', 'RECEIVED', 'PAYMENT_REFUND_DENIED'],
  ] as const)('has a refund in progress until it is %s', async (then, refund, status, event) => {
    const payment = newPayment();
    const { body } = await payment.paid('PIX');
    const { transactionId } = payment;
    await bench.control.script(
      { transaction_id: transactionId, operation: 'refund' },
      { pending_then: then },
    );
    const started = await bench.post(`payments/${body.id}/refund`, {});
    expect(started.body).toMatchObject({ status: 'REFUND_IN_PROGRESS', refunds: [{ status: 'PENDING' }] });
    await bench.control.finishOperation(transactionId);
    expect((await bench.get(`payments/${body.id}`)).body).toMatchObject({
      status,
      refunds: [{ status: refund }],
    });
    expect((await names(payment, 4)).slice(2)).toEqual(['PAYMENT_REFUND_IN_PROGRESS', event]);
  });

  it('that is removed is in no list and marked as deleted', async () => {
    const payment = newPayment();
    const { body } = await payment.create('PIX');
    const removed = await bench.send('DELETE', `payments/${body.id}`);
    expect(removed.body).toEqual({ deleted: true, id: body.id });
    expect((await bench.get(`payments/${body.id}`)).body).toMatchObject({ status: 'PENDING', deleted: true });
    expect((await bench.get(`payments?externalReference=${payment.reference}`)).body.data).toEqual([]);
    expect(await bench.send('DELETE', `payments/${body.id}`)).toMatchObject({ status: 400 });
    expect(await names(payment, 2)).toEqual(['PAYMENT_CREATED', 'PAYMENT_DELETED']);
  });

  it('cannot be removed after it is paid', async () => {
    const payment = newPayment();
    const { body } = await payment.paid('PIX');
    expect(await bench.send('DELETE', `payments/${body.id}`)).toMatchObject({ status: 400 });
    expect(await payment.totals()).toMatchObject({ captured: 10_000 });
  });
});

describe('a boleto at the fake of Asaas', () => {
  it('has a line with its amount and due date, a page, and is received when it is paid', async () => {
    const payment = newPayment();
    const { body } = await payment.create('BOLETO', { daysAfterDueDateToRegistrationCancellation: 5 });
    expect(body).toMatchObject({ status: 'PENDING', billingType: 'BOLETO', dueDate: dayFromNow(3) });
    const codes = (await bench.get(`payments/${body.id}/identificationField`)).body as unknown as {
      readonly identificationField: string;
      readonly barCode: string;
    };
    expect(getBoletoInfo(codes.identificationField)?.amount).toBe(10_000);
    expect(codes.barCode).toMatch(/^\d{44}$/);
    const { bankSlipUrl } = body as unknown as { bankSlipUrl: string };
    expect((await fetch(bankSlipUrl)).status).toBe(200);
    await bench.control.pay(payment.transactionId);
    expect((await bench.get(`payments/${body.id}/status`)).body).toEqual({ status: 'RECEIVED' });
  });

  it('is refunded on a page on which the payer names an account', async () => {
    const payment = newPayment();
    const { body } = await payment.paid('BOLETO');
    expect(await bench.post(`payments/${body.id}/refund`, {})).toMatchObject({ status: 400 });
    const { status, body: asked } = await bench.post(`payments/${body.id}/bankSlip/refund`, {});
    expect({ status, asked }).toEqual({ status: 200, asked: { requestUrl: expect.any(String) as string } });
    expect((await bench.get(`payments/${body.id}`)).body).toMatchObject({
      status: 'REFUND_REQUESTED',
      refunds: [{ status: 'AWAITING_CUSTOMER_EXTERNAL_AUTHORIZATION' }],
    });
    await bench.control.finishOperation(payment.transactionId);
    expect((await bench.get(`payments/${body.id}`)).body.status).toBe('REFUNDED');
    expect(await payment.totals()).toMatchObject({ refunded: 10_000 });
  });
});

describe('a webhook of the fake of Asaas', () => {
  it('has the token of the merchant and the payment as its inquiry shows it', async () => {
    const payment = newPayment();
    const { body } = await payment.pay();
    const webhooks = await bench.events(payment.reference, 2);
    expect(webhooks.map(({ event }) => event.event)).toEqual(['PAYMENT_CREATED', 'PAYMENT_CONFIRMED']);
    const [, confirmed] = webhooks;
    expect(confirmed?.headers['asaas-access-token']).toBe(WEBHOOK_TOKEN);
    expect(confirmed?.event).toMatchObject({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}&\d+$/) as string,
      payment: body,
    });
  });

  it('has another token if it is forged, and reports a chargeback', async () => {
    const payment = newPayment();
    await payment.pay();
    await bench.events(payment.reference, 2);
    await bench.control.sendCallbacks(payment.transactionId, { kind: 'chargeback', forge: true });
    const [, , forged] = await bench.events(payment.reference, 3);
    expect(forged?.event).toMatchObject({
      event: 'PAYMENT_CHARGEBACK_REQUESTED',
      payment: { status: 'CHARGEBACK_REQUESTED', chargeback: { status: 'REQUESTED', value: 100 } },
    });
    expect(forged?.headers['asaas-access-token']).not.toBe(WEBHOOK_TOKEN);
  });

  it('is not sent about a declined card, which leaves no payment', async () => {
    const payment = newPayment();
    await payment.pay('4000000000000002');
    const paid = newPayment();
    await paid.pay();
    await bench.events(paid.reference, 2);
    expect(await bench.events(payment.reference, 0)).toEqual([]);
  });
});
