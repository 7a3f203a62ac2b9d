import { expectStatus, type ApiClient } from '../support/api-client';
import { registerCompanyWithUser } from '../support/manual-resolution';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { authorization, found, newKey, operations, sale, to } from '../support/payment-scenario';
import { registerUser } from '../users/user-api';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi();
});
afterAll(() => api.stop());

async function logOf(client: ApiClient, query: Record<string, string | number> = {}) {
  return expectStatus(await client('listAuditLog', { query }), 200).body;
}

const URL = 'https://shop.example.com/webhooks';

async function makeEndpoint(client: ApiClient, url = URL): Promise<string> {
  const body = { url, events: ['transaction.approved'] };
  return String(expectStatus(await client('createWebhookEndpoint', { body }), 201).body.id);
}

describe('the audit log', () => {
  it('contains who did what to which subject and the changes, newest first', async () => {
    const { client, email, registered } = await registerUser(api);
    const id = await makeEndpoint(client);
    const change = { params: { id }, body: { enabled: false } };
    const headers = { 'X-Request-Id': 'req_of_the_test' };
    expectStatus(await client('updateWebhookEndpoint', { ...change, headers }), 200);
    const { data, meta } = await logOf(client);
    const subject = { type: 'webhook_endpoint', id };
    const user = { id: registered.user.id, email };
    expect(data).toEqual([
      {
        id: expect.any(Number),
        at: expect.any(String),
        mode: 'test',
        user,
        action: 'webhook_endpoint.update',
        subject,
        changes: { enabled: { from: true, to: false } },
        request_id: 'req_of_the_test',
      },
      expect.objectContaining({
        user,
        action: 'webhook_endpoint.create',
        subject,
        changes: { url: URL, events: ['transaction.approved'], enabled: true },
      }),
    ]);
    expect(meta).toEqual({ current_page: 1, per_page: 15, total: 2, last_page: 1 });
  });

  it('contains no entry for a request that changes nothing or fails', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api);
    const id = await makeEndpoint(byToken);
    const { meta } = await logOf(byToken);
    expectStatus(await byToken('updateWebhookEndpoint', { params: { id }, body: { enabled: true } }), 200);
    const gateway = { params: { slug: 'gateway_1' }, body: { enabled: true, order: 1 } };
    expectStatus(await byToken('updateGateway', gateway), 200);
    const payment = await sale(byKey);
    expectStatus(await byToken('captureUserPayment', to(payment)), 409);
    expectStatus(await byToken('refundUserPayment', to(payment, { body: { amount: 99_999_999 } })), 422);
    expect((await logOf(byToken)).meta).toEqual(meta);
  });

  it('finds entries by action, by subject, and by days in the company’s time zone', async () => {
    const { client, registered } = await registerUser(api);
    const id = await makeEndpoint(client);
    await makeEndpoint(client, `${URL}/other`);
    expectStatus(await client('rotateWebhookSecret', { params: { id } }), 200);
    // 23:30 in São Paulo is the next day in UTC.
    await backdate(registered.user.company_id, '2026-03-02T02:30:00Z');
    const totalOf = async (query: Record<string, string>) => (await logOf(client, query)).meta.total;
    expect(await totalOf({ action: 'webhook_endpoint.create' })).toBe(2);
    expect(await totalOf({ subject_type: 'webhook_endpoint', subject_id: id })).toBe(2);
    expect(await totalOf({ subject_type: 'payment', subject_id: id })).toBe(0);
    expect(await totalOf({ from: '2026-03-01', to: '2026-03-01' })).toBe(3);
    expect(await totalOf({ from: '2026-03-02' })).toBe(0);
    expect(await totalOf({ to: '2026-02-28' })).toBe(0);
    expect(await totalOf({ from: '0000-01-01', to: '9999-12-31' })).toBe(3);
    const second = await logOf(client, { per_page: 2, page: 2 });
    expect(second.data.map(({ action }) => action)).toEqual(['webhook_endpoint.create']);
    expect(second.meta).toEqual({ current_page: 2, per_page: 2, total: 3, last_page: 2 });
  });

  it.each([
    ['action', { action: 'payment.stolen' }],
    ['subject_type', { subject_type: 'planet' }],
    ['from', { from: 'yesterday' }],
    ['per_page', { per_page: 101 }],
  ])('answers 422 on %s for %j', async (field, query) => {
    const { client } = await registerUser(api);
    const { body } = expectStatus(await client('listAuditLog', { query }), 422);
    expect(Object.keys(body.errors ?? {})).toEqual([field]);
  });

  it.each(['UPDATE audit_log SET user_id = user_id', 'DELETE FROM audit_log', 'TRUNCATE audit_log'])(
    'is append-only: %s fails',
    async (sql) => {
      await expect(api.engine.context.db.queryComposed(sql, [])).rejects.toThrow(/append-only/);
    },
  );

  async function backdate(companyId: number, at: string): Promise<void> {
    const { db } = api.engine.context;
    await db.queryComposed('ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only', []);
    await db.queryComposed('UPDATE audit_log SET created_at = $2 WHERE company_id = $1', [companyId, at]);
    await db.queryComposed('ALTER TABLE audit_log ENABLE TRIGGER audit_log_append_only', []);
  }
});

describe('a capture, cancel or refund by a user', () => {
  const OF_PAYMENTS = { subject_type: 'payment' };

  it('works as with the API key, and the audit log names the user', async () => {
    const { byKey, byToken, user } = await registerCompanyWithUser(api);
    const payment = await authorization(byKey);
    const request = to(payment, { body: { amount: 1_000 } });
    const captured = expectStatus(await byToken('captureUserPayment', request), 200).body;
    expect(captured).toMatchObject({ status: 'approved', captured_amount: 1_000 });
    const refund = to(payment, { body: { amount: 100, reason: 'came back' } });
    expectStatus(await byToken('refundUserPayment', refund), 200);
    const canceled = await authorization(byKey);
    expect(expectStatus(await byToken('cancelUserPayment', to(canceled)), 200).body.status).toBe('canceled');
    const { data } = await logOf(byToken, OF_PAYMENTS);
    expect(data.map(({ action, subject, changes }) => [action, subject.id, changes['amount']])).toEqual([
      ['payment.cancel', canceled.transaction_id, canceled.amount],
      ['payment.refund', payment.transaction_id, 100],
      ['payment.capture', payment.transaction_id, 1_000],
    ]);
    expect(data[1]?.changes).toMatchObject({ reason: 'came back' });
    expect(data[2]?.changes).toMatchObject({ attempt_id: captured.transactions.at(-1)?.id });
    expect(new Set(data.map(({ user: by }) => by?.email))).toEqual(new Set([user.email]));
  });

  it('is executed and audited once, however often the request is repeated', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api);
    const payment = await sale(byKey);
    const request = to(payment, { body: { amount: 100 }, headers: newKey() });
    const first = expectStatus(await byToken('refundUserPayment', request), 200);
    const second = expectStatus(await byToken('refundUserPayment', request), 200);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect(operations(await found(byKey, payment), 'refund')).toEqual([['refunded', 100]]);
    expect((await logOf(byToken, OF_PAYMENTS)).meta.total).toBe(1);
  });

  it('is a different request from one by API key with the same idempotency key', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api);
    const payment = await sale(byKey);
    const request = to(payment, { body: { amount: 100 }, headers: newKey() });
    expectStatus(await byKey('refundPayment', request), 200);
    const byUser = expectStatus(await byToken('refundUserPayment', request), 200);
    expect(byUser.headers.has('idempotency-replayed')).toBe(false);
    expect(byUser.body.refunded_amount).toBe(200);
    expect((await logOf(byToken, OF_PAYMENTS)).meta.total).toBe(1);
  });

  it('has no audit entry if it was requested with the API key', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api);
    expectStatus(await byKey('refundPayment', to(await sale(byKey))), 200);
    expect((await logOf(byToken, OF_PAYMENTS)).data).toEqual([]);
  });
});
