import { randomUUID } from 'node:crypto';
import { apiClient, expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { PASSWORD, REFERRER, registerUser, registration } from './user-api';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'none' });
});
afterAll(() => api.stop());

describe('POST /auth/register', () => {
  it('answers 201 with a user, a company and working credentials of both', async () => {
    const body = registration();
    const answer = expectStatus(await api.anonymous('registerUser', { body, headers: REFERRER }), 201);
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_at: expect.any(String),
      user: {
        id: expect.any(Number),
        name: 'Maria Souza',
        email: body.email,
        company_id: expect.any(Number),
      },
      company: {
        name: 'Loja do Centro',
        client_id: expect.stringMatching(/^client_/),
        api_key: expect.stringMatching(/^sk_/),
        warning: expect.stringMatching(/not shown again/),
      },
    });
    const hours = (Date.parse(answer.body.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    const { token, company } = answer.body;
    const byToken = apiClient(api.baseUrl, { Authorization: `Bearer ${token}` });
    expect((await byToken('getMe')).status).toBe(200);
    const keys = { 'X-Client-ID': company.client_id, 'X-API-Key': company.api_key };
    expect((await apiClient(api.baseUrl, keys)('listPayments')).status).toBe(200);
  });

  it('stores all details of the company, and no secret in plain text', async () => {
    const { registered } = await registerUser(api, {
      company_cnpj: '12.abc.345/01de-35',
      company_financial_email: 'financeiro@example.com',
      company_phone: '1133334444',
    });
    const [row] = await api.engine.context.db.query<{ company: object; user: string }>(
      `SELECT to_jsonb(c) AS company, to_jsonb(u)::text AS "user"
         FROM companies c JOIN users u ON u.company_id = c.id WHERE c.id = $1`,
      [registered.user.company_id],
    );
    expect(row?.company).toMatchObject({
      name: 'Loja do Centro',
      client_id: registered.company.client_id,
      cnpj: '12ABC34501DE35',
      financial_email: 'financeiro@example.com',
      phone: '1133334444',
      referrer: 'partner-site',
    });
    const whole = JSON.stringify(row);
    for (const secret of [PASSWORD, registered.company.api_key, registered.token]) {
      expect(whole).not.toContain(secret);
    }
    expect(row?.user).toContain('$argon2id$');
  });

  it('answers 422 on email for a taken email in any case, and creates no company', async () => {
    const { email } = await registerUser(api);
    const name = `Loja ${randomUUID()}`;
    const body = registration({ email: email.toUpperCase(), company_name: name });
    const answer = expectStatus(await api.anonymous('registerUser', { body, headers: REFERRER }), 422);
    expect(answer.body).toMatchObject({ code: 'validation_error', errors: { email: [expect.any(String)] } });
    const companies = await api.engine.context.db.query('SELECT 1 FROM companies WHERE name = $1', [name]);
    expect(companies).toEqual([]);
  });

  it('creates one user for concurrent registrations with the same email', async () => {
    const body = registration();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.anonymous('registerUser', { body, headers: REFERRER })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422]);
  });

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(256) }],
    ['email', { email: 'nobody' }],
    ['email', { email: 'a@example.com,b@example.com' }],
    ['password', { password: '1234567', password_confirmation: '1234567' }],
    ['password', { password: 'x'.repeat(129), password_confirmation: 'x'.repeat(128) }],
    ['password_confirmation', { password_confirmation: `${PASSWORD}!` }],
    ['password_confirmation', { password_confirmation: undefined }],
    ['company_name', { company_name: undefined }],
    ['company_cnpj', { company_cnpj: '11.222.333/0001-8' }],
    ['company_cnpj', { company_cnpj: '12.ABC.345/01DE-36' }],
    ['company_cnpj', { company_cnpj: '52998224725' }],
    ['company_financial_email', { company_financial_email: 'nobody' }],
    ['company_phone', { company_phone: '(11) 3333-4444' }],
  ])('answers 422 on %s for %j', async (field, change) => {
    const body = registration(change);
    const answer = expectStatus(await api.anonymous('registerUser', { body, headers: REFERRER }), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
  });

  it.each([{}, { 'x-client-id': '' }, { 'x-client-id': 'x'.repeat(256) }])(
    'answers 422 on x-client-id for the headers %j',
    async (headers) => {
      const answer = await api.anonymous('registerUser', { body: registration(), headers });
      expect(Object.keys(expectStatus(answer, 422).body.errors ?? {})).toEqual(['x-client-id']);
    },
  );
});

describe('GET /user/me', () => {
  it('answers 200 with the user and the company', async () => {
    const { client, registered } = await registerUser(api);
    const { name, client_id } = registered.company;
    expect(expectStatus(await client('getMe'), 200).body).toEqual({
      data: { ...registered.user, company: { name, client_id } },
    });
  });

  it('answers 401 without a token and with a key pair', async () => {
    const { company } = (await registerUser(api)).registered;
    const keys = { 'X-Client-ID': company.client_id, 'X-API-Key': company.api_key };
    expectStatus(await api.anonymous('getMe'), 401);
    expectStatus(await apiClient(api.baseUrl, keys)('getMe'), 401);
  });
});
