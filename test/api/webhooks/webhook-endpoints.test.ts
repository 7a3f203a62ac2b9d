import { expectStatus, type ApiClient } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerUser } from '../users/user-api';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'none' });
});
afterAll(() => api.stop());

const URL = 'https://shop.example.com/webhooks';
const EVENTS = ['transaction.approved', 'transaction.status_update'];

async function create(client: ApiClient, change: object = {}) {
  const body = { url: URL, events: EVENTS, ...change };
  return expectStatus(await client('createWebhookEndpoint', { body }), 201).body;
}

describe('a webhook endpoint', () => {
  it('is created with its secret, which no later response contains', async () => {
    const { client } = await registerUser(api);
    const { secret, ...endpoint } = await create(client);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint).toMatchObject({ url: URL, events: EVENTS, enabled: true, disabled_reason: null });
    const listed = await client('listWebhookEndpoints');
    expect(expectStatus(listed, 200).body).toEqual({ data: [endpoint] });
    const stored = await api.engine.context.db.query('SELECT * FROM webhook_endpoints WHERE id = $1', [
      endpoint.id,
    ]);
    expect(JSON.stringify(stored)).not.toContain(secret.slice('whsec_'.length));
  });

  it('is changed only in the fields of the request', async () => {
    const { client } = await registerUser(api);
    const { id } = await create(client);
    const params = { id: String(id) };
    const off = await client('updateWebhookEndpoint', { params, body: { enabled: false } });
    expect(expectStatus(off, 200).body).toMatchObject({ id, url: URL, events: EVENTS, enabled: false });
    const body = { url: 'https://other.example.com/', events: ['transaction.failed', 'transaction.failed'] };
    const moved = await client('updateWebhookEndpoint', { params, body });
    expect(expectStatus(moved, 200).body).toMatchObject({
      url: body.url,
      events: ['transaction.failed'],
      enabled: false,
    });
  });

  it('is not found after it is deleted', async () => {
    const { client } = await registerUser(api);
    const { id } = await create(client);
    const params = { id: String(id) };
    expectStatus(await client('deleteWebhookEndpoint', { params }), 204);
    expectStatus(await client('deleteWebhookEndpoint', { params }), 404);
    expectStatus(await client('updateWebhookEndpoint', { params, body: { enabled: true } }), 404);
    expectStatus(await client('listWebhookDeliveries', { params }), 404);
    expect(expectStatus(await client('listWebhookEndpoints'), 200).body.data).toEqual([]);
  });

  it('has a new secret after a rotation', async () => {
    const { client } = await registerUser(api);
    const { id, secret } = await create(client);
    const rotated = await client('rotateWebhookSecret', { params: { id: String(id) } });
    expect(expectStatus(rotated, 200).body.secret).toMatch(/^whsec_/);
    expect(expectStatus(rotated, 200).body.secret).not.toBe(secret);
  });

  it('answers 409 to a test event while it is disabled', async () => {
    const { client } = await registerUser(api);
    const { id } = await create(client, { enabled: false });
    const answer = expectStatus(await client('testWebhookEndpoint', { params: { id: String(id) } }), 409);
    expect(answer.body.code).toBe('invalid_state');
  });

  it('lists a pending test event', async () => {
    const { client } = await registerUser(api);
    const { id } = await create(client);
    const params = { id: String(id) };
    const sent = expectStatus(await client('testWebhookEndpoint', { params }), 202).body.data;
    expect(sent).toMatchObject({ event: 'webhook.test', status: 'pending', retry_count: 0, attempts: [] });
    const { data, meta } = expectStatus(await client('listWebhookDeliveries', { params }), 200).body;
    expect(data).toMatchObject([
      { id: sent.id, webhook_id: `msg_${sent.id}`, transaction_id: null, subscription_id: null },
    ]);
    const { workflow } = sent;
    expect(workflow.id).toBe(`webhook-delivery/${sent.id}`);
    expect(workflow.url).toContain(`/workflows/${encodeURIComponent(workflow.id)}`);
    expect(meta).toEqual({ current_page: 1, per_page: 15, total: 1, last_page: 1 });
    const again = await client('resendWebhookDelivery', { params: { ...params, delivery: sent.id } });
    expect(expectStatus(again, 202).body.data.id).toBe(sent.id);
  });

  it('is not created twice for one URL and set of events, in whatever order and spelling', async () => {
    const { client } = await registerUser(api);
    const url = 'https://shop.example.com';
    await create(client, { url });
    const twin = { url: 'https://SHOP.example.com/', events: [...EVENTS, ...EVENTS].reverse() };
    const again = expectStatus(await client('createWebhookEndpoint', { body: twin }), 422);
    expect(again.body.errors).toEqual({ url: [expect.stringContaining('the same events')] });
    const { id } = await create(client, { url, events: ['transaction.failed'] });
    const moved = { params: { id: String(id) }, body: { events: EVENTS } };
    expectStatus(await client('updateWebhookEndpoint', moved), 422);
    expectStatus(await client('updateWebhookEndpoint', { ...moved, body: { enabled: false } }), 200);
    await create((await registerUser(api)).client, { url });
  });

  it('is created once if the same request arrives ten times at once', async () => {
    const { client } = await registerUser(api);
    const body = { url: URL, events: EVENTS };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client('createWebhookEndpoint', { body })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(9);
  });

  it('is one of at most 20 of its company, and a deleted one makes room', async () => {
    const { client } = await registerUser(api);
    const urls = Array.from({ length: 24 }, (_, index) => `${URL}/${index}`);
    const requests = urls.map((url) => client('createWebhookEndpoint', { body: { url, events: EVENTS } }));
    const answers = await Promise.all(requests);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const { data } = expectStatus(await client('listWebhookEndpoints'), 200).body;
    expectStatus(await client('deleteWebhookEndpoint', { params: { id: String(data[0]?.id) } }), 204);
    await create(client, { url: `${URL}/last` });
  });

  it.each([
    [{ url: 'http://169.254.169.254/latest' }, 'url'],
    [{ url: 'https://10.0.0.1/' }, 'url'],
    [{ url: 'https://[::ffff:10.0.0.1]/' }, 'url'],
    [{ url: 'https://user:pass@shop.example.com/' }, 'url'],
    [{ url: 'ftp://shop.example.com/' }, 'url'],
    [{ url: 'not a url' }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: ['transaction.unheard_of'] }, 'events.0'],
    [{ enabled: 'perhaps' }, 'enabled'],
  ])('is rejected if the request is %j', async (change, field) => {
    const { client } = await registerUser(api);
    const body = { url: URL, events: EVENTS, ...change };
    const answer = expectStatus(await client('createWebhookEndpoint', { body }), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
  });

  it('is not found by an invalid id', async () => {
    const { client } = await registerUser(api);
    for (const id of ['0', '-1', 'one', '99999999999999999999', '1.5']) {
      expectStatus(await client('rotateWebhookSecret', { params: { id } }), 404);
    }
  });
});

describe('GET /events', () => {
  it.each(['1', 'abc-1', '1-2-3', '99999999999999999999-1'])('rejects the cursor %s', async (after) => {
    const { registered } = await registerUser(api);
    const { client_id: clientId, api_key: apiKey } = registered.company;
    const headers = { 'X-Client-ID': clientId, 'X-API-Key': apiKey };
    const answer = expectStatus(await api.anonymous('listEvents', { headers, query: { after } }), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual(['after']);
  });
});
