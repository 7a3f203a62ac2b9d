import { ApiError } from '../../../src/domain/shared/errors';
import type { Contract, ContractRoute, OpenApiDocument } from '../../../src/http/server/contract';
import { contractOf } from '../../../src/http/server/contract';
import { createRequestValidation } from '../../../src/http/server/request-validation';
import type { RouteHandlers } from '../../../src/http/server/route';
import { requestHashes } from '../../../src/security/request-hash';
import { contract } from '../support/contract';
import { openApiOperation } from '../support/contract-schemas';
import { startTestApi, TEST_KEYS, TEST_TOKEN, type TestApi } from '../support/test-api';

const ID = '0193a7c2-5e1f-7b44-9d0a-3f2c86e51b70';
const CUSTOMER = `cus_${'0'.repeat(32)}`;

/** The routes whose body an idempotency key is bound to. */
const routes = contract.routes.filter(
  ({ takesIdempotencyKey, bodySchema }) => takesIdempotencyKey && bodySchema !== undefined,
);

/** The contract of a later release, which gives every body a property with a default. */
const laterContract: Contract = contractOf(withNewDefaults(contract.document), { takesTestData: true });

function withNewDefaults(document: OpenApiDocument): OpenApiDocument {
  const later = structuredClone(document);
  for (const { path, method } of routes) {
    const operation = later.paths[path]?.[method];
    const media = operation?.requestBody?.content['application/json'];
    if (media?.schema === undefined) throw new Error(`${method} ${path} has no body`);
    const tip = { type: 'object', properties: { tip_cents: { type: 'integer', default: 0 } } };
    Object.assign(media, { schema: { allOf: [media.schema, tip] } });
  }
  return later;
}

interface Received {
  readonly body: Readonly<Record<string, unknown>>;
  readonly hash: string;
}

/** An API that hashes every body as the use cases do, also after a copy, and then answers 503. */
async function startHashing(of: Contract): Promise<{ api: TestApi; received: Received[] }> {
  const received: Received[] = [];
  const handle = ({ body }: { readonly body: object }) => {
    received.push({
      body: { ...body },
      hash: requestHashes(['key'], 'POST', '/path', { ...body, extra: 1 })[0],
    });
    return Promise.reject(new ApiError('unavailable', 'done'));
  };
  const handlers = Object.fromEntries(routes.map(({ id }) => [id, handle])) as Partial<RouteHandlers>;
  const caller = { company: { id: 7, clientId: 'client_test' }, session: { id: 1 } };
  const api = await startTestApi({
    requestValidation: createRequestValidation(of),
    handlers,
    authenticateCheckout: () => Promise.resolve(caller as never),
  });
  return { api, received };
}

function exampleOf(route: ContractRoute): unknown {
  const { example, examples } = openApiOperation(route).requestBody?.content['application/json'] ?? {};
  return example ?? Object.values(examples ?? {})[0]?.value;
}

let today: Awaited<ReturnType<typeof startHashing>>;
let later: Awaited<ReturnType<typeof startHashing>>;
beforeAll(async () => {
  today = await startHashing(contract);
  later = await startHashing(laterContract);
});
afterAll(() => Promise.all([today.api.close(), later.api.close()]));

async function send({ api, received }: typeof today, route: ContractRoute, body: unknown): Promise<Received> {
  const path = route.path
    .replace('/customers/{token}', `/customers/${CUSTOMER}`)
    .replace('/webhooks/{id}', '/webhooks/1')
    .replaceAll(/\{\w+\}/g, ID);
  const response = await fetch(`${api.baseUrl}/api/v1${path}`, {
    method: route.method.toUpperCase(),
    headers: {
      ...(route.auth === 'jwt' ? { Authorization: `Bearer ${TEST_TOKEN}` } : TEST_KEYS),
      'X-Checkout-Token': 'token',
      'Content-Type': 'application/json',
      'Idempotency-Key': 'key',
    },
    body: JSON.stringify(body),
  });
  const last = received.pop();
  if (response.status !== 503 || last === undefined)
    throw new Error(`${route.id} answered ${response.status}: ${await response.text()}`);
  return last;
}

describe('the hash of a request with an Idempotency-Key', () => {
  it.each(routes.map((route) => [route.id, route] as const))(
    'of %s stays the same when the contract gets a new default',
    async (_id, route) => {
      const before = await send(today, route, exampleOf(route));
      const after = await send(later, route, exampleOf(route));
      expect(after.body).toHaveProperty('tip_cents', 0);
      expect(after.hash).toBe(before.hash);
    },
  );

  it('changes with the body, but not with the CVV, which must not be stored in any form', async () => {
    const [route] = routes.filter(({ id }) => id === 'createCardPayment');
    if (route === undefined) throw new Error('no route');
    const example = exampleOf(route) as { amount: number; card: object };
    const { hash } = await send(today, route, example);
    const otherCvv = { ...example, card: { ...example.card, cvv: '999' } };
    expect(await send(today, route, otherCvv)).toMatchObject({ hash });
    const otherAmount = await send(today, route, { ...example, amount: example.amount + 1 });
    expect(otherAmount.hash).not.toBe(hash);
  });
});
