import { unauthenticated } from '../../../src/domain/shared/errors';
import { presentMe } from '../../../src/presenters/user';
import { expectError } from '../support/expect-error';
import {
  holderOf,
  startTestApi,
  TEST_COMPANY,
  TEST_DEVICES,
  TEST_SIGNED_IN,
  TEST_TOKEN,
  type TestApi,
} from '../support/test-api';

const COMPANIES = new Map(
  [1, 2, TEST_COMPANY.id].map((id) => [`client_${id}`, { ...TEST_COMPANY, id, clientId: `client_${id}` }]),
);

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    trustedProxies: 1,
    authenticate: (clientId, apiKey) => {
      const company = apiKey === 'wrong' ? undefined : COMPANIES.get(clientId);
      return Promise.resolve(company === undefined ? null : holderOf(company));
    },
    rateLimits: {
      companyPerSecond: 3,
      publicPerMinute: 2,
      callbacksPerSecond: 4,
      checkoutPerMinute: 5,
      filesPerMinute: 3,
      failedSignInsPerAccount: 3,
      failedKeysPerMinute: 4,
      declinedCards: { link: 1, address: 1, card: 1, bin: 1 },
    },
    handlers: {
      listPayments: () =>
        Promise.resolve({
          status: 200,
          body: { data: [], meta: { current_page: 1, per_page: 15, total: 0, last_page: 1 } },
        }),
      logIn: () => Promise.reject(unauthenticated()),
      forgotPassword: () => Promise.resolve({ status: 200, body: { message: 'ok' } }),
      getMe: () =>
        Promise.resolve({
          status: 200,
          body: presentMe(TEST_SIGNED_IN, { modes: ['test', 'live'], isOperator: false }),
        }),
      receiveCallback: () => Promise.resolve({ status: 200, body: { received: true } }),
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

it('one company is limited per second after authentication and before validation, without affecting another company', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => list('client_1')));
  const limited = answers.filter(({ status }) => status === 429);
  // The window may end once during the requests.
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

it('public routes are limited per minute and address', async () => {
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

it('sign-ins are counted separately from other public routes, so password guessing does not block registration', async () => {
  const post = (path: string, body: object) =>
    fetch(`${api.baseUrl}/api/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const guess = () => post('/auth/login', { email: 'maria@example.com', password: 'a guess' });
  expect([(await guess()).status, (await guess()).status]).toEqual([401, 401]);
  await expectError(await guess(), 'rate_limited');
  expect((await post('/auth/forgot-password', { email: 'maria@example.com' })).status).toBe(200);
});

it('guesses at one account are counted across addresses, whether or not it exists, apart from those in browsers of its user', async () => {
  let address = 0;
  const guess = (email: string, cookie = '') =>
    fetch(`${api.baseUrl}/api/v1/auth/login`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Forwarded-For': `203.0.113.${(address += 1)}`,
        cookie,
      },
      body: JSON.stringify({ email, password: 'a guess' }),
    });
  const deviceOf = (email: string) => TEST_DEVICES.create(email, new Date()).split(';')[0];
  const spellings = ['joana@example.com', 'Joana@Example.com', ' joana@example.com'];
  for (const email of spellings) expect([401, 422]).toContain((await guess(email)).status);
  const limited = await guess('JOANA@example.com');
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(60);
  await expectError(limited, 'rate_limited');
  expect((await guess('ana@example.com')).status).toBe(401);
  // In a browser in which the user has signed in, wrong passwords count for themselves.
  const own = deviceOf('Joana@example.com');
  for (let times = 0; times < 3; times += 1) {
    await expectError(await guess('joana@example.com', own), 'unauthenticated');
  }
  await expectError(await guess('joana@example.com', own), 'rate_limited');
  for (const other of [deviceOf('ana@example.com'), own?.replace('.', '.x'), 'device=', 'device=a.b']) {
    await expectError(await guess('joana@example.com', other), 'rate_limited');
  }
});

it('wrong API keys are limited by address, while valid keys and other addresses go on', async () => {
  const ask = (apiKey: string, address: string) =>
    fetch(`${api.baseUrl}/api/v1/payments`, {
      headers: { 'X-Client-ID': 'client_2', 'X-API-Key': apiKey, 'X-Forwarded-For': address },
    });
  for (let times = 0; times < 4; times += 1) {
    await expectError(await ask('wrong', '198.51.100.1'), 'unauthenticated');
  }
  await expectError(await ask('wrong', '198.51.100.1'), 'rate_limited');
  expect((await ask('k', '198.51.100.1')).status).toBe(200);
  await expectError(await ask('wrong', '198.51.100.2'), 'unauthenticated');
});

it('wrong checkout tokens are limited by address, apart from API keys', async () => {
  const ask = (path: string, headers: Record<string, string>) =>
    fetch(`${api.baseUrl}/api/v1${path}`, { headers: { ...headers, 'X-Forwarded-For': '198.51.100.7' } });
  const visit = () => ask('/checkout/session', { 'X-Checkout-Token': 'cs_guess' });
  for (let times = 0; times < 4; times += 1) await expectError(await visit(), 'unauthenticated');
  await expectError(await visit(), 'rate_limited');
  await expectError(await ask('/payments', { 'X-API-Key': 'wrong' }), 'unauthenticated');
});

it('the key pair and the access tokens of a company share one limit', async () => {
  const headers = { Authorization: `Bearer ${TEST_TOKEN}` };
  const ask = () => fetch(`${api.baseUrl}/api/v1/user/me`, { headers });
  const answers = await Promise.all([
    ask(),
    ask(),
    ask(),
    ask(),
    ...Array.from({ length: 8 }, () => list('client_7')),
  ]);
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(6);
});

it.each([
  '/pix/0193a7c2-5e1f-7b44-9d0a-3f2c86e51b70.png',
  `/logos/${'0'.repeat(64)}.png`,
  '/docs/openapi.json',
])('%s is limited per minute and address, separately from other files', async (path) => {
  const statuses = [];
  for (let times = 0; times < 4; times += 1) statuses.push((await fetch(`${api.baseUrl}${path}`)).status);
  expect(statuses.map((status) => status === 429)).toEqual([false, false, false, true]);
});

it('callbacks are counted per second and address, separately from other requests', async () => {
  const send = () => fetch(`${api.baseUrl}/api/v1/webhooks/gateway_1`, { method: 'POST', body: '{}' });
  const answers = await Promise.all(Array.from({ length: 6 }, send));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
});
