import { randomUUID } from 'node:crypto';
import { FindPayment } from '../../../src/application/payments/find-payment';
import { paymentRequest, rawCard } from '../../support/fixtures/payments';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';

let api: EngineApi;
let client: ApiClient;
let other: ApiClient;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
  client = await registerWithGateways(api, ['gateway_1', 'gateway_2']);
  other = await registerWithGateways(api);
});
afterAll(() => api.stop());

const create = async (company: ApiClient, change: object = {}) =>
  expectStatus(await company('createCardPayment', { body: paymentRequest(change) }), 200).body;

describe('GET /payments/{id}', () => {
  it('answers 200 with the same payment as its creation', async () => {
    const created = await create(client);
    const { body } = expectStatus(
      await client('getPayment', { params: { id: created.transaction_id } }),
      200,
    );
    expect(body).toEqual(created);
  });

  it('reads a payment and its attempts as of one instant, even if a capture is recorded meanwhile', async () => {
    const { db, payments, attempts, deliveries } = api.engine.context;
    const { transaction_id: id } = await create(client, { capture: false });
    const company = await db.queryOne<{ id: number }>(
      'SELECT company_id AS id FROM payments WHERE transaction_id = $1',
      [id],
    );
    const afterCapture: typeof attempts.listByTransaction = async (...of) => {
      expectStatus(await client('capturePayment', { params: { id }, body: {} }), 200);
      return attempts.listByTransaction(...of);
    };
    const find = new FindPayment(db, payments, { listByTransaction: afterCapture }, deliveries);
    const found = await find.byId(company?.id ?? 0, id);
    expect(found.payment.status).toBe('authorized');
    expect(found.attempts.map(({ operation }) => operation)).toEqual(['authorize']);
  });

  it('answers 404 equally for another company’s payment, an unknown payment and an invalid id', async () => {
    const { transaction_id: id } = await create(client);
    const answers = await Promise.all([
      other('getPayment', { params: { id } }),
      other('getPayment', { params: { id: randomUUID() } }),
      other('getPayment', { params: { id: 'not-an-id' } }),
    ]);
    const bodies = answers.map((answer) => ({ ...expectStatus(answer, 404).body, request_id: '' }));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  });

  it('answers 401 without a valid key pair', async () => {
    expectStatus(await api.anonymous('getPayment', { params: { id: randomUUID() } }), 401);
  });
});

describe('GET /payments', () => {
  let company: ApiClient;
  beforeAll(async () => {
    company = await registerWithGateways(api, ['gateway_1', 'gateway_2', 'gateway_4']);
    await create(company, { amount: 1_000, merchant_order_id: 'A', metadata: { store: 'é "1"', till: '7' } });
    await create(company, {
      ...{
        amount: 2_000,
        merchant_order_id: 'B',
        gateway_first_try: 'gateway_2',
        metadata: { store: '2', till: '7' },
      },
    });
    await create(company, { amount: 3_000, merchant_order_id: 'C', card: rawCard('4000000000009995') });
    await create(company, { amount: 4_000, merchant_order_id: 'D', gateway_first_try: 'gateway_4' });
  });

  const amounts = async (query: Record<string, string | number>) => {
    const { body } = expectStatus(await company('listPayments', { query }), 200);
    return body.data.map(({ amount }) => amount);
  };
  const today = (): string => dayIn('America/Sao_Paulo', 0);
  const dayIn = (timeZone: string, days: number): string =>
    new Intl.DateTimeFormat('en-CA', { timeZone }).format(Date.now() + days * 86_400_000);

  it('answers 200 with the newest payments first, in the envelope of lists', async () => {
    const { body } = expectStatus(await company('listPayments'), 200);
    expect(body.data.map(({ amount }) => amount)).toEqual([4_000, 3_000, 2_000, 1_000]);
    expect(body.meta).toEqual({ current_page: 1, per_page: 15, total: 4, last_page: 1 });
    expect(body.data[0]).toMatchObject({ status: 'approved', attempts: 1, webhooks: [] });
  });

  it.each([
    [{ status: 'approved' }, [4_000, 2_000, 1_000]],
    [{ status: 'failed' }, [3_000]],
    [{ status: 'pending' }, []],
    [{ payment_method: 'card' }, [4_000, 3_000, 2_000, 1_000]],
    [{ payment_method: 'pix' }, []],
    [{ gateway: 'gateway_2' }, [2_000]],
    [{ amount_from: 2_000 }, [4_000, 3_000, 2_000]],
    [{ amount_from: 2_000, amount_to: 3_000 }, [3_000, 2_000]],
    [{ merchant_order_id: 'B' }, [2_000]],
    [{ metadata_key: 'till', metadata_value: '7' }, [2_000, 1_000]],
    [{ metadata_key: 'till', metadata_value: '7', amount_to: 1_999 }, [1_000]],
    [{ metadata_key: 'store', metadata_value: 'é "1"' }, [1_000]],
    [{ metadata_key: 'store', metadata_value: '' }, []],
    [{ transaction_type: 'payment' }, [4_000, 3_000, 2_000, 1_000]],
    [{ transaction_type: 'withdraw' }, []],
    [{ status: 'approved', gateway: 'gateway_1' }, [1_000]],
  ])('filters by %j', async (query, expected) => {
    expect(await amounts(query)).toEqual(expected);
  });

  it('includes both dates of a range, in the company’s time zone', async () => {
    expect(await amounts({ start_date: today(), end_date: today() })).toHaveLength(4);
    expect(await amounts({ end_date: dayIn('America/Sao_Paulo', -1) })).toEqual([]);
    expect(await amounts({ start_date: dayIn('America/Sao_Paulo', 1) })).toEqual([]);
  });

  it('assigns a payment in the last minute of the day in São Paulo to that day', async () => {
    const night = await registerWithGateways(api);
    const { transaction_id: id } = await create(night, { amount: 5_000 });
    await api.engine.context.db.query('UPDATE payments SET created_at = $2 WHERE transaction_id = $1', [
      id,
      '2026-03-11T02:59:30Z',
    ]);
    const on = async (day: string) =>
      expectStatus(await night('listPayments', { query: { start_date: day, end_date: day } }), 200).body.meta
        .total;
    expect(await on('2026-03-10')).toBe(1);
    expect(await on('2026-03-11')).toBe(0);
  });

  it('returns every payment exactly once over all pages', async () => {
    const page = async (number: number) =>
      expectStatus(await company('listPayments', { query: { per_page: 3, page: number } }), 200).body;
    const [first, second, third] = [await page(1), await page(2), await page(3)];
    expect([...first.data, ...second.data].map(({ amount }) => amount)).toEqual([4_000, 3_000, 2_000, 1_000]);
    expect(third.data).toEqual([]);
    expect(first.meta).toEqual({ current_page: 1, per_page: 3, total: 4, last_page: 2 });
  });

  it('returns no payments of another company', async () => {
    const stranger = await registerWithGateways(api);
    for (const query of [{}, { metadata_key: 'till', metadata_value: '7' }])
      expect(expectStatus(await stranger('listPayments', { query }), 200).body.data).toEqual([]);
  });

  it.each([
    [{ status: 'processing' }, 'status'],
    [{ status: 'authorized' }, 'status'],
    [{ gateway: 'gateway_4' }, 'gateway'],
    [{ per_page: 101 }, 'per_page'],
    [{ per_page: 0 }, 'per_page'],
    [{ page: 0 }, 'page'],
    [{ start_date: '10/03/2026' }, 'start_date'],
    [{ start_date: '2026-02-30' }, 'start_date'],
    [{ amount_from: 'ten' }, 'amount_from'],
    [{ transaction_type: 'refund' }, 'transaction_type'],
    [{ metadata_key: 'till' }, 'metadata_value'],
    [{ metadata_value: '7' }, 'metadata_key'],
    [{ metadata_key: 'k'.repeat(41), metadata_value: '7' }, 'metadata_key'],
  ])('answers 422 with the filter for %j', async (query, field) => {
    const { body } = expectStatus(await company('listPayments', { query }), 422);
    expect(body).toMatchObject({ code: 'validation_error', errors: { [field]: expect.any(Array) } });
  });

  it('answers 401 without a valid key pair', async () => {
    expectStatus(await api.anonymous('listPayments'), 401);
  });
});

describe('GET /exports/...', () => {
  const linesOf = (csv: string): string[] => csv.split('\r\n').slice(0, -1);

  it('shows a payment with its customer until the customer is erased, and runs no formula of theirs', async () => {
    const company = await registerWithGateways(api);
    const customer = { name: '=HYPERLINK("http://x")', email: 'maria@example.com', document: '52998224725' };
    const order = { merchant_order_id: '-1', customer, metadata: { note: 'a "b"' } };
    const paid = await create(company, { amount: 1_990, ...order });
    const token = paid.customer?.token ?? '';
    const exported = async () => {
      const [header = '', ...lines] = linesOf(expectStatus(await company('exportPayments'), 200).body);
      expect(header.split(',').slice(-4)).toEqual([
        ...['customer_name', 'customer_email', 'customer_document', 'metadata'],
      ]);
      return lines;
    };
    const facts = [paid.transaction_id, paid.created_at, paid.updated_at].join(',');
    expect(await exported()).toEqual([
      `${facts},approved,,approved,card,gateway_1,BRL,1990,1990,0,,0,1,1,'-1,,visa,1111,${token},` +
        String.raw`"'=HYPERLINK(""http://x"")",maria@example.com,***.982.247-**,"{""note"":""a \""b\""""}"`,
    ]);
    expectStatus(await company('eraseCustomer', { params: { token } }), 204);
    const [erased = ''] = await exported();
    expect(erased).toContain(`${token},,,,`);
  });

  it('goes on after a line without a header line, and separates cells as asked', async () => {
    const company = await registerWithGateways(api);
    const [first, second] = [await create(company), await create(company)];
    const query = { after: second.transaction_id, delimiter: 'semicolon' };
    const { body } = expectStatus(await company('exportPayments', { query }), 200);
    expect(linesOf(body).map((line) => line.split(';')[0])).toEqual([first.transaction_id]);
    const end = { after: first.transaction_id };
    expect(expectStatus(await company('exportPayments', { query: end }), 200).body).toBe('');
    const { body: refusal } = expectStatus(await other('exportPayments', { query: end }), 422);
    expect(refusal).toMatchObject({ errors: { after: [expect.any(String)] } });
  });

  it('has each refund with its reason and each event with its body', async () => {
    const company = await registerWithGateways(api);
    const { transaction_id: id } = await create(company, { amount: 1_990 });
    const refund = { amount: 500, reason: '+damaged' };
    expectStatus(await company('refundPayment', { params: { id }, body: refund }), 200);
    const [, refunded = '', ...more] = linesOf(expectStatus(await company('exportRefunds'), 200).body);
    expect(more).toEqual([]);
    expect(refunded).toContain(`,${id},`);
    expect(refunded).toContain(",refunded,BRL,500,merchant_request,'+damaged,gateway_1,");
    const events = linesOf(expectStatus(await company('exportEvents'), 200).body);
    const listed = expectStatus(await company('listEvents'), 200).body;
    expect(events).toHaveLength(1 + listed.data.length);
    expect(events.at(-1)).toContain(`${listed.meta.next_after},${listed.data.at(-1)?.id},`);
    expect(events.at(-1)).toContain(`"{""event"":""transaction.refunded""`);
  });
});
