import { apiClient, expectStatus, type ApiClient } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { paymentRequest } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { waitingForLocks } from '../../support/stack/waiting-for-locks';
import { PASSWORD, registerUser, registration, signIn, type TestUser } from './user-api';

const NEW_PASSWORD = 'the new battery staple';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'none' });
});
afterAll(() => api.stop());

type KeyPair = { readonly client_id: string; readonly api_key: string };
const byKey = ({ client_id, api_key }: KeyPair): ApiClient =>
  apiClient(api.baseUrl, { 'X-Client-ID': client_id, 'X-API-Key': api_key });
const worksOf = async (pairs: readonly KeyPair[]) =>
  Promise.all(pairs.map(async (pair) => (await byKey(pair)('listPayments')).status));

async function tokenFromMail(email: string): Promise<string> {
  const [mail] = ((await api.engine.context.readOutbox?.()) ?? []).filter(({ to }) => to === email);
  return /^[\w-]{43}$/m.exec(mail?.text ?? '')?.[0] ?? 'no token was mailed';
}

/** What the owner of the mailbox does. */
async function resetPassword({ email }: Pick<TestUser, 'email'>, password = NEW_PASSWORD): Promise<void> {
  expectStatus(await api.anonymous('forgotPassword', { body: { email } }), 200);
  const body = { token: await tokenFromMail(email), password, password_confirmation: password };
  expectStatus(await api.anonymous('resetPassword', { body }), 200);
}

/** What a user who reads mail at the address does while signed in. */
async function verify(user: TestUser) {
  expectStatus(await user.client('sendVerificationEmail'), 200);
  return user.client('verifyEmail', { body: { token: await tokenFromMail(user.email) } });
}

async function secondKey(
  { client, registered: { company } }: TestUser,
  change: object = {},
): Promise<KeyPair> {
  const body = { name: 'Second', ...change };
  const { data } = expectStatus(await client('createApiKey', { body }), 201).body;
  return { client_id: company.client_id, api_key: data.api_key };
}

async function makeEndpoint({ client }: TestUser): Promise<number> {
  const body = { url: `${api.baseUrl}/hooks`, events: ['transaction.approved'] };
  return expectStatus(await client('createWebhookEndpoint', { body }), 201).body.id;
}

async function makeGateway({ registered: { company } }: TestUser): Promise<void> {
  const gateways = [{ gateway_slug: 'gateway_1', secret_key: `sk_test_${company.client_id}` }];
  expectStatus(await byKey(company)('saveGateways', { body: { gateways } }), 200);
}

async function gatewaysOf(client: ApiClient): Promise<Record<string, unknown>> {
  const { data } = expectStatus(await client('listGateways'), 200).body;
  const own = data
    .filter(({ configured }) => configured)
    .map(({ gateway_slug: slug, enabled }) => [slug, enabled]);
  return Object.fromEntries(own) as Record<string, unknown>;
}

describe('a password reset that is the first proof of the address', () => {
  it('leaves the stranger who registered with it no key, no session, no password, no webhooks and no charges', async () => {
    const stranger = await registerUser(api);
    const keys = [
      stranger.registered.company,
      await secondKey(stranger),
      await secondKey(stranger, { mode: 'live' }),
    ];
    const endpointId = await makeEndpoint(stranger);
    await makeGateway(stranger);
    expect(await worksOf(keys)).toEqual([200, 200, 200]);

    await resetPassword(stranger);

    expect(await worksOf(keys)).toEqual([401, 401, 401]);
    expectStatus(await stranger.client('getMe'), 401);
    const { email } = stranger;
    expectStatus(await api.anonymous('logIn', { body: { email, password: PASSWORD } }), 401);
    const owner = { ...stranger, ...(await signIn(api, stranger, NEW_PASSWORD)) };
    expect(expectStatus(await owner.client('getMe'), 200).body.data.email_verified).toBe(true);
    expect(expectStatus(await owner.client('listApiKeys'), 200).body.data).toEqual([]);
    const endpoints = expectStatus(await owner.client('listWebhookEndpoints'), 200).body.data;
    expect(endpoints).toEqual([expect.objectContaining({ id: endpointId, enabled: false })]);
    const ownKey = await secondKey(owner);
    expect(await worksOf([ownKey])).toEqual([200]);
    expect(await gatewaysOf(owner.client)).toEqual({ gateway_1: false });
    const refused = expectStatus(await byKey(ownKey)('createCardPayment', { body: paymentRequest() }), 422);
    expect(refused.body.code).toBe('no_gateway_available');
  });

  it('is not undone by requests of the stranger that are under way', async () => {
    const stranger = await registerUser(api);
    const id = String(await makeEndpoint(stranger));
    await makeGateway(stranger);
    const change = (enabled: boolean) => [
      () => stranger.client('updateWebhookEndpoint', { params: { id }, body: { enabled } }),
      () => stranger.client('updateGateway', { params: { slug: 'gateway_1' }, body: { enabled } }),
      () =>
        stranger.client('saveUserGateway', {
          params: { slug: 'gateway_1' },
          body: { secret_key: `sk_late_${enabled}` },
        }),
    ];
    for (const disable of change(false)) expectStatus(await disable(), 200);
    const { credentials, db } = api.engine.context;
    const underWay: Array<Promise<{ readonly status: number }>> = [];
    const disableAll = credentials.disableAll.bind(credentials);
    const spy = jest.spyOn(credentials, 'disableAll').mockImplementationOnce(async (...args) => {
      const disabled = await disableAll(...args);
      underWay.push(...change(true).map((enable) => enable()));
      const late = Promise.all(underWay);
      await Promise.race([late, waitFor(async () => (await waitingForLocks(db)) === 3)]);
      return disabled;
    });
    await resetPassword(stranger);
    spy.mockRestore();
    expect((await Promise.all(underWay)).map(({ status }) => status)).toEqual([401, 401, 401]);
    const { client } = await signIn(api, stranger, NEW_PASSWORD);
    expect(await gatewaysOf(client)).toEqual({ gateway_1: false });
    const endpoints = expectStatus(await client('listWebhookEndpoints'), 200).body.data;
    expect(endpoints.map(({ enabled }) => enabled)).toEqual([false]);
  });

  it('is not undone by gateway credentials that a revoked key was about to save', async () => {
    const stranger = await registerUser(api);
    const { credentials, db } = api.engine.context;
    const lockAll = credentials.lockAll.bind(credentials);
    const spy = jest.spyOn(credentials, 'lockAll').mockImplementationOnce(async (tx, companyId) => {
      await db.query('UPDATE api_keys SET revoked_at = now() WHERE company_id = $1', [companyId]);
      return lockAll(tx, companyId);
    });
    const gateways = [{ gateway_slug: 'gateway_1', secret_key: 'sk_test_stranger' }];
    const { company } = stranger.registered;
    expectStatus(await byKey(company)('saveGateways', { body: { gateways } }), 401);
    spy.mockRestore();
    expect(await gatewaysOf(stranger.client)).toEqual({});
  });

  it('is in the audit log, key by key, endpoint by endpoint and gateway by gateway', async () => {
    const stranger = await registerUser(api);
    const endpointId = await makeEndpoint(stranger);
    await makeGateway(stranger);
    await resetPassword(stranger);
    const owner = await signIn(api, stranger, NEW_PASSWORD);
    const { data } = expectStatus(await owner.client('listAuditLog'), 200).body;
    expect(data.slice(0, 3)).toEqual([
      expect.objectContaining({
        action: 'gateway.update',
        subject: { type: 'gateway', id: 'gateway_1' },
        changes: { enabled: { from: true, to: false } },
      }),
      expect.objectContaining({
        action: 'webhook_endpoint.update',
        subject: { type: 'webhook_endpoint', id: String(endpointId) },
        changes: { enabled: { from: true, to: false } },
      }),
      expect.objectContaining({
        action: 'api_key.revoke',
        changes: { name: 'Registration', scopes: ['read', 'write'] },
      }),
    ]);
  });

  it('happens once: what the owner makes afterwards survives the next reset', async () => {
    const stranger = await registerUser(api);
    await resetPassword(stranger);
    const owner = { ...stranger, ...(await signIn(api, stranger, NEW_PASSWORD)) };
    const [key, endpointId] = [await secondKey(owner), await makeEndpoint(owner)];
    await makeGateway({
      ...owner,
      registered: { ...owner.registered, company: { ...owner.registered.company, ...key } },
    });
    await resetPassword(stranger, `${NEW_PASSWORD}!`);
    expect(await worksOf([key])).toEqual([200]);
    const again = await signIn(api, stranger, `${NEW_PASSWORD}!`);
    const endpoints = expectStatus(await again.client('listWebhookEndpoints'), 200).body.data;
    expect(endpoints).toEqual([expect.objectContaining({ id: endpointId, enabled: true })]);
    expect(await gatewaysOf(again.client)).toEqual({ gateway_1: true });
  });

  it('keeps everything of a company whose first user registered with its key pair', async () => {
    const { body } = expectStatus(await api.anonymous('registerCompany', { body: { name: 'Loja' } }), 200);
    const { client_id, api_key } = body.credentials;
    const request = registration();
    const headers = { 'X-Client-ID': client_id, 'X-API-Key': api_key };
    const registered = expectStatus(
      await api.anonymous('registerUser', { body: request, headers }),
      201,
    ).body;
    await resetPassword(request);
    expect(await worksOf([body.credentials, registered.company])).toEqual([200, 200]);
  });
});

describe('POST /user/me/verify-email', () => {
  it('proves the address while signed in, so that a later password reset revokes nothing', async () => {
    const user = await registerUser(api);
    const keys = [user.registered.company, await secondKey(user)];
    const { body } = expectStatus(await verify(user), 200);
    expect(body.data).toMatchObject({ email: user.email, email_verified: true });
    await resetPassword(user);
    expect(await worksOf(keys)).toEqual([200, 200]);
  });

  it('accepts a token only in a session of its user, and once', async () => {
    const [user, other] = [await registerUser(api), await registerUser(api)];
    expectStatus(await user.client('sendVerificationEmail'), 200);
    const body = { token: await tokenFromMail(user.email) };
    expectStatus(await other.client('verifyEmail', { body }), 422);
    expectStatus(await api.anonymous('verifyEmail', { body }), 401);
    expectStatus(await user.client('verifyEmail', { body }), 200);
    expectStatus(await user.client('verifyEmail', { body }), 409);
    expectStatus(await user.client('sendVerificationEmail'), 409);
  });

  it('rejects a token after 30 minutes, and sends at most three mails until the first one expires, also to concurrent requests', async () => {
    const user = await registerUser(api);
    const { db } = api.engine.context;
    const { sent } = await db.inTransaction(async (tx) => {
      await db.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [user.registered.user.id], tx);
      const requests = Array.from({ length: 4 }, () => user.client('sendVerificationEmail'));
      await waitFor(async () => (await waitingForLocks(db)) === 4);
      return { sent: Promise.all(requests) };
    });
    const answers = await sent;
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const limited = expectStatus(await user.client('sendVerificationEmail'), 429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    const token = await tokenFromMail(user.email);
    await db.query(
      `UPDATE email_verifications SET expires_at = expires_at - interval '30 minutes' WHERE user_id = $1`,
      [user.registered.user.id],
    );
    expectStatus(await user.client('verifyEmail', { body: { token } }), 422);
    expectStatus(await user.client('sendVerificationEmail'), 200);
  });

  it('stores only the hash of the token', async () => {
    const user = await registerUser(api);
    expectStatus(await user.client('sendVerificationEmail'), 200);
    const token = await tokenFromMail(user.email);
    const rows = await api.engine.context.db.query(
      'SELECT to_jsonb(v)::text AS row FROM email_verifications v',
    );
    expect(token).toHaveLength(43);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});
