import { shapeDifferences } from './open-api-check';
import { describeWithOracle } from '../../support/vendors/oracles';
import {
  type Answer,
  BOLETO,
  card,
  CARDS,
  chargeOf,
  CUSTOMER,
  PagarmeBench,
  PagarmePayment,
  PIX,
  rawCard,
} from './pagarme-bench';
import { type SdkModels, SdkModelsCheck } from './sdk-models-check';

let bench: PagarmeBench;
beforeAll(async () => {
  bench = await PagarmeBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new PagarmePayment(bench);

/** Charges of every kind, by name, as `GET /charges/{id}` shows them. */
async function charges(): Promise<Map<string, object>> {
  const answers: Record<string, Answer> = {
    authorized: await newPayment().authorize(),
    paid: await newPayment().pay(),
    declined: await newPayment().pay(CARDS.advice),
    reproved: await newPayment().pay(CARDS.fraud),
    failed: await newPayment().create(PIX, { customer: { ...CUSTOMER, phones: {} } }),
    captured: await newPayment().authorize(),
    voided: await newPayment().authorize(),
    refunded: await newPayment().pay(),
    pix: await newPayment().create(PIX),
    boleto: await newPayment().create(BOLETO),
  };
  const idOf = (name: string): string => chargeOf(answers[name] as Answer).id;
  await bench.send('POST', `charges/${idOf('captured')}/capture`);
  await bench.send('DELETE', `charges/${idOf('voided')}`);
  await bench.send('DELETE', `charges/${idOf('refunded')}`, { amount: 100 });
  const shown = Object.keys(answers).map(
    async (name) => [name, (await bench.get(`charges/${idOf(name)}`)).body] as const,
  );
  return new Map(await Promise.all(shown));
}

describeWithOracle('pagarme/models.json', 'the models of Pagar.me’s SDK', (content) => {
  const check = new SdkModelsCheck(content as SdkModels);

  it('know every field of charges in all states, with its type', async () => {
    const problems = [...(await charges())].flatMap(([name, charge]) =>
      check.problems(charge, 'getChargeResponse').map((problem) => `${name}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  it('know every field of orders, lists, transactions, customers and cards', async () => {
    const paid = await newPayment().pay();
    const customer = await bench.send('POST', 'customers', CUSTOMER);
    const stored = await bench.send('POST', `customers/${customer.body.id}/cards`, rawCard());
    const list = await bench.get('charges?size=2');
    const transactions = await bench.get(`charges/${chargeOf(paid).id}/transactions`);
    expect([
      ...check.problems(paid.body, 'getOrderResponse'),
      ...check.problems(customer.body, 'getCustomerResponse'),
      ...check.problems(stored.body, 'getCardResponse'),
      ...check.problems(list.body.paging, 'pagingResponse'),
      ...list.body.data.flatMap((each) => check.problems(each, 'getChargeResponse')),
      ...transactions.body.data.flatMap((each) =>
        check.problems(each, 'discriminatedGetTransactionResponse'),
      ),
    ]).toEqual([]);
  });

  it('know every field of a recipient but the details of its proof of life, which only the documentation has', async () => {
    const account = {
      ...{ holder_name: 'Tony Stark', holder_type: 'individual', holder_document: '26224451990' },
      ...{ bank: '341', branch_number: '1234', account_number: '1', account_check_digit: '6' },
    };
    const { body } = await bench.send('POST', 'recipients', {
      ...{ code: 'shape', document: '26224451990', email: 'a@example.com' },
      default_bank_account: { ...account, type: 'checking' },
    });
    const shown = (await bench.get(`recipients/${body.id}`)).body;
    expect(check.problems(body, 'getRecipientResponse')).toEqual([]);
    expect(check.problems(shown, 'getRecipientResponse')).toEqual([
      'getRecipientResponse.kyc_details is unknown',
    ]);
    const link = await bench.send('POST', `recipients/${body.id}/kyc_link`);
    expect(check.problems(link.body, 'createKYCLinkResponse')).toEqual([]);
  });

  it('know every field of the requests of these tests', () => {
    const payment = newPayment();
    const orders = [
      payment.order(card({ card: rawCard(), operation_type: 'auth_only', recurrency_cycle: 'first' })),
      payment.order(PIX),
      payment.order(BOLETO),
    ];
    expect(orders.flatMap((order) => check.problems(order, 'createOrderRequest'))).toEqual([]);
  });
});

/** Fields of the ancestor that cards and charges of core v5 need not have, and fields that v5 added. */
const OF_ONE_VERSION = new Set([
  ...['acquirer_affiliation_code', 'billing_address', 'holder_name'],
  ...['antifraud_response', 'brand_id', 'document', 'errors', 'metadata', 'mobile_phone', 'order'],
  ...['holder_document', 'retry_info', 'customer', 'type'],
]);

describe.each([
  ['successful-authorize', 'authorized'],
  ['successful-purchase', 'paid'],
  ['successful-capture', 'captured'],
  ['successful-void', 'voided'],
  ['failed-authorize', 'declined'],
])('the recorded answer %s of the ancestor', (recording, name) => {
  describeWithOracle(`recorded/mundipagg/${recording}.json`, 'has', (content) => {
    it('the keys and types of the fake’s answer', async () => {
      const { body } = content as { body: { status: string; last_transaction: { status: string } } };
      const charge = (await charges()).get(name);
      expect(shapeDifferences(body, charge, OF_ONE_VERSION)).toEqual([]);
      const { status, last_transaction: last } = body;
      expect(charge).toMatchObject({ status, last_transaction: { status: last.status } });
    });
  });
});

describeWithOracle(
  'recorded/mundipagg/failed-with-top-level-errors.json',
  'the recorded error',
  (content) => {
    it('has the keys of the fake’s error, whose echo has no number either', async () => {
      const { body } = content as { body: object };
      const error = (await newPayment().pay('4000000000000011')).body;
      expect(Object.keys(error)).toEqual(Object.keys(body));
      expect(JSON.stringify(error.request)).toContain('"last_four_digits":"0011"');
    });
  },
);

describeWithOracle('pagarme/endpoints.json', 'the operations of Pagar.me’s SDK', (content) => {
  it('include every route of the fake', () => {
    const { operations } = content as { operations: { method: string; path: string }[] };
    const known = new Set(operations.map(({ method, path }) => `${method} ${path.toLowerCase()}`));
    const routes = [
      ...['POST /orders', 'GET /orders', 'GET /orders/{orderid}', 'GET /charges', 'GET /charges/{chargeid}'],
      ...['GET /charges/{chargeid}/transactions', 'POST /charges/{chargeid}/capture'],
      ...['DELETE /charges/{chargeid}', 'POST /customers', 'GET /customers/{customerid}'],
      ...['POST /customers/{customerid}/cards', 'GET /customers/{customerid}/cards'],
      ...['GET /customers/{customerid}/cards/{cardid}', 'POST /recipients', 'GET /recipients/{recipientid}'],
      ...['GET /recipients/{code}', 'POST /recipients/{recipientid}/kyc_link'],
    ];
    expect(routes.filter((route) => !known.has(route))).toEqual([]);
  });
});
