import { contract } from '../support/contract';
import { expectError } from '../support/expect-error';
import { startTestApi, TEST_KEYS, TEST_TOKEN, type TestApi } from '../support/test-api';

const ENDPOINT = {
  id: 16,
  url: 'https://shop.example/hooks',
  events: ['transaction.approved'],
  enabled: true,
  disabled_reason: null,
  failing_since: null,
  created_at: '2026-03-31T12:00:00Z',
  updated_at: '2026-03-31T12:00:00Z',
};
/** One valid value of each path parameter. */
const PARAMETERS: Readonly<Record<string, string>> = {
  uuid: '0193a7c2-5e1f-7b44-9d0a-3f2c86e51b70',
  id: '16',
  slug: 'gateway_1',
  token: `plink_${'a'.repeat(32)}`,
};
const NOT_WRITTEN_AS_INTEGERS = ['Infinity', '-Infinity', '1e400', '1e2', '0x10', '0b1', '1.0', '01', '-0'];

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    handlers: {
      listCustomers: () =>
        Promise.resolve({
          status: 200,
          body: { data: [], meta: { current_page: 1, per_page: 15, total: 0, last_page: 1 } },
        }),
      deleteWebhookEndpoint: () => Promise.resolve({ status: 204 }),
      updateWebhookEndpoint: () => Promise.resolve({ status: 200, body: ENDPOINT }),
    },
  });
});
afterAll(() => api.close());

const headers = { ...TEST_KEYS, Authorization: `Bearer ${TEST_TOKEN}` };
const call = (method: string, path: string, init: object = {}) =>
  fetch(`${api.baseUrl}/api/v1${path}`, { method, headers, ...init });
const withJson = (body: string | ReadableStream) => ({
  headers: { ...headers, 'Content-Type': 'application/json' },
  body,
  duplex: 'half',
});

it.each([...NOT_WRITTEN_AS_INTEGERS, '%2B1', '%201'])(
  'the query parameter %s is no integer, although JavaScript converts it to a number',
  async (text) => {
    for (const [name, message] of [
      ['page', 'must be an integer'],
      ['amount_to', 'must be an integer, in cents: 1990 for 19.90'],
    ] as const) {
      const { errors } = await expectError(
        await call('GET', `/payments?${name}=${text}`),
        'validation_error',
      );
      expect(errors).toEqual({ [name]: [message] });
    }
  },
);

it.each([...NOT_WRITTEN_AS_INTEGERS, '%201'])('the path parameter %s is an unknown id', async (text) => {
  await expectError(await call('DELETE', `/user/company/webhooks/${text}`), 'not_found');
  expect((await call('DELETE', '/user/company/webhooks/16')).status).toBe(204);
});

const requireBody = contract.routes.filter(({ method, requiresBody }) => method === 'patch' && requiresBody);

it.each(requireBody)('$id is refused without the body that its contract requires', async ({ id, path }) => {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => PARAMETERS[name] ?? '');
  for (const init of [{}, withJson(''), withJson(new Blob([]).stream())]) {
    const { errors } = await expectError(await call('PATCH', url, init), 'validation_error');
    if (id === 'updateWebhookEndpoint') expect(errors).toEqual({ body: ['is required'] });
  }
});

it('an empty object is a body, which the schema of the route checks', async () => {
  const nothing = await call('PATCH', '/user/gateways/gateway_1', withJson('{}'));
  expect((await expectError(nothing, 'validation_error')).errors).toEqual({ body: ['must not be empty'] });
  expect((await call('PATCH', '/user/company/webhooks/16', withJson('{}'))).status).toBe(200);
});

it.each(['email=ana@example.com&page=2', 'document=12.345.678/0001-95'])(
  'the query %s is read as curl sends it, without percent-encoding',
  async (query) => {
    expect((await call('GET', `/customers?${query}`)).status).toBe(200);
  },
);

interface QueryParameter {
  readonly name: string;
  readonly in: string;
  readonly allowReserved?: boolean;
  readonly schema: { readonly type?: string; readonly enum?: readonly string[] };
}

it('every query parameter whose text is not from a fixed list may contain reserved characters', () => {
  const { paths, components } = contract.document;
  const parameters = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => operation.parameters ?? [])
    .map((parameter) =>
      '$ref' in parameter ? components.parameters[parameter.$ref.split('/').at(-1) ?? ''] : parameter,
    ) as unknown as QueryParameter[];
  const free = parameters.filter(
    ({ in: place, schema }) => place === 'query' && schema.type === 'string' && schema.enum === undefined,
  );
  expect(free.length).toBeGreaterThan(10);
  expect(free.filter(({ allowReserved }) => allowReserved !== true)).toEqual([]);
});
