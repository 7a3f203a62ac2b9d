import { rawCard } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { startWebhookReceiver } from '../../support/stack/webhook-receiver';
import { apiClient, expectStatus, type ApiClient } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { authorization, pendingPix, sale } from '../support/payment-scenario';
import { paymentRequest } from '../../support/fixtures/payments';
import { holdCharge, insertPlan, insertSubscription } from '../../support/fixtures/recurring-rows';
import { registerUser } from '../users/user-api';

let api: EngineApi;
beforeAll(async () => {
  // One attempt, so that a failed delivery has failed permanently.
  api = await startEngineApi({ WEBHOOK_RETRY_SCHEDULE: '1s' });
});
afterAll(() => api.stop());

interface SellingCompany {
  readonly byKey: ApiClient;
  readonly byToken: ApiClient;
  readonly companyId: number;
}

async function newSellingCompany(): Promise<SellingCompany> {
  const { registered, client: byToken } = await registerUser(api);
  const { client_id: clientId, api_key: apiKey } = registered.company;
  const byKey = apiClient(api.baseUrl, { 'X-Client-ID': clientId, 'X-API-Key': apiKey });
  const gateways = ['gateway_1', 'gateway_2'].map((gateway_slug) => ({
    gateway_slug,
    secret_key: 'sk_test',
  }));
  expectStatus(await byKey('saveGateways', { body: { gateways } }), 200);
  return { byKey, byToken, companyId: registered.user.company_id };
}

async function dashboard({ byToken }: SellingCompany, query: Record<string, string> = {}) {
  return expectStatus(await byToken('getDashboard', { query }), 200).body.data;
}

const inSaoPaulo = (days: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(Date.now() + days * 86_400_000);

async function decline(byKey: ApiClient, number: string, amount: number): Promise<void> {
  const body = paymentRequest({ amount, card: rawCard(number) });
  expect(expectStatus(await byKey('createCardPayment', { body }), 200).body.status).toBe('failed');
}

async function refund(byKey: ApiClient, id: string, amount: number): Promise<void> {
  expectStatus(await byKey('refundPayment', { params: { id }, body: { amount } }), 200);
}

describe('GET /dashboard', () => {
  let company: SellingCompany;
  beforeAll(async () => {
    company = await newSellingCompany();
    const { byKey } = company;
    await sale(byKey, { amount: 1_000 });
    const { transaction_id: partly } = await sale(byKey, { amount: 2_000 });
    await refund(byKey, partly, 500);
    const { transaction_id: wholly } = await sale(byKey, { amount: 3_000, gateway_first_try: 'gateway_2' });
    await refund(byKey, wholly, 3_000);
    await authorization(byKey, { amount: 4_000 });
    await pendingPix(byKey, { amount: 5_000 });
    await decline(byKey, '4000000000009995', 6_000);
    await decline(byKey, '4000000000009995', 7_000);
    await decline(byKey, '4000000000009987', 8_000);
  });

  it('answers 200 with the results of the payments, whether or not the counters contain them yet', async () => {
    const fresh = await dashboard(company);
    expect(fresh.totals).toEqual([
      {
        currency: 'BRL',
        payments: { count: 8, amount: 36_000 },
        processing: { count: 0, amount: 0 },
        pending: { count: 1, amount: 5_000 },
        authorized: { count: 1, amount: 4_000 },
        approved: { count: 2, amount: 3_000 },
        failed: { count: 3, amount: 21_000 },
        canceled: { count: 0, amount: 0 },
        refunded: { count: 1, amount: 3_000 },
        captured_amount: 6_000,
        refunded_amount: 3_500,
        approval_rate: 0.5714,
      },
    ]);
    const [left] = await api.engine.context.db.query<{ left: number }>(
      'SELECT count(*) AS left FROM payment_counter_deltas WHERE company_id = $1',
      [company.companyId],
    );
    expect(left?.left).toBeGreaterThan(0);
    await api.engine.sweeper.sweepOnce();
    expect(await dashboard(company)).toEqual(fresh);
  });

  it('counts every charge at its own gateway, and declines by reason', async () => {
    const { approval_by_gateway: approval, decline_reasons: reasons } = await dashboard(company);
    expect(approval).toEqual([
      { gateway: 'gateway_1', charges: 7, approved: 3, declined: 3, errors: 0, open: 1, rate: 0.5 },
      { gateway: 'gateway_2', charges: 1, approved: 1, declined: 0, errors: 0, open: 0, rate: 1 },
    ]);
    expect(reasons).toEqual([
      { code: '51', message: 'insufficient funds', count: 2 },
      { code: '41', message: 'lost card', count: 1 },
    ]);
  });

  it('contains the last 30 days in the company’s time zone, oldest first', async () => {
    const { from, to, timezone, volume } = await dashboard(company);
    expect({ from, to, timezone }).toEqual({
      from: inSaoPaulo(-29),
      to: inSaoPaulo(0),
      timezone: 'America/Sao_Paulo',
    });
    expect(volume.map(({ date }) => date)).toEqual(
      Array.from({ length: 30 }, (_, day) => inSaoPaulo(day - 29)),
    );
    expect(volume.at(-1)).toEqual({
      date: inSaoPaulo(0),
      payments: 8,
      approved: 3,
      approval_rate: 0.5714,
      amounts: [{ currency: 'BRL', amount: 36_000, captured_amount: 6_000 }],
    });
    expect(volume[0]).toMatchObject({ payments: 0, approved: 0 });
  });

  it('assigns a payment in the last minute of the day in São Paulo to that day, and separates currencies', async () => {
    const night = await newSellingCompany();
    const { transaction_id: id } = await sale(night.byKey, { amount: 5_000 });
    await sale(night.byKey, { amount: 7_000, currency: 'USD' });
    await api.engine.context.db.query('UPDATE payments SET created_at = $2 WHERE transaction_id = $1', [
      id,
      '2026-03-11T02:59:30Z',
    ]);
    const march = await dashboard(night, { from: '2026-03-10', to: '2026-03-11' });
    expect(march.volume.map(({ payments }) => payments)).toEqual([1, 0]);
    expect(march.totals).toMatchObject([{ currency: 'BRL', payments: { count: 1, amount: 5_000 } }]);
    const after = await dashboard(night, { from: '2026-03-12', to: '2026-03-13' });
    expect(after.previous).toMatchObject({
      from: '2026-03-10',
      to: '2026-03-11',
      totals: [{ currency: 'BRL', payments: { count: 1, amount: 5_000 }, approval_rate: 1 }],
    });
    expect((await dashboard(night)).totals).toMatchObject([
      { currency: 'USD', payments: { count: 1, amount: 7_000 } },
    ]);
  });

  it('contains only zeros for a company without payments, whatever other companies have', async () => {
    const newcomer = await newSellingCompany();
    const empty = await dashboard(newcomer);
    expect(empty.totals).toMatchObject([
      { currency: 'BRL', payments: { count: 0, amount: 0 }, captured_amount: 0 },
    ]);
    expect(empty).toMatchObject({ approval_by_gateway: [], decline_reasons: [], failing_webhooks: [] });
    expect(empty.recurring_revenue).toEqual([
      { currency: 'BRL', subscriptions: 0, monthly_amount: 0, plans: [] },
    ]);
  });

  it('contains the charges on hold and the monthly revenue of active subscriptions, always including the home currency', async () => {
    const seller = await newSellingCompany();
    const { db } = api.engine.context;
    await sale(seller.byKey);
    const [customer] = await db.query<{ id: number }>('SELECT id FROM customers WHERE company_id = $1', [
      seller.companyId,
    ]);
    const owner = { companyId: seller.companyId, customerId: customer?.id ?? 0 };
    const yearly = { amountCents: 60_000, interval: 'yearly', currency: 'USD' } as const;
    const planId = await insertPlan(db, seller.companyId, yearly);
    const active = await insertSubscription(db, { ...owner, planId });
    await insertSubscription(db, { ...owner, planId, status: 'past_due' });
    expect((await dashboard(seller)).charges_on_hold).toEqual({ subscriptions: 0, since: null });
    await holdCharge(db, active, '2026-05-01T12:00:00.000Z');
    expect((await dashboard(seller)).charges_on_hold).toEqual({
      subscriptions: 1,
      since: '2026-05-01T12:00:00.000Z',
    });
    expect((await dashboard(seller)).recurring_revenue).toEqual([
      { currency: 'BRL', subscriptions: 0, monthly_amount: 0, plans: [] },
      {
        currency: 'USD',
        subscriptions: 1,
        monthly_amount: 5_000,
        plans: [{ plan_id: expect.any(String), name: 'Plano', subscriptions: 1, monthly_amount: 5_000 }],
      },
    ]);
  });

  it('lists the endpoints with failing deliveries', async () => {
    const receiver = await startWebhookReceiver();
    receiver.close();
    const failing = await newSellingCompany();
    const url = `${receiver.url}/closed`;
    const body = { url, events: ['transaction.approved'] };
    const { id } = expectStatus(await failing.byToken('createWebhookEndpoint', { body }), 201).body;
    await sale(failing.byKey);
    const [endpoint] = await waitFor(async () => {
      const { failing_webhooks: endpoints } = await dashboard(failing);
      return endpoints[0]?.failed === 1 && endpoints;
    });
    expect(endpoint).toEqual({
      endpoint_id: id,
      url,
      enabled: true,
      disabled_reason: null,
      failing_since: expect.any(String),
      retrying: 0,
      failed: 1,
    });
  });

  it.each([
    [{ from: '2026-03-02', to: '2026-03-01' }, 'from'],
    [{ from: '2025-01-01', to: '2026-01-02' }, 'from'],
    [{ from: '02/03/2026' }, 'from'],
    [{ to: '2026-02-30' }, 'to'],
    [{ days: '3' }, 'days'],
  ])('answers 422 with the parameter for %j', async (query, field) => {
    const { body } = expectStatus(await company.byToken('getDashboard', { query }), 422);
    expect(body).toMatchObject({ code: 'validation_error', errors: { [field]: expect.any(Array) } });
  });

  it('accepts at most 366 days', async () => {
    expect((await dashboard(company, { from: '2024-01-01', to: '2024-12-31' })).volume).toHaveLength(366);
  });

  it('answers 401 to a key pair and without credentials', async () => {
    expectStatus(await company.byKey('getDashboard'), 401);
    expectStatus(await api.anonymous('getDashboard'), 401);
  });
});
