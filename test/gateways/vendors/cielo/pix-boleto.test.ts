import { CieloBench, CieloSale } from './cielo-bench';

let bench: CieloBench;
beforeAll(async () => {
  bench = await CieloBench.start();
});
afterAll(() => bench.stop());

const newSale = () => new CieloSale(bench);
const shown = async (id: string) => (await bench.query(`sales/${id}`)).body.Payment;

describe('a pix at the fake of Cielo', () => {
  it('is pending for two hours, whatever is asked, and confirmed when it is paid', async () => {
    const sale = newSale();
    const { status, body } = await sale.pix();
    expect([status, body.Payment]).toMatchObject([201, { Status: 12, ReturnCode: '0' }]);
    expect(body.Payment.QrCodeString).toMatch(/^000201/);
    const asked = await bench.post('sales/', sale.body({ Type: 'Pix', QrCodeExpiration: 60 }));
    expect(asked).toMatchObject({ status: 400, body: [{ Code: 184 }] });
    await bench.control.pay(sale.transactionId);
    expect(await shown(body.Payment.PaymentId)).toMatchObject({
      Status: 2,
      CapturedAmount: 15_700,
      EndToEndId: expect.stringMatching(/^E/) as string,
    });
    const [notification] = await bench.notifications(body.Payment.PaymentId, 1);
    expect(JSON.parse(String(notification?.body))).toEqual({
      PaymentId: body.Payment.PaymentId,
      ChangeType: 1,
    });
    expect(notification?.headers['x-merchant-token']).toBe('token-of-the-notification');
  });

  it('is refunded later, and says so by a notification', async () => {
    const sale = newSale();
    const { PaymentId } = (await sale.pix()).body.Payment;
    expect((await bench.put(`sales/${PaymentId}/void`)).body).toMatchObject([{ Code: 309 }]);
    await bench.control.pay(sale.transactionId);
    await bench.control.script({ transaction_id: sale.transactionId }, { pending_then: 'executed' });
    const { body } = await bench.put(`sales/${PaymentId}/void?amount=700`);
    expect(body).toMatchObject({ Status: 12, ReturnCode: '0', ReasonCode: 0 });
    expect(await shown(PaymentId)).toMatchObject({ Status: 2 });
    expect((await bench.put(`sales/${PaymentId}/void?amount=700`)).body).toMatchObject({ ReturnCode: '223' });
    expect((await bench.put(`sales/${PaymentId}/void?amount=1`)).body).toMatchObject({ ReturnCode: '476' });
    await bench.control.finishOperation(sale.transactionId);
    expect(await shown(PaymentId)).toMatchObject({ Status: 2, VoidedAmount: 700 });
    await bench.control.script({ transaction_id: sale.transactionId }, { pending_then: 'executed' });
    await bench.put(`sales/${PaymentId}/void`);
    await bench.control.finishOperation(sale.transactionId);
    expect(await shown(PaymentId)).toMatchObject({ Status: 11, VoidedAmount: 15_700 });
    expect(await bench.notifications(PaymentId, 3)).toHaveLength(3);
  });

  it('whose refund is refused stays confirmed, and the notification says so', async () => {
    const sale = newSale();
    const { PaymentId } = (await sale.pix()).body.Payment;
    await bench.control.pay(sale.transactionId);
    await bench.control.script({ transaction_id: sale.transactionId }, { pending_then: 'refused' });
    await bench.put(`sales/${PaymentId}/void`);
    await bench.control.finishOperation(sale.transactionId);
    expect(await shown(PaymentId)).toMatchObject({ Status: 2, CapturedAmount: 15_700 });
    const [, last] = await bench.notifications(PaymentId, 2);
    expect(JSON.parse(String(last?.body))).toMatchObject({ ChangeType: 5 });
  });

  it('needs the payer’s name and document, and an account that has pix', async () => {
    const sale = newSale();
    const nameless = sale.body({ Type: 'Pix' }, { Identity: '52998224725', IdentityType: 'CPF' });
    expect(await bench.post('sales/', nameless)).toMatchObject({ status: 400, body: [{ Code: 105 }] });
    const anonymous = sale.body({ Type: 'Pix' }, { Name: 'Ana Lima' });
    expect(await bench.post('sales/', anonymous)).toMatchObject({ status: 400, body: [{ Code: 104 }] });
    await bench.control.script({ transaction_id: sale.transactionId }, { lacks: 'pix' });
    expect(await sale.pix()).toMatchObject({
      status: 201,
      body: { Payment: { Status: 13, ReturnCode: '422', ReturnMessage: 'Error on Merchant Integration' } },
    });
    expect((await bench.query(`sales?merchantOrderId=${sale.order}`)).status).toBe(404);
  });
});

describe('a boleto at the fake of Cielo', () => {
  it('has the status 1 until it is paid, has a line and a barcode, and cannot be voided', async () => {
    const sale = newSale();
    const { status, body } = await bench.post('sales/', sale.boletoBody());
    const { PaymentId } = body.Payment;
    expect([status, body.Payment]).toMatchObject([
      201,
      {
        Status: 1,
        BarCodeNumber: expect.stringMatching(/^\d{44}$/) as string,
        DigitableLine: expect.stringMatching(/^[\d. ]+$/) as string,
        Instructions: 'Até o vencimento',
      },
    ]);
    expect(body.Payment.Links.map(({ Rel }) => Rel)).toEqual(['self']);
    expect((await bench.put(`sales/${PaymentId}/void`)).body).toMatchObject([{ Code: 310 }]);
    await bench.control.pay(sale.transactionId);
    expect(await shown(PaymentId)).toMatchObject({ Status: 2, CapturedAmount: 15_700 });
  });

  it.each<[string, object, number]>([
    ['another bank', { Provider: 'Itau' }, 133],
    ['no day', { ExpirationDate: undefined }, 184],
    ['long instructions', { Instructions: 'x'.repeat(256) }, 161],
  ])('with %s is refused', async (_, payment, Code) => {
    const body = newSale().boletoBody(payment);
    expect(await bench.post('sales/', body)).toMatchObject({ status: 400, body: [{ Code }] });
  });

  it('needs an address and, at Bradesco, an order of 27 characters at most', async () => {
    const sale = newSale();
    const { Payment } = sale.boletoBody() as { readonly Payment: object };
    const homeless = sale.body(Payment, { Name: 'Ana Lima', Identity: '52998224725' });
    expect(await bench.post('sales/', homeless)).toMatchObject({ status: 400, body: [{ Code: 197 }] });
    const long = { ...sale.boletoBody(), MerchantOrderId: 'a'.repeat(28) };
    expect(await bench.post('sales/', long)).toMatchObject({ status: 400, body: [{ Code: 122 }] });
  });
});
