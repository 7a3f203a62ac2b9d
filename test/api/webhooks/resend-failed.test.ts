import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerCompanyWithUser, type CompanyWithUser } from '../support/manual-resolution';
import { newKey, sale } from '../support/payment-scenario';
import { waitFor } from '../../support/stack/wait-for';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';

let api: EngineApi;
let receiver: WebhookReceiver;
beforeAll(async () => {
  [api, receiver] = await Promise.all([
    startEngineApi({ WEBHOOK_RETRY_SCHEDULE: '0.1' }),
    startWebhookReceiver(),
  ]);
});
afterAll(async () => {
  receiver.close();
  await api.stop();
});

/** A company with an endpoint at which these payments' events have failed. */
async function failedDeliveries(amounts: readonly number[]) {
  const company = await registerCompanyWithUser(api);
  const body = { url: receiver.url, events: ['transaction.approved', 'transaction.refunded'] };
  const { id } = expectStatus(await company.byToken('createWebhookEndpoint', { body }), 201).body;
  receiver.behave(answer(503));
  for (const amount of amounts) {
    await sale(company.byKey, { amount, merchant_order_id: `order-${amount}` });
  }
  const params = { id: String(id) };
  await waitFor(async () => (await listed(company, params, 'failed')).meta.total === amounts.length);
  return { company, params };
}

const listed = async ({ byToken }: CompanyWithUser, params: { id: string }, status: string) =>
  expectStatus(await byToken('listWebhookDeliveries', { params, query: { status } }), 200).body;

const resend = async ({ byToken }: CompanyWithUser, params: { id: string }, body: object = {}) =>
  expectStatus(await byToken('resendFailedDeliveries', { params, body }), 202).body.data;

describe('POST /user/company/webhooks/{id}/deliveries/resend-failed', () => {
  it('delivers each failed event once, and a repeated request sends nothing more', async () => {
    const { company, params } = await failedDeliveries([1_001, 1_002, 1_003]);
    receiver.behave(answer(204));
    const before = receiver.received.length;
    const headers = newKey();
    const [first, repeated, other] = await Promise.all([
      company.byToken('resendFailedDeliveries', { params, headers, body: {} }),
      company.byToken('resendFailedDeliveries', { params, headers, body: {} }),
      resend(company, params),
    ]);
    const { data } = expectStatus(first, 202).body;
    expect(expectStatus(repeated, 202).body.data).toEqual(data);
    expect(data.resent + other.resent).toBe(3);
    await waitFor(async () => (await listed(company, params, 'delivered')).meta.total === 3);
    expect(receiver.received.length - before).toBe(3);
    expect(await resend(company, params)).toEqual({ resent: 0, remaining: 0 });
  });

  it('takes only the chosen event, is audited, and lists each delivery with its order and amount', async () => {
    const { company, params } = await failedDeliveries([2_001]);
    expect(await resend(company, params, { event: 'transaction.refunded' })).toEqual({
      resent: 0,
      remaining: 0,
    });
    const { data } = await listed(company, params, 'failed');
    expect(data).toMatchObject([
      {
        status: 'failed',
        payment: { merchant_order_id: 'order-2001', amount: 2_001, currency: 'BRL' },
        attempts: [{ status_code: 503 }, { status_code: 503 }],
      },
    ]);
    const chosen = { action: 'webhook_endpoint.resend_failed' } as const;
    const log = expectStatus(await company.byToken('listAuditLog', { query: chosen }), 200).body.data;
    expect(log).toMatchObject([{ changes: { resent: 0, event: 'transaction.refunded' } }]);
  });

  it('sends nothing while the endpoint is disabled', async () => {
    const { company, params } = await failedDeliveries([3_001]);
    expectStatus(await company.byToken('updateWebhookEndpoint', { params, body: { enabled: false } }), 200);
    const refused = await company.byToken('resendFailedDeliveries', { params, body: {} });
    expect(expectStatus(refused, 409).body.code).toBe('invalid_state');
    expect((await listed(company, params, 'failed')).meta.total).toBe(1);
  });
});
