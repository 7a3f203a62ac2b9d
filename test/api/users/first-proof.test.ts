import { apiClient, expectStatus, type ApiClient } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
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

async function secondKey({ client, registered: { company } }: TestUser): Promise<KeyPair> {
  const { data } = expectStatus(await client('createApiKey', { body: { name: 'Second' } }), 201).body;
  return { client_id: company.client_id, api_key: data.api_key };
}

async function makeEndpoint({ client }: TestUser): Promise<number> {
  const body = { url: `${api.baseUrl}/hooks`, events: ['transaction.approved'] };
  return expectStatus(await client('createWebhookEndpoint', { body }), 201).body.id;
}

describe('a password reset that is the first proof of the address', () => {
  it('leaves the stranger who registered with it no key, no session, no password and no webhooks', async () => {
    const stranger = await registerUser(api);
    const keys = [stranger.registered.company, await secondKey(stranger)];
    const endpointId = await makeEndpoint(stranger);
    expect(await worksOf(keys)).toEqual([200, 200]);

    await resetPassword(stranger);

    expect(await worksOf(keys)).toEqual([401, 401]);
    expectStatus(await stranger.client('getMe'), 401);
    const { email } = stranger;
    expectStatus(await api.anonymous('logIn', { body: { email, password: PASSWORD } }), 401);
    const owner = { ...stranger, ...(await signIn(api, stranger, NEW_PASSWORD)) };
    expect(expectStatus(await owner.client('getMe'), 200).body.data.email_verified).toBe(true);
    expect(expectStatus(await owner.client('listApiKeys'), 200).body.data).toEqual([]);
    const endpoints = expectStatus(await owner.client('listWebhookEndpoints'), 200).body.data;
    expect(endpoints).toEqual([expect.objectContaining({ id: endpointId, enabled: false })]);
    expect(await worksOf([await secondKey(owner)])).toEqual([200]);
  });

  it('is in the audit log, key by key and endpoint by endpoint', async () => {
    const stranger = await registerUser(api);
    const endpointId = await makeEndpoint(stranger);
    await resetPassword(stranger);
    const owner = await signIn(api, stranger, NEW_PASSWORD);
    const { data } = expectStatus(await owner.client('listAuditLog'), 200).body;
    expect(data.slice(0, 2)).toEqual([
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
    await resetPassword(stranger, `${NEW_PASSWORD}!`);
    expect(await worksOf([key])).toEqual([200]);
    const again = await signIn(api, stranger, `${NEW_PASSWORD}!`);
    const endpoints = expectStatus(await again.client('listWebhookEndpoints'), 200).body.data;
    expect(endpoints).toEqual([expect.objectContaining({ id: endpointId, enabled: true })]);
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

  it('rejects a token after 30 minutes, and sends at most three mails until the first one expires', async () => {
    const user = await registerUser(api);
    for (let times = 0; times < 3; times += 1) expectStatus(await user.client('sendVerificationEmail'), 200);
    const limited = expectStatus(await user.client('sendVerificationEmail'), 429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    const token = await tokenFromMail(user.email);
    await api.engine.context.db.query(
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
