import { randomUUID } from 'node:crypto';
import { apiClient, expectStatus, type ApiClient } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerUser, signIn, type TestUser } from '../users/user-api';

/* The Idempotency-Key of requests that create something without moving money. */

let api: EngineApi;
let owner: TestUser;
let byKey: ApiClient;
beforeAll(async () => {
  api = await startEngineApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '1000' }, { workers: 'none' });
  owner = await registerUser(api);
  const { client_id: id, api_key: key } = owner.registered.company;
  byKey = apiClient(api.baseUrl, { 'X-Client-ID': id, 'X-API-Key': key });
});
afterAll(() => api.stop());

const KEY = 'Idempotency-Key';
const withKey = (key: string = randomUUID()) => ({ [KEY]: key });
const customer = (document: string) => ({ name: 'Maria Souza', email: 'maria@example.com', document });
const plan = { name: 'Gold', amount: 9_990, currency: 'BRL', interval: 'monthly' };
const coupon = () => ({
  ...{ code: randomUUID().replaceAll('-', ''), name: 'Welcome', valid_from: '2026-01-01' },
  ...{ discount_type: 'percentage', discount_value: 25 },
});
const link = { name: 'Workshop', type: 'one_time', amount: 5_000 };
const endpoint = () => ({
  ...{ url: `https://shop.example.com/${randomUUID()}`, events: ['transaction.approved'] },
  enabled: true,
});
const card = {
  number: '4111111111111111',
  holder_name: 'MARIA',
  expire_month: 12,
  expire_year: 2035,
  cvv: '737',
};

async function newEndpointId(): Promise<string> {
  const { body } = expectStatus(await owner.client('createWebhookEndpoint', { body: endpoint() }), 201);
  return String(body.id);
}

async function newCustomerToken(document: string): Promise<string> {
  return expectStatus(await byKey('createCustomer', { body: customer(document) }), 201).body.data.token;
}

describe('a repeated request with the same key', () => {
  it.each([
    ['createCustomer', () => byKey, () => ({ body: customer('11111111111') })],
    [
      'createCustomerCard',
      () => byKey,
      async () => ({ params: { token: await newCustomerToken('22222222222') }, body: card }),
    ],
    ['createPlan', () => byKey, () => ({ body: plan })],
    ['createUserPlan', () => owner.client, () => ({ body: plan })],
    ['createCoupon', () => byKey, () => ({ body: coupon() })],
    ['createUserCoupon', () => owner.client, () => ({ body: coupon() })],
    ['createPaymentLink', () => byKey, () => ({ body: link })],
    ['createUserPaymentLink', () => owner.client, () => ({ body: link })],
    [
      'addCustomerNote',
      () => owner.client,
      async () => ({ params: { token: await newCustomerToken('33333333333') }, body: { text: 'Called.' } }),
    ],
    ['testWebhookEndpoint', () => owner.client, async () => ({ params: { id: await newEndpointId() } })],
  ] as const)(
    'to %s gets the first answer, even while the first runs, and creates nothing',
    async (id, by, of) => {
      const request = { ...(await of()), headers: withKey() };
      const client = by();
      const answers = await Promise.all([client(id, request), client(id, request), client(id, request)]);
      const [first, ...others] = answers.sort((one, other) => replayed(one).length - replayed(other).length);
      expect([201, 202]).toContain(first?.status);
      expect(answers.map(replayed)).toEqual(['', 'true', 'true']);
      for (const other of others) expect([other.status, other.body]).toEqual([first?.status, first?.body]);
      const changed = { ...request, body: { ...('body' in request && request.body), extra: 1 } };
      if ('body' in request) {
        expect(expectStatus(await client(id, changed), 422).body.code).toBe('idempotency_key_reused');
      }
    },
  );

  it.each([
    ['createWebhookEndpoint', () => owner.client, () => ({ body: endpoint() }), 201],
    ['rotateWebhookSecret', () => owner.client, async () => ({ params: { id: await newEndpointId() } }), 200],
    ['createApiKey', () => owner.client, () => ({ body: { name: 'Reporting', scopes: ['read'] } }), 201],
    ['createCheckoutSession', () => byKey, () => ({ body: { type: 'one_time', amount: 5_000 } }), 201],
  ] as const)('to %s is 409 without the secret, with the id of what exists', async (id, by, of, status) => {
    const key = randomUUID();
    const request = { ...(await of()), headers: withKey(key) };
    const created = (await by()(id, request)) as { status: number; body: Record<string, unknown> };
    expect(created.status).toBe(status);
    const body = { ...created.body, ...(created.body['data'] as Record<string, unknown> | undefined) };
    const { secret, api_key: apiKey, token, id: createdId, merchant_order_id: orderId } = body;
    const again = expectStatus(await by()(id, request), 409);
    expect(again.body).toMatchObject({ code: 'secret_already_shown', resource_id: createdId ?? orderId });
    expect(replayed(again)).toBe('true');
    const [stored] = await api.engine.context.db.query(
      `SELECT response_body::text AS body FROM idempotency_keys WHERE key LIKE '%' || $1`,
      [key],
    );
    expect(JSON.stringify(stored)).toContain('secret_already_shown');
    expect(JSON.stringify(stored)).not.toContain(String(secret ?? apiKey ?? token));
  });

  it('is handled as a new request if the first one was invalid', async () => {
    const headers = withKey();
    expectStatus(await byKey('createPlan', { body: { ...plan, amount: 1 }, headers }), 422);
    const taken = { ...coupon(), code: 'Taken' };
    expectStatus(await byKey('createCoupon', { body: taken }), 201);
    expectStatus(await byKey('createCoupon', { body: taken, headers }), 422);
    expect(replayed(expectStatus(await byKey('createPlan', { body: plan, headers }), 201))).toBe('');
  });
});

describe('a key', () => {
  it('of one user is not that of another, nor that of the company', async () => {
    const headers = withKey();
    const other = await registerUser(api);
    await api.engine.context.db.query('UPDATE users SET company_id = $1 WHERE id = $2', [
      owner.registered.user.company_id,
      other.registered.user.id,
    ]);
    const { client: colleague } = await signIn(api, other);
    const [mine, theirs, ours] = [
      expectStatus(await owner.client('createUserPlan', { body: plan, headers }), 201),
      expectStatus(await colleague('createUserPlan', { body: plan, headers }), 201),
      expectStatus(await byKey('createPlan', { body: plan, headers }), 201),
    ];
    expect(new Set([mine, theirs, ours].map(({ body }) => body.data.id)).size).toBe(3);
  });

  it('can be used again after seven days if no money moved, and is deleted then', async () => {
    const { idempotency, db } = api.engine.context;
    const key = randomUUID();
    const first = expectStatus(await byKey('createPlan', { body: plan, headers: withKey(key) }), 201);
    const count = async () => (await db.query('SELECT 1 FROM idempotency_keys WHERE key = $1', [key])).length;
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    await idempotency.deleteExpired(1_000, inDays(6.9));
    expect(await count()).toBe(1);
    await idempotency.deleteExpired(1_000, inDays(7.1));
    expect(await count()).toBe(0);
    const again = expectStatus(await byKey('createPlan', { body: plan, headers: withKey(key) }), 201);
    expect(again.body.data.id).not.toBe(first.body.data.id);
  });

  it('of a request that moves money never expires', async () => {
    const { idempotency, db } = api.engine.context;
    const claim = {
      companyId: owner.registered.user.company_id,
      key: randomUUID(),
      requestHashes: ['hash'],
    } as const;
    await db.inTransaction((tx) => idempotency.claim(tx, claim));
    await idempotency.deleteExpired(1_000, new Date(Date.now() + 3_650 * 86_400_000));
    expect(await idempotency.find(claim.companyId, claim.key)).not.toBeNull();
  });
});

function replayed({ headers }: { readonly headers: Headers }): string {
  return headers.get('Idempotency-Replayed') ?? '';
}
