import { describeWithOracle, readOracle } from '../../../support/vendors/oracles';
import { card, CieloBench, CieloSale } from './cielo-bench';

let bench: CieloBench;
beforeAll(async () => {
  bench = await CieloBench.start();
});
afterAll(() => bench.stop());

const newSale = () => new CieloSale(bench);

type Hash = Readonly<Record<string, unknown>>;
const isHash = (value: unknown): value is Hash =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The paths of a value with the types of their ends: `Payment.Amount number`. Lists have no index. */
function shapesOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => shapesOf(item, `${path}[]`));
  if (!isHash(value)) return [`${path} ${typeof value}`];
  return Object.entries(value).flatMap(([name, inner]) =>
    shapesOf(inner, path === '' ? name : `${path}.${name}`),
  );
}

/** In the manual's tables and in other examples, but in none of these. */
const ELSEWHERE = new Set([
  ...['ReceivedDate', 'VoidedAmount', 'VoidedDate', 'EndToEndId', 'IssuerTransactionId', 'QrCodeString'],
  ...['QrcodeBase64Image', 'AcquirerTransactionId', 'Recurrent'],
]);

function unknownIn(answer: unknown, samples: readonly unknown[]): string[] {
  const known = new Set(samples.flatMap((sample) => shapesOf(sample)));
  return shapesOf(answer).filter((shape) => {
    const [, name = ''] = /([A-Za-z0-9]+)(?:\[\])* \w+$/.exec(shape) ?? [];
    return !known.has(shape) && !ELSEWHERE.has(name);
  });
}

describeWithOracle('cielo/samples/index.json', 'the examples of Cielo’s manual', () => {
  const sample = (number: string) => readOracle(`cielo/samples/${number}.json`);
  const SALES = ['003', '013', '030'].map(sample);

  it('know every field of sales in all states, with its type', async () => {
    const [pix, boleto] = [newSale(), newSale()];
    const authorized = await newSale().pay({ Capture: false });
    const { PaymentId } = authorized.body.Payment;
    await bench.put(`sales/${PaymentId}/capture`);
    await bench.put(`sales/${PaymentId}/void?amount=1`);
    const onFile = { CardOnFile: { Usage: 'First', Reason: 'Recurring' } };
    const sales = [
      authorized,
      await bench.query(`sales/${PaymentId}`),
      await newSale().pay({ SoftDescriptor: 'LOJA', CreditCard: card('5100000000000503', onFile) }),
      await pix.pix(),
      await bench.post('sales/', boleto.boletoBody()),
    ];
    expect(sales.flatMap(({ body }) => unknownIn(body, SALES))).toEqual([]);
  });

  it('know every field of captures, voids, queries, notifications, verifications and errors', async () => {
    const sale = newSale();
    const { PaymentId } = (await sale.pay({ Capture: false })).body.Payment;
    const results = [
      await bench.put(`sales/${PaymentId}/capture`),
      await bench.put(`sales/${PaymentId}/void?amount=1`),
      await bench.put(`sales/${PaymentId}/void`),
    ];
    const operations = ['011', '052', '053', '054'].map(sample);
    expect(results.flatMap(({ body }) => unknownIn(body, operations))).toEqual([]);
    const order = await bench.query(`sales?merchantOrderId=${sale.order}`);
    expect(unknownIn(order.body, [sample('049')])).toEqual([]);
    const [notification] = await bench.notifications(PaymentId, 1);
    expect(unknownIn(JSON.parse(String(notification?.body)), [sample('055')])).toEqual([]);
    const verified = [
      await bench.post('zeroauth', card()),
      await bench.post('zeroauth', card('4000000000009995')),
    ];
    expect(verified.flatMap(({ body }) => unknownIn(body, [sample('060'), sample('061')]))).toEqual([]);
    expect(unknownIn((await bench.post('sales', {})).body, [sample('069')])).toEqual([]);
  });

  it('are requests that the fake accepts', async () => {
    const slip = sample('012') as { readonly Payment: object };
    const ExpirationDate = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const requests = [
      ...['002', '009', '029'].map(sample),
      { ...slip, Payment: { ...slip.Payment, ExpirationDate } },
    ];
    for (const request of requests) expect((await bench.post('sales/', request)).status).toBe(201);
    expect((await bench.post('zeroauth', sample('058'))).status).toBe(200);
  });
});
