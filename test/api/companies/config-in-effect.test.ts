import { defaultDueDate } from '../../../src/domain/payments/billet-calendar';
import { apiClient, expectStatus, type ApiClient } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { pendingBillet, pendingPix, sale } from '../support/payment-scenario';
import { registerUser } from '../users/user-api';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
});
afterAll(() => api.stop());

/** A company with a gateway, and its clients by API key and by access token. */
async function newShop(): Promise<{ byKey: ApiClient; byToken: ApiClient }> {
  const { registered, client: byToken } = await registerUser(api);
  const { client_id: clientId, api_key: apiKey } = registered.company;
  const byKey = apiClient(api.baseUrl, { 'X-Client-ID': clientId, 'X-API-Key': apiKey });
  const gateways = [{ gateway_slug: 'gateway_1', secret_key: 'sk_test' }];
  expectStatus(await byKey('saveGateways', { body: { gateways } }), 200);
  return { byKey, byToken };
}

const change = async (client: ApiClient, body: object) =>
  void expectStatus(await client('updateCompanyConfig', { body }), 200);

describe('a change of the configuration immediately affects', () => {
  it('the expiry of new pix payments without an expiry of their own', async () => {
    const { byKey, byToken } = await newShop();
    /** Rounded to a minute, because it counts from the call to the gateway. */
    const secondsToPay = async (request: object = {}) => {
      const { created_at: createdAt, transactions } = await pendingPix(byKey, request);
      const expiresAt = transactions[0]?.pix?.expires_at ?? '';
      return Math.floor((Date.parse(expiresAt) - Date.parse(createdAt ?? '')) / 60_000) * 60;
    };
    expect(await secondsToPay()).toBe(86_400);
    await change(byToken, { pix_expires_in: 900 });
    expect(await secondsToPay()).toBe(900);
    expect(await secondsToPay({ pix_expires_in: 1_800 })).toBe(1_800);
  });

  it('the due date of new billets without a due date of their own', async () => {
    const { byKey, byToken } = await newShop();
    await change(byToken, { billet_due_days: 10 });
    const expected = [defaultDueDate(new Date(), 10)];
    const { transactions } = await pendingBillet(byKey);
    // The day may have changed during the request.
    expected.push(defaultDueDate(new Date(), 10));
    expect(expected).toContain(transactions[0]?.billet?.due_at);
    const named = defaultDueDate(new Date(), 2);
    const other = await pendingBillet(byKey, { billet_due_at: named });
    expect(other.transactions[0]?.billet?.due_at).toBe(named);
  });

  it('the days of list filters', async () => {
    const { byKey, byToken } = await newShop();
    const { transaction_id: id } = await sale(byKey);
    await api.engine.context.db.query(
      `UPDATE payments SET created_at = '2026-03-02T02:30:00Z' WHERE transaction_id = $1`,
      [id],
    );
    const listed = async (day: string) => {
      const query = { start_date: day, end_date: day };
      return expectStatus(await byKey('listPayments', { query }), 200).body.data.length;
    };
    expect([await listed('2026-03-01'), await listed('2026-03-02')]).toEqual([1, 0]);
    await change(byToken, { timezone: 'Europe/Lisbon' });
    expect([await listed('2026-03-01'), await listed('2026-03-02')]).toEqual([0, 1]);
  });
});
