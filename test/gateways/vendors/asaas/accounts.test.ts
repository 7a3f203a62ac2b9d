import { randomUUID } from 'node:crypto';
import { type Answer, AsaasBench, AsaasPayment, CARDS } from './asaas-bench';

let bench: AsaasBench;
beforeAll(async () => {
  bench = await AsaasBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new AsaasPayment(bench);

/** Valid documents: the last digits decide the status, as for all recipients of the simulator. */
const DOCUMENTS = { active: '52998224725', pending: '10000618500', refused: '10016699599' } as const;
const ACCOUNT = {
  name: 'Loja da Ana',
  email: 'loja@example.com',
  cpfCnpj: DOCUMENTS.active,
  birthDate: '1990-01-15',
  mobilePhone: '81988887777',
  incomeValue: 5_000,
  address: 'Rua das Flores',
  addressNumber: '12',
  province: 'Boa Vista',
  postalCode: '50060-000',
} as const;

const createAccount = (changes: object = {}): Promise<Answer> =>
  bench.post('accounts', { ...ACCOUNT, ...changes });

describe('a subaccount at the fake of Asaas', () => {
  it('has a wallet, and a key that is answered only once', async () => {
    const { status, body } = await createAccount({ name: `Loja ${randomUUID()}` });
    expect({ status, key: body.apiKey }).toEqual({
      status: 200,
      key: expect.stringMatching(/^\$aact_hmlg_/) as string,
    });
    const { apiKey: _, ...shown } = body;
    expect((await bench.get(`accounts/${body.id}`)).body).toEqual(shown);
    const listed = await bench.get(`accounts?cpfCnpj=52998224725&walletId=${body.walletId}`);
    expect(listed.body.data).toEqual([shown]);
  });

  it.each([
    ['active', 'APPROVED'],
    ['pending', 'PENDING'],
    ['refused', 'REJECTED'],
  ] as const)(
    'with the document of a recipient that is %s sees the status %s by its own key',
    async (kind, general) => {
      const { body } = await createAccount({ cpfCnpj: DOCUMENTS[kind] });
      expect((await bench.get('myAccount/status', { key: body.apiKey })).body).toMatchObject({
        id: body.id,
        general,
      });
    },
  );

  it.each(['incomeValue', 'mobilePhone', 'postalCode', 'address'])('is refused without %s', async (field) => {
    expect(await createAccount({ [field]: undefined })).toMatchObject({
      status: 400,
      body: { errors: [{ code: `invalid_${field}` }] },
    });
  });
});

describe('a split at the fake of Asaas', () => {
  const splitPayment = async (split: readonly object[], changes: object = {}) => {
    const payment = newPayment();
    return { payment, answer: await payment.pay(CARDS.approved, { split, ...changes }) };
  };
  const wallet = async () => (await createAccount()).body.walletId;

  it('is a fixed part or a percentage of the net value, and the rest stays with the account', async () => {
    const [first, second] = [await wallet(), await wallet()];
    const { payment, answer } = await splitPayment([
      { walletId: first, fixedValue: 20 },
      { walletId: second, percentualValue: 10, externalReference: 'second' },
    ]);
    expect(answer.body.split).toMatchObject([
      { walletId: first, fixedValue: 20, totalValue: 20, status: 'AWAITING_CREDIT' },
      { walletId: second, percentualValue: 10, totalValue: 9.65, externalReference: 'second' },
    ]);
    const { entries } = await bench.control.ledger(payment.transactionId);
    expect(entries.filter(({ kind }) => kind === 'split').map(({ amount }) => amount)).toEqual([2_000, 965]);
  });

  it('is given back by a full refund, and by a refund that names it', async () => {
    const { payment, answer } = await splitPayment([{ walletId: await wallet(), fixedValue: 20 }]);
    const path = `payments/${answer.body.id}/refund`;
    const splitRefunds = [{ id: answer.body.split?.[0]?.id, value: 5 }];
    expect(await bench.post(path, { value: 10, splitRefunds })).toMatchObject({ status: 200 });
    const { entries } = await bench.control.ledger(payment.transactionId);
    const refunded = entries.filter(({ kind }) => kind === 'refunded');
    expect(refunded.map(({ amount, recipient_id: id }) => [amount, id !== undefined])).toEqual([
      [500, true],
      [500, false],
    ]);
    const whole = await splitPayment([{ walletId: await wallet(), fixedValue: 20 }]);
    const after = await bench.post(`payments/${whole.answer.body.id}/refund`, {});
    expect(after.body.split).toMatchObject([{ status: 'REFUNDED' }]);
  });

  it('is refused above the net value, to an unknown wallet, twice to one wallet and to the own wallet', async () => {
    const one = await wallet();
    const own = (await bench.get('wallets')).body.data[0]?.id;
    const refused: readonly (readonly [readonly object[], RegExp])[] = [
      [[{ walletId: one, fixedValue: 96.53 }], /excede o valor líquido/],
      [[{ walletId: randomUUID(), fixedValue: 1 }], /Wallet inexistente/],
      [
        [
          { walletId: one, fixedValue: 1 },
          { walletId: one, fixedValue: 1 },
        ],
        /uma vez/,
      ],
      [[{ walletId: own, fixedValue: 1 }], /própria carteira/],
      [[{ walletId: one }], /split/],
    ];
    for (const [split, text] of refused) {
      const { payment, answer } = await splitPayment(split);
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0]?.description).toMatch(text);
      expect(await payment.totals()).toMatchObject({ captured: 0 });
    }
  });
});

describe('a payment in installments at the fake of Asaas', () => {
  const INSTALLMENTS = { installmentCount: 3, totalValue: 100 };

  it('is one installment with a payment for each part, which sum to the amount', async () => {
    const payment = newPayment();
    const { body } = await payment.pay(CARDS.approved, INSTALLMENTS);
    expect(body).toMatchObject({ value: 33.33, installmentNumber: 1 });
    const { data } = (await bench.get(`payments?externalReference=${payment.reference}`)).body;
    expect(data).toMatchObject([{ value: 33.33 }, { value: 33.33 }, { value: 33.34, installmentNumber: 3 }]);
    expect((await bench.get(`installments/${body.installment}`)).body).toMatchObject({
      value: 100,
      paymentValue: 33.33,
      installmentCount: 3,
    });
    expect((await bench.get(`installments/${body.installment}/payments`)).body.data).toEqual(data);
    const events = await bench.events(payment.reference, 6);
    expect(events.filter(({ event }) => event.event === 'PAYMENT_CONFIRMED')).toHaveLength(3);
    expect(await payment.totals()).toMatchObject({ captured: 10_000 });
  });

  it('is refunded payment by payment, and then as a whole', async () => {
    const payment = newPayment();
    const { body } = await payment.pay(CARDS.approved, INSTALLMENTS);
    expect((await bench.post(`payments/${body.id}/refund`, {})).body).toMatchObject({ status: 'REFUNDED' });
    expect(await payment.totals()).toMatchObject({ refunded: 3_333 });
    expect(await bench.post(`payments/${body.id}/refund`, {})).toMatchObject({ status: 400 });
    const whole = newPayment();
    const { installment } = (await whole.pay(CARDS.approved, INSTALLMENTS)).body;
    expect((await bench.post(`installments/${installment}/refund`, {})).body.refunds).toHaveLength(3);
    expect(await whole.totals()).toMatchObject({ refunded: 10_000 });
    const { data } = (await bench.get(`installments/${installment}/payments`)).body;
    expect(data.map(({ status }) => status)).toEqual(['REFUNDED', 'REFUNDED', 'REFUNDED']);
  });

  it('has at most 21 parts with Visa and Mastercard, and 12 with another brand', async () => {
    const amex = '376449047333005';
    const parts = (installmentCount: number) => ({ installmentCount, totalValue: 210 });
    expect(await newPayment().pay(CARDS.approved, parts(21))).toMatchObject({ status: 200 });
    expect(await newPayment().pay(CARDS.approved, parts(22))).toMatchObject({ status: 400 });
    expect(await newPayment().pay(amex, parts(13))).toMatchObject({ status: 400 });
  });
});
