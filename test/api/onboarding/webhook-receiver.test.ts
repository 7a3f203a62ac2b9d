import { randomUUID } from 'node:crypto';
import { MAX_RECEIVED, RECEIVED_LIFETIME_MS } from '../../../src/domain/webhooks/received-webhook';
import { newWebhookSecret, webhookHeaders } from '../../../src/security/webhook-signature';
import { waitFor } from '../../support/stack/wait-for';
import { liveAccess, newCompanyAccess } from '../isolation/company-resources';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { findInDatabase } from '../support/find-in-database';
import { registerCompanyWithUser, type CompanyWithUser } from '../support/manual-resolution';
import { sale } from '../support/payment-scenario';

/* A webhook receiver at this service itself, for a company to look at its test events. */

let api: EngineApi;
beforeAll(async () => {
  // As in a network where this service cannot reach its own address: the guard refuses loopback.
  api = await startEngineApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '1000', WEBHOOK_ALLOW_LOOPBACK: 'false' });
});
afterAll(() => api.stop());

async function newReceiver() {
  const company = await registerCompanyWithUser(api);
  const headers = { 'Idempotency-Key': randomUUID() };
  const endpoint = expectStatus(await company.byToken('createWebhookReceiver', { headers }), 201).body;
  return { company, endpoint, token: endpoint.url.split('/').at(-1) ?? '' };
}

const look = async ({ byToken }: Pick<CompanyWithUser, 'byToken'>) =>
  expectStatus(await byToken('getWebhookReceiver'), 200).body.data;

const post = (token: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${api.baseUrl}/api/v1/webhook-receivers/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });

describe('the receiver of a company', () => {
  it('receives its events with a valid signature, as they are sent to any endpoint', async () => {
    const { company, endpoint } = await newReceiver();
    const payment = await sale(company.byKey);
    await waitFor(async () => (await look(company)).messages.length > 0);
    const { messages } = await look(company);
    const [message] = messages;
    expect(message).toMatchObject({ signature: 'valid', delivery_id: expect.any(String) });
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      event: 'transaction.approved',
      transaction_id: payment.transaction_id,
    });
    expect(Buffer.byteLength(message?.body ?? '')).toBe(message?.body_bytes);
    expect(message?.headers.map(({ name }) => name)).toEqual([
      ...['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature'],
    ]);
    const params = { id: String(endpoint.id) };
    const deliveries = expectStatus(await company.byToken('listWebhookDeliveries', { params }), 200).body;
    expect(deliveries.data).toMatchObject([{ status: 'delivered', attempts: [{ status_code: 200 }] }]);
  });

  it('is one, however often it is added, until its endpoint is deleted', async () => {
    const { company, endpoint, token } = await newReceiver();
    const add = () =>
      company.byToken('createWebhookReceiver', { headers: { 'Idempotency-Key': randomUUID() } });
    const again = await Promise.all([add(), add()]);
    expect(again.map((answer) => expectStatus(answer, 201).body.id)).toEqual([endpoint.id, endpoint.id]);
    const params = { id: String(endpoint.id) };
    expectStatus(await company.byToken('deleteWebhookEndpoint', { params }), 204);
    expect((await look(company)).endpoint).toBeNull();
    expect((await post(token, '{}')).status).toBe(404);
    const [one, two] = await Promise.all([add(), add()]);
    const next = expectStatus(one, 201).body;
    expect(expectStatus(two, 201).body).toEqual(next);
    expect(next.url).not.toBe(endpoint.url);
    expect((await look(company)).endpoint).toMatchObject({ id: next.id });
  });

  it('shows no personal data of a customer once that customer is erased', async () => {
    const { company } = await newReceiver();
    const mark = randomUUID();
    const body = { name: `Rosa ${mark}`, email: `${mark}@example.com`, document: '52998224725' };
    const { token } = expectStatus(await company.byKey('createCustomer', { body }), 201).body.data;
    await sale(company.byKey, { customer: { token } });
    await waitFor(async () => (await look(company)).messages[0]?.body?.includes(mark));
    expectStatus(await company.byKey('eraseCustomer', { params: { token } }), 204);
    expect(JSON.stringify(await look(company))).not.toContain(mark);
    expect(await findInDatabase(api.engine, mark)).toEqual([]);
  });

  it('does not exist for live data', async () => {
    const live = await liveAccess(api, await newCompanyAccess(api));
    expectStatus(await live.byToken('getWebhookReceiver'), 404);
    expectStatus(await live.byToken('createWebhookReceiver'), 404);
  });
});

describe('a message from outside', () => {
  const signed = (secret: string, sentAt: Date, body: string) =>
    webhookHeaders({ id: `msg_${randomUUID()}`, sentAt, body }, [secret]);

  it('is kept with the result of its signature check, without its body, and is answered alike', async () => {
    const { company, endpoint, token } = await newReceiver();
    const rotated = await company.byToken('rotateWebhookSecret', { params: { id: String(endpoint.id) } });
    const { secret } = expectStatus(rotated, 200).body;
    const body = JSON.stringify({ event: randomUUID() });
    const old = new Date(Date.now() - 600_000);
    const all = [
      {},
      signed(newWebhookSecret(), new Date(), body),
      signed(secret, old, body),
      signed(secret, new Date(), body),
    ];
    for (const headers of all) {
      const answer = await post(token, body, headers);
      expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
    }
    const { messages } = await look(company);
    expect(messages.map(({ signature }) => signature)).toEqual(['valid', 'expired', 'invalid', 'missing']);
    expect(messages.map((message) => message.body)).toEqual([null, null, null, null]);
    expect(await findInDatabase(api.engine, body)).toEqual([]);
  });

  it('that names a delivery of another company shows nothing of it', async () => {
    const [ours, theirs] = [await newReceiver(), await newReceiver()];
    await sale(theirs.company.byKey);
    await waitFor(async () => (await look(theirs.company)).messages.length > 0);
    const [{ delivery_id: deliveryId } = { delivery_id: null }] = (await look(theirs.company)).messages;
    const rotated = await ours.company.byToken('rotateWebhookSecret', {
      params: { id: String(ours.endpoint.id) },
    });
    const { secret } = expectStatus(rotated, 200).body;
    const body = '{}';
    const headers = webhookHeaders({ id: `msg_${deliveryId}`, sentAt: new Date(), body }, [secret]);
    expect((await post(ours.token, body, headers)).status).toBe(200);
    expect((await look(ours.company)).messages).toMatchObject([
      { signature: 'valid', body: null, delivery_id: null },
    ]);
  });

  it('needs the token of a receiver, and a body of at most 256 KiB', async () => {
    const { token } = await newReceiver();
    const unknown = await post(
      token.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
      '{}',
    );
    expect(unknown.status).toBe(404);
    expect((await post('short', '{}')).status).toBe(404);
    expect((await post(token, 'x'.repeat(256 * 1_024 + 1))).status).toBe(413);
  });

  it('is deleted after the last fifty, and after seven days', async () => {
    const { company, token } = await newReceiver();
    const { db, receivers } = api.engine.context;
    for (let sent = 0; sent < MAX_RECEIVED + 3; sent += 1) await post(token, String(sent));
    const count = async () =>
      (await db.query('SELECT 1 FROM received_webhooks WHERE company_id = $1', [company.companyId])).length;
    expect(await count()).toBe(MAX_RECEIVED);
    expect((await look(company)).messages.length).toBe(MAX_RECEIVED);
    await db.execute(`UPDATE received_webhooks SET received_at = $2 WHERE company_id = $1`, [
      company.companyId,
      new Date(Date.now() - RECEIVED_LIFETIME_MS - 1_000),
    ]);
    expect((await look(company)).messages).toEqual([]);
    await receivers.deleteOld(1_000, new Date());
    expect(await count()).toBe(0);
  });
});
