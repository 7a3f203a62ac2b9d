import { expectError } from '../support/expect-error';
import { startTestApi, TEST_COMPANY, type TestApi } from '../support/test-api';

const COMPANIES = new Map(
  [1, 2].map((id) => [`client_${id}`, { ...TEST_COMPANY, id, clientId: `client_${id}` }]),
);

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    authenticate: (clientId) => Promise.resolve(COMPANIES.get(clientId) ?? null),
    rateLimits: { companyPerSecond: 3, publicPerMinute: 2 },
    operations: {
      listPayments: () =>
        Promise.resolve({
          status: 200,
          body: { data: [], meta: { current_page: 1, per_page: 15, total: 0, last_page: 1 } },
        }),
      registerCompany: () =>
        Promise.resolve({
          status: 200,
          body: { message: 'ok', credentials: { client_id: 'c', api_key: 'k', warning: 'w' } },
        }),
    },
  });
});
afterAll(() => api.close());

const list = (clientId: string, query = '') =>
  fetch(`${api.baseUrl}/api/v1/payments?${query}`, {
    headers: { 'X-Client-ID': clientId, 'X-API-Key': 'k' },
  });

it('limits one company by the second without touching another, after its key and before the contract', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => list('client_1')));
  const limited = answers.filter(({ status }) => status === 429);
  // The window may end once while the requests are under way.
  expect(limited.length).toBeGreaterThanOrEqual(6);
  for (const response of limited) {
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    await expectError(response, 'rate_limited');
  }
  expect((await list('client_2')).status).toBe(200);
  await expectError(await list('client_unknown'), 'unauthenticated');
  const faulty = await Promise.all(Array.from({ length: 12 }, () => list('client_1', 'per_page=0')));
  expect(faulty.map(({ status }) => status)).toContain(429);
});

it('limits public operations by the minute and address', async () => {
  const register = () =>
    fetch(`${api.baseUrl}/api/v1/company/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"name":"Loja"}',
    });
  expect([(await register()).status, (await register()).status]).toEqual([200, 200]);
  const third = await register();
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(1);
  await expectError(third, 'rate_limited');
});
