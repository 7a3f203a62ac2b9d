import { randomUUID } from 'node:crypto';
import { apiClient, expectStatus, type ApiClient } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerUser, signIn, type TestUser } from './user-api';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'none' });
});
afterAll(() => api.stop());

const byKey = ({ registered: { company } }: TestUser, apiKey = company.api_key): ApiClient =>
  apiClient(api.baseUrl, { 'X-Client-ID': company.client_id, 'X-API-Key': apiKey });

async function createKey({ client }: TestUser, body: object = { name: 'Shop' }) {
  return expectStatus(await client('createApiKey', { body }), 201).body.data;
}
async function listKeys({ client }: TestUser) {
  return expectStatus(await client('listApiKeys'), 200).body;
}

describe('POST /user/company/api-keys', () => {
  it('creates a key that works beside the first one, is shown once and is stored as a hash', async () => {
    const user = await registerUser(api);
    expect((await byKey(user)('listPayments')).status).toBe(200);
    const created = await createKey(user, { name: ' Shop ' });
    expect(created).toEqual({
      id: expect.any(Number),
      name: 'Shop',
      mode: 'test',
      scopes: ['read', 'write'],
      created_at: expect.any(String),
      last_used_at: null,
      api_key: expect.stringMatching(/^sk_test_[\w-]{43}$/),
      warning: expect.stringMatching(/not shown again/),
    });
    expect((await byKey(user, created.api_key)('listPayments')).status).toBe(200);
    expect((await byKey(user)('listPayments')).status).toBe(200);
    const rows = await api.engine.context.db.query('SELECT to_jsonb(k)::text AS row FROM api_keys k');
    expect(JSON.stringify(rows)).not.toContain(created.api_key.slice(3));
    expect(JSON.stringify(await listKeys(user))).not.toContain(created.api_key.slice(3));
  });

  it('gives a key only the scopes that were asked for: others answer 403', async () => {
    const user = await registerUser(api);
    const reads = byKey(user, (await createKey(user, { name: 'Reports', scopes: ['read'] })).api_key);
    const writes = byKey(user, (await createKey(user, { name: 'Orders', scopes: ['write'] })).api_key);
    const customer = { name: 'Maria Souza', email: 'maria@example.com', document: '52998224725' };
    expectStatus(await reads('listCustomers'), 200);
    expect(expectStatus(await reads('createCustomer', { body: customer }), 403).body).toMatchObject({
      code: 'insufficient_scope',
      message: 'This API key lacks the scope customers:write.',
    });
    expectStatus(await writes('createCustomer', { body: customer }), 201);
    expectStatus(await writes('listCustomers'), 403);
  });

  it('answers 409 for a 21st key, also if they are created concurrently', async () => {
    const user = await registerUser(api);
    const answers = await Promise.all(
      Array.from({ length: 22 }, (_, index) =>
        user.client('createApiKey', { body: { name: `Key ${index}` } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(19);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    expect((await listKeys(user)).meta.total).toBe(20);
  });

  it.each([
    ['name', {}],
    ['name', { name: ' ' }],
    ['scopes', { name: 'Shop', scopes: [] }],
    ['scopes.0', { name: 'Shop', scopes: ['admin'] }],
    ['scopes', { name: 'Shop', scopes: ['read', 'read'] }],
    ['mode', { name: 'Shop', mode: 'production' }],
  ])('answers 422 on %s for %j', async (field, body) => {
    const { client } = await registerUser(api);
    const { errors } = expectStatus(await client('createApiKey', { body }), 422).body;
    expect(Object.keys(errors ?? {})).toEqual([field]);
  });
});

describe('GET /user/company/api-keys', () => {
  it('lists the valid keys newest first, with their last use', async () => {
    const user = await registerUser(api);
    const { id } = await createKey(user, { name: 'Shop', scopes: ['read'] });
    expect((await byKey(user)('listPayments')).status).toBe(200);
    const { context } = api.engine;
    const [first] = await context.db.query<{ id: number }>(
      'SELECT min(id) AS id FROM api_keys WHERE company_id = $1',
      [user.registered.user.company_id],
    );
    await context.companyApiKeys.recordUse(first?.id ?? 0);
    const { data, meta } = await listKeys(user);
    expect(data).toEqual([
      {
        id,
        name: 'Shop',
        mode: 'test',
        scopes: ['read'],
        created_at: expect.any(String),
        last_used_at: null,
      },
      {
        id: first?.id,
        name: 'Registration',
        mode: 'test',
        scopes: ['read', 'write'],
        created_at: expect.any(String),
        last_used_at: expect.any(String),
      },
    ]);
    expect(meta).toEqual({ current_page: 1, per_page: 15, total: 2, last_page: 1 });
  });
});

describe('DELETE /user/company/api-keys/{id}', () => {
  it('revokes a key at once, leaves the others, and answers 404 the second time', async () => {
    const user = await registerUser(api);
    const created = await createKey(user);
    const revoked = byKey(user, created.api_key);
    expect((await revoked('listPayments')).status).toBe(200);
    const params = { id: String(created.id) };
    expectStatus(await user.client('revokeApiKey', { params }), 204);
    expectStatus(await revoked('listPayments'), 401);
    expect((await byKey(user)('listPayments')).status).toBe(200);
    expectStatus(await user.client('revokeApiKey', { params }), 404);
    expect((await listKeys(user)).data.map(({ name }) => name)).toEqual(['Registration']);
  });

  it('is audited like the creation, with the name and the scopes but never the key', async () => {
    const user = await registerUser(api);
    const created = await createKey(user, { name: 'Shop', scopes: ['write'] });
    expectStatus(await user.client('revokeApiKey', { params: { id: String(created.id) } }), 204);
    const { data } = expectStatus(await user.client('listAuditLog'), 200).body;
    const changes = { name: 'Shop', scopes: ['write'] };
    const subject = { type: 'api_key', id: String(created.id) };
    expect(data).toEqual([
      expect.objectContaining({ action: 'api_key.revoke', subject, changes }),
      expect.objectContaining({ action: 'api_key.create', subject, changes }),
    ]);
    expect(JSON.stringify(data)).not.toContain(created.api_key);
  });
});

describe('modes', () => {
  const liveUser = (user: TestUser): TestUser => ({
    ...user,
    client: (id, options = {}) =>
      user.client(id, { ...options, headers: { ...options.headers, 'X-Mode': 'live' } }),
  });
  const customer = { name: 'Maria Souza', email: 'maria@example.com', document: '52998224725' };

  it('a key works with the data of its mode alone, whichever mode made it', async () => {
    const user = await registerUser(api);
    expect(user.registered.company.api_key).toMatch(/^sk_test_/);
    const live = await createKey(user, { name: 'Live', mode: 'live' });
    expect(live).toMatchObject({ mode: 'live', api_key: expect.stringMatching(/^sk_live_[\w-]{43}$/) });
    const back = await createKey(liveUser(user), { name: 'Test', mode: 'test' });
    const { token } = expectStatus(await byKey(user, back.api_key)('createCustomer', { body: customer }), 201)
      .body.data;
    expectStatus(await byKey(user)('getCustomer', { params: { token } }), 200);
    expectStatus(await byKey(user, live.api_key)('getCustomer', { params: { token } }), 404);
    expect((await listKeys(liveUser(user))).data.map(({ name }) => name)).toEqual(['Live']);
    expect((await listKeys(user)).data.map(({ name }) => name)).toEqual(['Test', 'Registration']);
    expectStatus(await user.client('revokeApiKey', { params: { id: String(live.id) } }), 404);
    expectStatus(await liveUser(user).client('revokeApiKey', { params: { id: String(live.id) } }), 204);
    expectStatus(await byKey(user, live.api_key)('listCustomers'), 401);
  });

  it('a request with X-Mode is about the data of that mode, by default of the sandbox’s own', async () => {
    const user = await registerUser(api);
    const modeOf = async ({ client }: TestUser) => expectStatus(await client('getMe'), 200).body.data;
    expect(await modeOf(user)).toMatchObject({ company: { mode: 'test' } });
    const { client_id } = user.registered.company;
    expect(await modeOf(liveUser(user))).toMatchObject({
      company_id: user.registered.user.company_id,
      company: { mode: 'live', client_id },
    });
    const wrong = await user.client('getMe', { headers: { 'X-Mode': 'production' } });
    expect(expectStatus(wrong, 422).body.errors).toEqual({ 'X-Mode': [expect.any(String)] });
  });

  it('the settings are those of both modes, and the audit log says whose data a change was about', async () => {
    const user = await registerUser(api);
    const settings = async ({ client }: TestUser, body?: object) =>
      expectStatus(
        body ? await client('updateCompanyConfig', { body }) : await client('getCompanyConfig'),
        200,
      ).body.data;
    const first = await settings(user, { timezone: 'America/Manaus', dunning_days: [2] });
    expect(await settings(liveUser(user))).toEqual(first);
    const second = await settings(liveUser(user), {
      pix_expires_in: 600,
      dunning_days: [3],
      brand: { name: 'B' },
    });
    expect(await settings(user)).toEqual(second);
    const { data } = expectStatus(await user.client('listAuditLog'), 200).body;
    expect(data).toMatchObject([
      { mode: 'live', action: 'config.update', user: { email: user.email } },
      { mode: 'test', action: 'config.update' },
    ]);
    expect(expectStatus(await liveUser(user).client('listAuditLog'), 200).body.data).toEqual(data);
  });

  it('a test clock exists for test data alone', async () => {
    const user = await registerUser(api);
    const live = byKey(user, (await createKey(user, { name: 'Live', mode: 'live' })).api_key);
    const request = { params: { id: randomUUID() }, body: { advance_to: '2027-01-01' } };
    expect((await byKey(user)('movePaymentClock', request)).status).toBe(422);
    expect((await live('movePaymentClock', request)).status).toBe(404);
  });

  it('Postgres refuses a row of the wrong mode, and users and audit entries of one mode alone', async () => {
    const { db } = api.engine.context;
    const { id } = (await registerUser(api)).registered.user;
    const wrong = [
      `INSERT INTO companies (mode, client_id, name, slug) VALUES ('live', 'x', 'x', 'x')`,
      `UPDATE companies SET mode = 'live' WHERE id > 0`,
      `UPDATE users SET company_id = -company_id WHERE id = ${id}`,
    ];
    for (const sql of wrong)
      await expect(db.queryComposed(sql, [])).rejects.toMatchObject({ original: { code: '23514' } });
  });
});

it('a session that ends while its request is under way changes nothing any more', async () => {
  const user = await registerUser(api);
  const { client } = await signIn(api, user);
  const { context } = api.engine;
  const find = jest
    .spyOn(context.companyApiKeys, 'lockCount')
    .mockImplementationOnce(async (tx, companyId) => {
      await context.db.execute('DELETE FROM user_sessions WHERE user_id = $1', [user.registered.user.id]);
      return context.companyApiKeys.lockCount(tx, companyId);
    });
  expectStatus(await client('createApiKey', { body: { name: 'Late' } }), 401);
  find.mockRestore();
  const again = await signIn(api, user);
  const { data } = expectStatus(await again.client('listApiKeys'), 200).body;
  expect(data.map(({ name }) => name)).toEqual(['Registration']);
});
