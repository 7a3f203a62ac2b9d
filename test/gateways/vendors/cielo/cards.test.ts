import { randomUUID } from 'node:crypto';
import { card, CieloBench, CieloSale } from './cielo-bench';

let bench: CieloBench;
beforeAll(async () => {
  bench = await CieloBench.start();
});
afterAll(() => bench.stop());

const newSale = () => new CieloSale(bench);
const shown = async (id: string) => (await bench.query(`sales/${id}`)).body.Payment;

describe('cards at the fake of Cielo', () => {
  it('are captured at once, and the query host shows the same sale', async () => {
    const sale = newSale();
    const { status, body } = await sale.pay();
    expect([status, body.Payment]).toMatchObject([
      201,
      {
        Status: 2,
        ReturnCode: '6',
        CapturedAmount: 15_700,
        IssuerTransactionId: expect.stringMatching(/./) as string,
      },
    ]);
    expect(body.MerchantOrderId).toBe(sale.order);
    expect(await shown(body.Payment.PaymentId)).toEqual(body.Payment);
    expect(await bench.query(`sales?merchantOrderId=${sale.order}`)).toMatchObject({
      status: 200,
      body: { Payment: [{ PaymentId: body.Payment.PaymentId }] },
    });
    expect(await sale.totals()).toMatchObject({ captured: 15_700 });
  });

  it('are authorized, captured in part and once, and voided in parts and to the end', async () => {
    const sale = newSale();
    const { body } = await sale.pay({ Capture: false });
    expect(body.Payment).toMatchObject({ Status: 1, ReturnCode: '4' });
    const path = `sales/${body.Payment.PaymentId}`;
    expect(body.Payment.Links.map(({ Rel }) => Rel)).toEqual(['self', 'capture', 'void']);
    expect((await bench.put(`${path}/void?amount=1`)).body).toMatchObject([{ Code: 309 }]);
    expect((await bench.put(`${path}/capture?amount=15701`)).body).toMatchObject([{ Code: 308 }]);
    expect((await bench.put(`${path}/capture?amount=10000`)).body).toMatchObject({
      Status: 2,
      ReturnCode: '6',
    });
    expect((await bench.put(`${path}/capture`)).body).toMatchObject([{ Code: 308 }]);
    expect((await bench.put(`${path}/void?Amount=4000`)).body).toMatchObject({ Status: 2, ReturnCode: '0' });
    expect(await shown(body.Payment.PaymentId)).toMatchObject({
      Status: 2,
      CapturedAmount: 10_000,
      VoidedAmount: 4_000,
    });
    expect((await bench.put(`${path}/void?amount=6001`)).body).toMatchObject({
      Status: 2,
      ReturnCode: '102',
    });
    expect((await bench.put(`${path}/void`)).body).toMatchObject({ Status: 10, ReturnCode: '9' });
    expect(await shown(body.Payment.PaymentId)).toMatchObject({ Status: 10, VoidedAmount: 10_000 });
    expect((await bench.put(`${path}/void`)).body).toMatchObject([{ Code: 309 }]);
    expect(await sale.totals()).toMatchObject({ captured: 10_000, refunded: 10_000, held: 0 });
  });

  it('are released by a void before the capture', async () => {
    const sale = newSale();
    const { body } = await sale.pay({ Capture: 'false' });
    const { body: voided } = await bench.put(`sales/${body.Payment.PaymentId}/void`);
    expect(voided).toMatchObject({ Status: 10, ReturnCode: '9', ReasonCode: 0 });
    expect(await shown(body.Payment.PaymentId)).toMatchObject({ Status: 10, VoidedAmount: 15_700 });
    expect(await sale.totals()).toMatchObject({ authorized: 15_700, held: 0 });
  });

  it.each([
    ['4000000000009995', '51'],
    ['4000000000000051', 'BP171'],
    ['4111111111111152', '05'],
    ['4111111111111145', '78'],
  ])('with the number %s are denied with %s, and stay so', async (number, ReturnCode) => {
    const { status, body } = await newSale().pay({}, number);
    expect([status, body.Payment]).toMatchObject([201, { Status: 3, ReturnCode }]);
    expect(await shown(body.Payment.PaymentId)).toMatchObject({ Status: 3, ReturnCode });
  });

  it('are denied with Mastercard’s advice without a leading zero', async () => {
    const { body } = await newSale().pay({}, '5100000000000503');
    expect(body.Payment).toMatchObject({ Status: 3, ReturnCode: '05', MerchantAdviceCode: '3' });
  });

  it.each([
    [{}, { initiator: 'customer', reason: 'one_off' }],
    [
      { Usage: 'First', Reason: 'Unscheduled' },
      { initiator: 'customer', reason: 'first_saved' },
    ],
    [
      { Usage: 'First', Reason: 'Recurring' },
      { initiator: 'customer', reason: 'first_recurring' },
    ],
    [
      { Usage: 'Used', Reason: 'Unscheduled' },
      { initiator: 'customer', reason: 'saved_card' },
    ],
    [
      { Usage: 'Used', Reason: 'Recurring', id: '580027442382078' },
      { initiator: 'merchant', reason: 'recurring' },
    ],
    [
      { Usage: 'Used', Reason: 'Unscheduled', id: '580027442382078' },
      { initiator: 'merchant', reason: 'unscheduled' },
    ],
    [
      { Usage: 'Used', Reason: 'Unscheduled', Category: 'M1' },
      { initiator: 'merchant', reason: 'unscheduled' },
    ],
  ])(
    'with %j are a charge of %j',
    async ({ id, Category, ...onFile }: Record<string, string>, initiation) => {
      const sale = newSale();
      const stored = Object.keys(onFile).length === 0 ? {} : { CardOnFile: onFile };
      const { status } = await sale.pay({
        CreditCard: card(undefined, stored),
        ...(id !== undefined && { IssuerTransactionId: id }),
        ...(Category !== undefined && {
          InitiatedTransactionIndicator: { Category, Subcategory: 'CredentialsOnFile' },
        }),
      });
      expect(status).toBe(201);
      const [request] = await bench.control.requests(sale.transactionId);
      expect(request?.initiation).toMatchObject(initiation);
      if (id !== undefined)
        expect(request?.initiation).toMatchObject({ network_ids: { network_transaction_id: id } });
    },
  );

  it('are verified without money, by the id of the request', async () => {
    const requestid = randomUUID();
    const headers = { requestid };
    const first = { CardOnFile: { Usage: 'First', Reason: 'Recurring' } };
    const valid = await bench.post('zeroauth', card(undefined, first), { headers });
    expect(valid).toMatchObject({ status: 200, body: { Valid: true, ReturnCode: '00' } });
    expect(await bench.control.requests(requestid)).toMatchObject([
      { operation: 'verify', initiation: { initiator: 'customer', reason: 'first_recurring' } },
    ]);
    const denied = await bench.post('zeroauth', card('4000000000009995'), { headers });
    expect(denied.body).toMatchObject({ Valid: false, ReturnCode: '51' });
    const hipercard = await bench.post('zeroauth', card(undefined, { Brand: 'Hipercard' }));
    expect(hipercard).toMatchObject({ status: 400, body: { Code: 57 } });
    expect((await bench.control.ledger(requestid)).entries).toEqual([]);
  });
});

describe('a sale that Cielo’s manual does not allow', () => {
  it.each<[string, object, number]>([
    ['a currency', { Currency: 'USD' }, 110],
    ['no installments', { Installments: 0 }, 123],
    ['an amount of nothing', { Amount: 0 }, 108],
    ['installments of a recurrence', { Recurrent: true, Installments: 2 }, 186],
    ['another kind of payment', { Type: 'DebitCard' }, 173],
    ['a letter in the number', { CreditCard: card('41111111111x1111') }, 177],
    ['a number that is too long', { CreditCard: card('4'.repeat(20)) }, 128],
    ['an accent in the name', { CreditCard: card(undefined, { Holder: 'ANDRÉ' }) }, 214],
    ['an expiry of two digits', { CreditCard: card(undefined, { ExpirationDate: '12/30' }) }, 126],
    ['an unknown brand', { CreditCard: card(undefined, { Brand: 'visa' }) }, 182],
    ['no card', { CreditCard: undefined }, 124],
    ['an unknown field', { Capturar: true }, 184],
  ])('for %s is refused with its code', async (_, payment, Code) => {
    const sale = newSale();
    expect(await sale.pay(payment)).toMatchObject({ status: 400, body: [{ Code }] });
    expect((await bench.query(`sales?merchantOrderId=${sale.order}`)).status).toBe(404);
  });

  it('for an order with other characters than letters and digits is refused', async () => {
    const sale = newSale();
    const body = { ...sale.cardBody(), MerchantOrderId: sale.reference };
    expect(await bench.post('sales', body)).toMatchObject({ status: 400, body: [{ Code: 122 }] });
  });
});
