import {
  ADDRESS,
  CUSTOMER,
  newCustomer,
  register,
  startCompanyApi,
  type CompanyApi,
  type RegisteredCompany,
} from '../support/company-api';
import { randomUUID } from 'node:crypto';
import { expectStatus } from '../support/api-client';

let api: CompanyApi;
let company: RegisteredCompany;
let other: RegisteredCompany;
beforeAll(async () => {
  api = await startCompanyApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  [company, other] = [await register(api), await register(api)];
});

describe('POST /customers', () => {
  it('answers 201 with the customer and a masked document', async () => {
    const body = { ...CUSTOMER, phone: '11912345678', address: ADDRESS, metadata: { tier: 'gold' } };
    const answer = expectStatus(await company.client('createCustomer', { body }), 201);
    expect(answer.body.data).toEqual({
      id: expect.any(Number),
      token: expect.stringMatching(/^cus_/),
      name: 'Maria Souza',
      email: 'maria@example.com',
      document: '***.982.247-**',
      type: 'individual',
      phone: '11912345678',
      address: ADDRESS,
      metadata: { tier: 'gold' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(JSON.stringify(answer.body)).not.toContain('52998224725');
  });

  it('accepts an alphanumeric CNPJ as a corporation', async () => {
    const body = { ...CUSTOMER, document: '12.ABC.345/01DE-35' };
    const { data } = expectStatus(await company.client('createCustomer', { body }), 201).body;
    expect(data).toMatchObject({
      type: 'corporation',
      document: '**.ABC.345/01DE-**',
      phone: null,
      address: null,
    });
  });

  it('updates the customer with the same document', async () => {
    const token = await newCustomer(company);
    const body = { ...CUSTOMER, name: 'Maria S. Souza', document: '52998224725' };
    const { data } = expectStatus(await company.client('createCustomer', { body }), 201).body;
    expect(data).toMatchObject({ token, name: 'Maria S. Souza' });
    expect(await newCustomer(other)).not.toBe(token);
    const corporation = await newCustomer(company, { document: '12.ABC.345/01DE-35' });
    expect(await newCustomer(company, { document: '12abc34501de35' })).toBe(corporation);
  });

  it.each([
    ['name', { ...CUSTOMER, name: undefined }],
    ['email', { ...CUSTOMER, email: 'nobody' }],
    ['document', { ...CUSTOMER, document: '1234567890' }],
    ['document', { ...CUSTOMER, document: '5299822472A' }],
    ['document', { ...CUSTOMER, document: '12.ABC.345/01DE-36' }],
    ['address.country', { ...CUSTOMER, address: { ...ADDRESS, country: 'Brazil' } }],
  ])('answers 422 on %s', async (field, body) => {
    const answer = expectStatus(await company.client('createCustomer', { body }), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
  });

  it('answers 401 without a key pair', async () => {
    expectStatus(await api.anonymous('createCustomer', { body: CUSTOMER }), 401);
  });
});

describe('GET /customers', () => {
  it('lists only the company’s own customers, newest first and in pages', async () => {
    const tokens: string[] = [];
    for (const document of ['11111111111', '22222222222', '33333333333']) {
      tokens.unshift(await newCustomer(company, { document }));
    }
    await newCustomer(other);
    const first = expectStatus(await company.client('listCustomers', { query: { per_page: 2 } }), 200).body;
    const second = expectStatus(
      await company.client('listCustomers', { query: { per_page: 2, page: 2 } }),
      200,
    ).body;
    expect([...first.data, ...second.data].map(({ token }) => token)).toEqual(tokens);
    expect(first.meta).toEqual({ current_page: 1, per_page: 2, total: 3, last_page: 2 });
  });

  it('returns one empty page for a company without customers, and an empty page after the last', async () => {
    expect(expectStatus(await company.client('listCustomers'), 200).body).toEqual({
      data: [],
      meta: { current_page: 1, per_page: 15, total: 0, last_page: 1 },
    });
    const beyond = expectStatus(
      await company.client('listCustomers', { query: { page: 1_000_000_000, per_page: 100 } }),
      200,
    );
    expect(beyond.body.data).toEqual([]);
  });

  it.each([{ per_page: 101 }, { per_page: 0 }, { page: 0 }, { unknown: 1 }])(
    'answers 422 for %j',
    async (query) => {
      const answer = expectStatus(await company.client('listCustomers', { query }), 422);
      expect(Object.keys(answer.body.errors ?? {})).toEqual(Object.keys(query));
    },
  );

  it('answers 401 without a key pair', async () => {
    expectStatus(await api.anonymous('listCustomers'), 401);
  });
});

describe('GET /customers?email=&document=', () => {
  it('finds the company’s customers by email in any case, and by document with or without punctuation', async () => {
    const email = `Ana.${randomUUID()}@example.com`;
    const ana = await newCustomer(company, { email, document: '12.ABC.345/01DE-35' });
    const second = await newCustomer(company, { email: email.toUpperCase(), document: '11111111111' });
    await newCustomer(other, { email, document: '12ABC34501DE35' });
    const find = async (query: Record<string, string>) => {
      const { data, meta } = expectStatus(await company.client('listCustomers', { query }), 200).body;
      expect(meta.total).toBe(data.length);
      return data.map(({ token }) => token);
    };
    expect(await find({ email: email.toLowerCase() })).toEqual([second, ana]);
    expect(await find({ document: '12abc34501de35' })).toEqual([ana]);
    expect(await find({ email, document: '111.111.111-11' })).toEqual([second]);
    expect(await find({ email: 'nobody@example.com' })).toEqual([]);
    expect(await find({ document: '52998224725' })).toEqual([]);
  });

  it.each([{ email: 'nobody' }, { document: '123' }])('answers 422 for %j', async (query) => {
    const answer = expectStatus(await company.client('listCustomers', { query }), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual(Object.keys(query));
  });
});

describe('PATCH /customers/{token}', () => {
  const update = (token: string, body: object, { client } = company) =>
    client('updateCustomer', { params: { token }, body });

  it('changes the given properties and no others, and null removes what is optional', async () => {
    const token = await newCustomer(company, { phone: '11912345678', metadata: { tier: 'gold' } });
    const email = `maria.${randomUUID()}@example.com`;
    const changed = expectStatus(await update(token, { email, phone: null }), 200).body.data;
    expect(changed).toMatchObject({
      token,
      name: 'Maria Souza',
      email,
      phone: null,
      metadata: { tier: 'gold' },
    });
    expect(expectStatus(await company.client('getCustomer', { params: { token } }), 200).body.data).toEqual(
      changed,
    );
    const found = await company.client('listCustomers', { query: { email } });
    expect(expectStatus(found, 200).body.data).toEqual([changed]);
    expect(expectStatus(await update(token, { email, document: '52998224725' }), 200).body.data).toEqual(
      changed,
    );
  });

  it('loses no change when two requests change different properties at the same time', async () => {
    const token = await newCustomer(company);
    await Promise.all([
      update(token, { name: 'Maria S.' }),
      update(token, { phone: '11987654321' }),
      update(token, { address: ADDRESS }),
    ]);
    const { data } = expectStatus(await company.client('getCustomer', { params: { token } }), 200).body;
    expect(data).toMatchObject({ name: 'Maria S.', phone: '11987654321', address: ADDRESS });
  });

  it.each([
    ['document', { document: '11111111111' }],
    ['name', { name: null }],
    ['name', { name: ' ' }],
    ['email', { email: 'nobody' }],
  ])('answers 422 on %s', async (field, body) => {
    const answer = expectStatus(await update(await newCustomer(company), body), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
  });
});

describe('GET /customers/{token}', () => {
  it('answers 200 with the customer', async () => {
    const token = await newCustomer(company);
    const { data } = expectStatus(await company.client('getCustomer', { params: { token } }), 200).body;
    expect(data).toMatchObject({ token, name: 'Maria Souza' });
  });

  it('answers 404 for another company’s customer, with the same body as for an unknown one', async () => {
    const token = await newCustomer(company);
    const bodies = await Promise.all(
      [token, 'cus_never', '%00', "' OR 1=1"].map(async (theirs) => {
        const { message, code } = expectStatus(
          await other.client('getCustomer', { params: { token: theirs } }),
          404,
        ).body;
        return { message, code };
      }),
    );
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  });

  it('answers 401 without a key pair, whether or not the customer exists', async () => {
    const token = await newCustomer(company);
    expectStatus(await api.anonymous('getCustomer', { params: { token } }), 401);
    expectStatus(await api.anonymous('getCustomer', { params: { token: 'cus_never' } }), 401);
  });
});
