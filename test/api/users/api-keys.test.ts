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
      scopes: ['read', 'write'],
      created_at: expect.any(String),
      last_used_at: null,
      api_key: expect.stringMatching(/^sk_[\w-]{43}$/),
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
      { id, name: 'Shop', scopes: ['read'], created_at: expect.any(String), last_used_at: null },
      {
        id: first?.id,
        name: 'Registration',
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
