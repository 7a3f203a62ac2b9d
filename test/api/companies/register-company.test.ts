import { apiClient, expectStatus } from '../support/api-client';
import { register, startCompanyApi, type CompanyApi } from '../support/company-api';

let api: CompanyApi;
beforeAll(async () => {
  api = await startCompanyApi();
});
afterAll(() => api.stop());

describe('POST /company/register', () => {
  it('answers 200 with a key pair that works immediately, and a warning to store it', async () => {
    const answer = await api.anonymous('registerCompany', { body: { name: 'Loja do Centro' } });
    const { message, credentials } = expectStatus(answer, 200).body;
    expect(message).toBe('Company registered.');
    expect(credentials.warning).toMatch(/not shown again/);
    expect(Buffer.from(credentials.api_key.replace('sk_test_', ''), 'base64url')).toHaveLength(32);
    const client = apiClient(api.baseUrl, {
      'X-Client-ID': credentials.client_id,
      'X-API-Key': credentials.api_key,
    });
    expect((await client('listCustomers')).status).toBe(200);
  });

  it('creates a new company each time, even under the same name', async () => {
    const [one, other] = [await register(api), await register(api)];
    expect(one.clientId).not.toBe(other.clientId);
    expect(one.apiKey).not.toBe(other.apiKey);
  });

  it.each([{}, { name: '' }, { name: '   ' }, { name: 'x'.repeat(256) }, { name: 7 }, { name: null }])(
    'answers 422 on name for %j',
    async (body) => {
      const answer = expectStatus(await api.anonymous('registerCompany', { body }), 422);
      expect(answer.body).toMatchObject({ code: 'validation_error', errors: { name: expect.any(Array) } });
    },
  );

  it('stores the API key only as a keyed hash', async () => {
    const { clientId, apiKey } = await register(api);
    const [row] = await api.engine.context.db.query<{ row: string }>(
      'SELECT to_jsonb(c)::text AS row FROM companies c WHERE client_id = $1',
      [clientId],
    );
    expect(row?.row).not.toContain(apiKey.slice(3));
    expect(api.logText()).not.toContain(apiKey);
  });
});

describe('an invalid key pair', () => {
  it('gets the same 401 for an unknown client id as for a wrong key', async () => {
    const { clientId, apiKey } = await register(api);
    const pairs = [
      { 'X-Client-ID': 'client_of_nobody', 'X-API-Key': apiKey },
      { 'X-Client-ID': clientId, 'X-API-Key': `${apiKey}x` },
      { 'X-Client-ID': clientId, 'X-API-Key': (await register(api)).apiKey },
    ];
    const answers = await Promise.all(pairs.map((pair) => apiClient(api.baseUrl, pair)('listCustomers')));
    const bodies = answers.map((answer) => {
      const { message, code } = expectStatus(answer, 401).body;
      return { message, code };
    });
    expect(bodies).toEqual(Array(3).fill({ message: expect.any(String), code: 'unauthenticated' }));
    expect(new Set(bodies.map(({ message }) => message)).size).toBe(1);
  });
});
