import { dateIn, BRASILIA } from '../../../src/domain/time/timezone';
import { expectStatus, type ApiClient } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerCompanyWithUser } from '../support/manual-resolution';
import { advanceClockByHours, authorization, pendingPix, sale, to } from '../support/payment-scenario';

let api: EngineApi;
let byKey: ApiClient;
let byToken: ApiClient;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
  ({ byKey, byToken } = await registerCompanyWithUser(api));
});
afterAll(() => api.stop());

async function entriesOf(query: Record<string, string | number>) {
  return expectStatus(await byToken('listLedgerEntries', { query }), 200).body;
}

/** The postings of a payment's entries, oldest entry first. */
async function postingsOf({ transaction_id: id }: { readonly transaction_id: string }) {
  const { data } = await entriesOf({ transaction_id: id });
  return data
    .toReversed()
    .map(({ kind, postings }) => [kind, ...postings.map(({ account, amount }) => `${account} ${amount}`)]);
}

describe('GET /user/ledger', () => {
  it('has an entry for each time that money moves, and none for an authorization or its cancel', async () => {
    const payment = await authorization(byKey, { amount: 4_000 });
    expect(await postingsOf(payment)).toEqual([]);
    expectStatus(await byKey('capturePayment', to(payment, { body: { amount: 3_000 } })), 200);
    expectStatus(await byKey('refundPayment', to(payment, { body: { amount: 1_000 } })), 200);
    expectStatus(await byKey('refundPayment', to(payment)), 200);
    expect(await postingsOf(payment)).toEqual([
      ['received', 'gateway_receivable 3000', 'sales -3000'],
      ['refunded', 'gateway_receivable -1000', 'refunds 1000'],
      ['refunded', 'gateway_receivable -2000', 'refunds 2000'],
    ]);
    const canceled = await authorization(byKey, { amount: 4_000 });
    expectStatus(await byKey('cancelPayment', to(canceled)), 200);
    expect(await postingsOf(canceled)).toEqual([]);
  });

  it('shows a part of a pix as unapplied until the rest is paid, and what is paid above the amount', async () => {
    const payment = await pendingPix(byKey, { amount: 4_000 });
    await api.engine.simulator.pay(payment.transaction_id, 1_500);
    await advanceClockByHours(byKey, payment, 1);
    await api.engine.simulator.pay(payment.transaction_id, 2_600);
    await advanceClockByHours(byKey, payment, 4);
    expect(await postingsOf(payment)).toEqual([
      ['received', 'gateway_receivable 1500', 'unapplied_receipts -1500'],
      ['received', 'gateway_receivable 2600', 'sales -4000', 'unapplied_receipts 1400'],
    ]);
  });

  it('expects each installment 30 days after the one before', async () => {
    const { transaction_id: id } = await sale(byKey, { amount: 1_000, installments: 3 });
    const { data } = await entriesOf({ transaction_id: id });
    const receivables = data[0]?.postings.filter(({ account }) => account === 'gateway_receivable') ?? [];
    const inDays = (days: number) => dateIn(BRASILIA, new Date(Date.now() + days * 86_400_000));
    expect(receivables.map(({ amount, expected_on: on, installment }) => [amount, on, installment])).toEqual([
      [334, inDays(30), 1],
      [333, inDays(60), 2],
      [333, inDays(90), 3],
    ]);
  });

  it('pages from the newest entry to the oldest, and filters by account and period', async () => {
    const own = await registerCompanyWithUser(api);
    const payments = [];
    for (const amount of [1_000, 2_000, 3_000]) payments.push(await sale(own.byKey, { amount }));
    const ids: Array<string | null> = [];
    let after: string | null = null;
    for (let page = 0; page < 3; page += 1) {
      const query: { per_page: number; after?: string } = { per_page: 1, ...(after !== null && { after }) };
      const { data, meta } = expectStatus(await own.byToken('listLedgerEntries', { query }), 200).body;
      ids.push(...data.map(({ transaction_id: id }) => id));
      expect(meta.has_more).toBe(page < 2);
      after = meta.next_after;
    }
    expect(ids).toEqual(payments.toReversed().map(({ transaction_id: id }) => id));
    const count = async (query: Record<string, string>) =>
      expectStatus(await own.byToken('listLedgerEntries', { query }), 200).body.data.length;
    expect(await count({ account: 'sales' })).toBe(3);
    expect(await count({ account: 'fees' })).toBe(0);
    const today = dateIn(BRASILIA, new Date());
    expect(await count({ from: '2026-01-01', to: today })).toBe(3);
    expect(await count({ to: '2026-01-01' })).toBe(0);
  });

  it('names the parameter that is invalid', async () => {
    const invalid = expectStatus(await byToken('listLedgerEntries', { query: { account: 'nothing' } }), 422);
    expect(invalid.body).toMatchObject({ errors: { account: [expect.any(String)] } });
  });
});

describe('GET /user/ledger/balances', () => {
  it('has the balance of each account at the end of the day', async () => {
    const own = await registerCompanyWithUser(api);
    const payment = await sale(own.byKey, { amount: 4_000 });
    expectStatus(await own.byKey('refundPayment', to(payment, { body: { amount: 1_000 } })), 200);
    const balances = async (query: Record<string, string> = {}) =>
      expectStatus(await own.byToken('listLedgerBalances', { query }), 200).body.data;
    const day = dateIn(BRASILIA, new Date());
    expect(await balances()).toEqual([
      {
        ...{ day, account: 'gateway_receivable', gateway: 'gateway_1', currency: 'BRL' },
        ...{ change: 3_000, balance: 3_000 },
      },
      {
        ...{ day, account: 'refunds', gateway: null, currency: 'BRL' },
        ...{ change: 1_000, balance: 1_000 },
      },
      {
        ...{ day, account: 'sales', gateway: null, currency: 'BRL' },
        ...{ change: -4_000, balance: -4_000 },
      },
    ]);
    const tomorrow = dateIn(BRASILIA, new Date(Date.now() + 86_400_000));
    expect(await balances({ account: 'sales', from: tomorrow, to: tomorrow })).toEqual([
      { day: tomorrow, account: 'sales', gateway: null, currency: 'BRL', change: 0, balance: -4_000 },
    ]);
    const wrong = { from: tomorrow, to: day };
    expectStatus(await own.byToken('listLedgerBalances', { query: wrong }), 422);
  });
});
