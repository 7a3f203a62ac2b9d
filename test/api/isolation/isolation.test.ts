import { randomUUID } from 'node:crypto';
import type { ContractRoute } from '../../../src/http/server/contract';
import type { RouteId } from '../../../src/http/server/route';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { contract } from '../support/contract';
import {
  createResources,
  liveAccess,
  newCompanyAccess,
  clientFor,
  rowsOf,
  wrongClientFor,
  type AnyRouteResponse,
  type CompanyResources,
} from './company-resources';
import {
  FIGURES,
  PATH_RESOURCES,
  PATHS_WITHOUT_RESOURCES,
  NEVER,
  OPERATOR_ROUTES,
  OWN_QUERIES,
  PUBLIC_REASONS,
  QUERIES,
  isSharedByModes,
  WRITES,
} from './coverage';
import { exampleBody, parametersOf, requestFor, type Owner } from './requests';

/*
 * Isolation of companies, and of the modes of one company: requests every route of the contract for one company’s resources with another company’s
 * credentials. The requests come from the contract; a route that could reach a resource in an unknown way fails the test
 * until coverage.ts describes it.
 */

let api: EngineApi;
let receiver: WebhookReceiver;
let ours: CompanyResources;
let theirs: CompanyResources;
/** Of our company in the other mode. */
let live: CompanyResources;
let before: ReadonlyArray<Record<string, string[]>>;
const answersToOthers = new Map<RouteId, readonly AnyRouteResponse[]>();

beforeAll(async () => {
  [api, receiver] = await Promise.all([startEngineApi(), startWebhookReceiver()]);
  const access = await newCompanyAccess(api);
  ours = await createResources(api, receiver.url, 'gateway_2', access);
  theirs = await createResources(api, receiver.url, 'gateway_3', await newCompanyAccess(api));
  live = await createResources(api, receiver.url, 'gateway_4', await liveAccess(api, access));
  for (const route of keyed)
    for (const owner of othersFor(route)) {
      if (route.isForTestData && owner === live) continue;
      const answers = answersToOthers.get(route.id) ?? [];
      answersToOthers.set(route.id, [...answers, await keyedRequest(owner, route)]);
    }
  before = [await rowsOf(api.engine, theirs.companyId), await rowsOf(api.engine, live.companyId)];
}, 60_000);
afterAll(async () => {
  receiver.close();
  await api.stop();
});

/** Those whose resources the route must not reach from ours. */
function othersFor(route: ContractRoute): CompanyResources[] {
  return isSharedByModes(route) ? [theirs] : [theirs, live];
}

const authenticatedRoutes = contract.routes.filter(({ auth }) => auth !== 'none');
const routesWithIds = authenticatedRoutes.filter(
  ({ id, path }) => path.includes('{') && !PATHS_WITHOUT_RESOURCES.includes(id),
);
const others = authenticatedRoutes.filter(({ path }) => !path.includes('{'));
const reads = others.filter(({ id, method }) => method === 'get' && OPERATOR_ROUTES[id] === undefined);
const writes = others.filter(({ method }) => method !== 'get');
const keyed = writes.filter(({ takesIdempotencyKey }) => takesIdempotencyKey);

/** The contract’s example, with the same idempotency key for every caller. */
function keyedRequest(owner: CompanyResources, route: ContractRoute): Promise<AnyRouteResponse> {
  const headers = { 'Idempotency-Key': `key-for-${route.id}` };
  return clientFor(owner, route)(route.id, { body: exampleBody(route, owner), headers });
}

/** A response without the request’s own id. */
function withoutRequestId({ status, body }: AnyRouteResponse): unknown {
  return { status, body: { ...(body as object), request_id: '' } };
}

function expectNoDataOf({ uniqueTexts }: CompanyResources, answer: unknown): void {
  const text = JSON.stringify(answer);
  expect(uniqueTexts.filter((unique) => text.includes(unique))).toEqual([]);
}

describe('coverage of the isolation tests', () => {
  it('every route that creates or changes something without an id in its path is listed', () => {
    expect(writes.map(({ id }) => id).sort()).toEqual(Object.keys(WRITES).sort());
  });

  it('every id in a path is listed, and no listed path is outdated', () => {
    const places = routesWithIds.flatMap((route) => parametersOf(route).map(([, place]) => place));
    expect([...new Set(places)].sort()).toEqual(Object.keys(PATH_RESOURCES).sort());
  });

  it('every route without authentication is listed with the reason why it reveals nothing', () => {
    const open = contract.routes.filter(({ auth }) => auth === 'none');
    expect(open.map(({ id }) => id).sort()).toEqual(Object.keys(PUBLIC_REASONS).sort());
  });
});

describe.each(authenticatedRoutes.map((route) => [route.id, route] as const))('%s', (id, route) => {
  const request = () =>
    requestFor(
      route,
      parametersOf(route).map(() => theirs),
    );

  it('answers 401 without credentials and with credentials of the other kind', async () => {
    const answers = [await api.anonymous(id, request()), await wrongClientFor(theirs, route)(id, request())];
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });
});

describe.each(routesWithIds.map((route) => [route.id, route] as const))('%s', (id, route) => {
  const count = parametersOf(route).length;
  const all = (owner: Owner): Owner[] => Array.from({ length: count }, () => owner);
  /** All ids are the caller’s own, except the last one. */
  const last = (owner: Owner): Owner[] => [...all(ours).slice(1), owner];

  it('answers 404 for ids of another company and of the other mode, identical to the answer for ids that do not exist', async () => {
    const client = clientFor(ours, route);
    const others = othersFor(route);
    const owners = [all('never'), last('never'), ...others.map(all), ...others.map(last)];
    const answers: unknown[] = [];
    for (const each of owners) answers.push(withoutRequestId(await client(id, requestFor(route, each))));
    expect(answers[0]).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(answers.slice(1)).toEqual(Array(owners.length - 1).fill(answers[0]));
  });
});

describe.each(reads.map((route) => [route.id, route] as const))('%s', (id, route) => {
  it('never returns data of another company or of the other mode, whatever the query', async () => {
    const client = clientFor(ours, route);
    const queriesOf = (owner: CompanyResources) => QUERIES[id]?.(owner) ?? [];
    for (const query of [OWN_QUERIES[id]?.(ours) ?? {}, ...queriesOf(theirs), ...queriesOf(live)]) {
      const answer = await client(id, { query });
      expect(answer.status).toBe(200);
      expectNoDataOf(theirs, answer.body);
      if (!isSharedByModes(route)) expectNoDataOf(live, answer.body);
    }
  });
});

const forOperators = authenticatedRoutes.filter(({ id }) => OPERATOR_ROUTES[id] !== undefined);
describe.each(forOperators.map((route) => [route.id, route] as const))('%s', (id, route) => {
  it('does not exist for the users of a company', async () => {
    expect(await clientFor(ours, route)(id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

const readsWithNames = reads.filter(({ id }) => FIGURES[id] === undefined);
describe.each(readsWithNames.map((route) => [route.id, route] as const))('%s', (id, route) => {
  it('returns the company’s own data, which proves that the check above can fail', async () => {
    const query = OWN_QUERIES[id]?.(ours) ?? {};
    const { body } = await clientFor(ours, route)(id, { query });
    const text = JSON.stringify(body);
    expect([...ours.uniqueTexts, receiver.url].filter((unique) => text.includes(unique))).not.toEqual([]);
  });
});

describe.each(writes.map((route) => [route.id, route] as const))('%s', (id, route) => {
  it('answers 422 for a resource of another company or of the other mode in the body, identical to the answer for a resource that does not exist', async () => {
    const client = clientFor(ours, route);
    const bodiesOf = WRITES[id] ?? (() => []);
    const never = bodiesOf(NEVER, ours);
    for (const owner of othersFor(route)) {
      for (const [index, [field, body]] of bodiesOf(owner, ours).entries()) {
        const answer = withoutRequestId(await client(id, { body }));
        expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: expect.any(Array) } } });
        expect(withoutRequestId(await client(id, { body: never[index]?.[1] }))).toEqual(answer);
      }
    }
  });
});

describe.each(keyed.map((route) => [route.id, route] as const))('%s', (id, route) => {
  it('treats an idempotency key that was used for the same request by another company and in the other mode as a new key', async () => {
    const answer = await keyedRequest(ours, route);
    expect(answer.status).toBeLessThan(300);
    for (const other of answersToOthers.get(id) ?? []) {
      expect(other.status).toBe(answer.status);
      expect(other.headers.has('idempotency-replayed')).toBe(false);
      expect(other.body).not.toEqual(answer.body);
    }
    expect(answer.headers.has('idempotency-replayed')).toBe(false);
    expectNoDataOf(theirs, answer.body);
    expectNoDataOf(live, answer.body);
  });
});

describe('after all requests', () => {
  it('the rows of the other company and of the other mode are unchanged', async () => {
    for (const rows of before) expect(Object.values(rows).flat().length).toBeGreaterThan(10);
    const after = [await rowsOf(api.engine, theirs.companyId), await rowsOf(api.engine, live.companyId)];
    // Settings are shared, so the requests above changed them.
    const shared = { company_configs: expect.any(Array), company_logos: expect.any(Array) };
    expect(after).toEqual([before[0], { ...before[1], ...shared }]);
  });

  it('the same requests succeed for the company’s own resources', async () => {
    const isDelete = ({ method }: ContractRoute) => method === 'delete';
    // A parent is deleted after what belongs to it.
    const deletes = routesWithIds.filter(isDelete).sort((one, other) => other.path.length - one.path.length);
    const deletesLast = [...routesWithIds.filter((route) => !isDelete(route)), ...deletes];
    const statuses: Array<[string, number]> = [];
    for (const route of deletesLast) {
      const request = requestFor(
        route,
        parametersOf(route).map(() => theirs),
      );
      const headers = route.takesIdempotencyKey ? { 'Idempotency-Key': randomUUID() } : {};
      const { status } = await clientFor(theirs, route)(route.id, { ...request, headers });
      statuses.push([route.id, status]);
    }
    expect(statuses.filter(([, status]) => status === 404)).toEqual([]);
  });
});
