import { startTestApi, type TestApi } from '../support/test-api';

let api: TestApi;
let database: () => Promise<void> = () => Promise.resolve();
let checks = 0;
const up = () => Promise.resolve();

beforeAll(async () => {
  api = await startTestApi({
    healthChecks: {
      database: () => {
        checks += 1;
        return database();
      },
      temporal: up,
    },
  });
});
afterAll(() => api.close());

const ready = () => fetch(`${api.baseUrl}/health/ready`);

it('/health/live answers 200 whatever the state of the dependencies', async () => {
  database = () => Promise.reject(new Error('down'));
  const response = await fetch(`${api.baseUrl}/health/live`);
  expect([response.status, await response.json()]).toEqual([200, { status: 'live' }]);
});

it('/health/ready answers 200 while every dependency answers', async () => {
  database = up;
  const response = await ready();
  expect([response.status, await response.json()]).toEqual([
    200,
    { status: 'ready', dependencies: { database: 'up', temporal: 'up' } },
  ]);
});

it('/health/ready answers 503 and names the dependency that is down', async () => {
  database = () => Promise.reject(new Error('password authentication failed'));
  const response = await ready();
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('1');
  const body = (await response.json()) as Record<string, unknown>;
  expect(body).toMatchObject({
    status: 'unavailable',
    code: 'unavailable',
    dependencies: { database: 'down', temporal: 'up' },
  });
  expect(JSON.stringify(body)).not.toContain('password');
});

it('/health/ready treats a dependency that does not answer as down, and checks it once for many concurrent probes', async () => {
  database = () => new Promise<void>(() => undefined);
  checks = 0;
  const responses = await Promise.all(Array.from({ length: 20 }, ready));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
  expect(checks).toBe(1);
});
