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
        api_key: expect.stringMatching(/^sk_test_/),
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

  it('says what x-client-id is for, if it is missing', async () => {
    const answer = await api.anonymous('registerUser', { body: registration() });
    expect(expectStatus(answer, 422).body.errors).toEqual({
      'x-client-id': [
        'is required; send any text that says where you come from, or your client_id together with X-API-Key',
      ],
    });
  });
});

describe('POST /auth/register with the key pair of a company', () => {
  const newPair = async () => {
    const { body } = expectStatus(await api.anonymous('registerCompany', { body: { name: 'Loja' } }), 200);
    return { 'X-Client-ID': body.credentials.client_id, 'X-API-Key': body.credentials.api_key };
  };
  const claim = (headers: Record<string, string>, change: object = {}) =>
    api.anonymous('registerUser', {
      body: registration({ company_name: 'Loja do Porto', ...change }),
      headers,
    });
  const byKey = (headers: Record<string, string>) => apiClient(api.baseUrl, headers)('listPayments');

  it('gives the company its first user, who can administer it, and a second key beside the first one', async () => {
    const pair = await newPair();
    const { body } = expectStatus(await claim(pair, { company_cnpj: '11222333000181' }), 201);
    const { token, company } = body;
    expect(company).toMatchObject({ name: 'Loja do Porto', client_id: pair['X-Client-ID'] });
    expect(company.api_key).not.toBe(pair['X-API-Key']);
    expect((await byKey(pair)).status).toBe(200);
    expect((await byKey({ ...pair, 'X-API-Key': company.api_key })).status).toBe(200);
    const user = apiClient(api.baseUrl, { Authorization: `Bearer ${token}` });
    const me = expectStatus(await user('getMe'), 200).body.data;
    expect(me.company).toEqual({ name: 'Loja do Porto', client_id: pair['X-Client-ID'], mode: 'test' });
    const endpoint = { url: `${api.baseUrl}/hooks`, events: ['transaction.approved'] };
    expect((await user('createWebhookEndpoint', { body: endpoint })).status).toBe(201);
    const [row] = await api.engine.context.db.query(
      'SELECT cnpj, referrer FROM companies WHERE client_id = $1',
      [pair['X-Client-ID']],
    );
    expect(row).toEqual({ cnpj: '11222333000181', referrer: null });
  });

  it('answers 401 for a wrong key, and for a client id without a company', async () => {
    const pair = await newPair();
    expectStatus(await claim({ ...pair, 'X-API-Key': 'sk_wrong' }), 401);
    expectStatus(await claim({ ...pair, 'X-Client-ID': 'client_of_nobody' }), 401);
    expectStatus(await claim(pair), 201);
  });

  it('answers 409 once the company has a user, however it got it, and registers nobody', async () => {
    const pair = await newPair();
    expectStatus(await claim(pair), 201);
    const email = `late-${randomUUID()}@example.com`;
    expect(expectStatus(await claim(pair, { email }), 409).body.code).toBe('invalid_state');
    const { company } = (await registerUser(api)).registered;
    const ownPair = { 'X-Client-ID': company.client_id, 'X-API-Key': company.api_key };
    expectStatus(await claim(ownPair, { email }), 409);
    expect(await api.engine.context.db.query('SELECT 1 FROM users WHERE email = $1', [email])).toEqual([]);
  });

  it('lets one of several concurrent registrations claim the company', async () => {
    const pair = await newPair();
    const answers = await Promise.all(Array.from({ length: 4 }, () => claim(pair)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('leaves the company unclaimed if the email is taken', async () => {
    const [pair, { email }] = [await newPair(), await registerUser(api)];
    expect(Object.keys(expectStatus(await claim(pair, { email }), 422).body.errors ?? {})).toEqual(['email']);
    expectStatus(await claim(pair), 201);
  });
});

describe('GET /user/me', () => {
  it('answers 200 with the user and the company', async () => {
    const { client, registered } = await registerUser(api);
    const { name, client_id } = registered.company;
    expect(expectStatus(await client('getMe'), 200).body).toMatchObject({
      data: { ...registered.user, email_verified: false, company: { name, client_id, mode: 'test' } },
    });
  });

  it('answers 401 without a token and with a key pair', async () => {
    const { company } = (await registerUser(api)).registered;
    const keys = { 'X-Client-ID': company.client_id, 'X-API-Key': company.api_key };
    expectStatus(await api.anonymous('getMe'), 401);
    expectStatus(await apiClient(api.baseUrl, keys)('getMe'), 401);
  });
});
