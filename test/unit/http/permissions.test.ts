import { API_KEY_SCOPES, type ApiKeyScope } from '../../../src/domain/companies/api-key-scope';
import { permissionsOf, ROLES, type Permission, type Role } from '../../../src/domain/users/permission';
import { requirePermission } from '../../../src/http/auth/permission';
import { contractOf, type AuthClass, type ContractRoute } from '../../../src/http/server/contract';
import { contract } from '../../api/support/contract';
import {
  holderOf,
  startTestApi,
  TEST_COMPANY,
  TEST_KEYS,
  TEST_SIGNED_IN,
  TEST_TOKEN,
  TEST_TOKENS,
  type TestApi,
} from '../../api/support/test-api';

const EVERYONE: readonly Permission[] = ['account', 'read'];
const CHANGES: readonly Permission[] = [
  'payments:write',
  'subscriptions:write',
  'catalog:write',
  'customers:write',
  'gateways:write',
];
const ADMIN: readonly Permission[] = [
  ...EVERYONE,
  'export',
  ...CHANGES,
  'notes:write',
  'webhooks:write',
  'settings:write',
  'api_keys:write',
  'members:write',
];
const BY_ROLE: Readonly<Record<Role, readonly Permission[]>> = {
  owner: [...ADMIN, 'security:write'],
  admin: ADMIN,
  support: [...EVERYONE, 'payments:write', 'notes:write'],
  analyst: [...EVERYONE, 'export'],
  read_only: EVERYONE,
};
const BY_SCOPE: Readonly<Record<ApiKeyScope, readonly Permission[]>> = {
  read: ['read', 'export'],
  write: CHANGES,
  'payments:write': ['payments:write'],
  'subscriptions:write': ['subscriptions:write'],
  'catalog:write': ['catalog:write'],
  'customers:write': ['customers:write'],
  'gateways:write': ['gateways:write'],
};

const routesBy = (auth: AuthClass) => contract.routes.filter((route) => route.auth === auth);

/** The role and the scope of the next request. */
let role: Role = 'owner';
let scope: ApiKeyScope = 'read';
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    users: {
      tokens: TEST_TOKENS,
      findSession: () => Promise.resolve({ ...TEST_SIGNED_IN, user: { ...TEST_SIGNED_IN.user, role } }),
    },
    authenticate: () => {
      const holder = holderOf(TEST_COMPANY);
      return Promise.resolve({ ...holder, apiKey: { ...holder.apiKey, scopes: [scope] } });
    },
  });
});
afterAll(() => api.close());

/** The code of a 403 of an empty request, and null for any other answer. */
async function refusalOf(route: ContractRoute, headers: Record<string, string>): Promise<string | null> {
  const path = route.path.replaceAll(/\{\w+\}/g, '1');
  const response = await fetch(`${api.baseUrl}/api/v1${path}`, {
    method: route.method.toUpperCase(),
    headers,
  });
  const { code } = (await response.json().catch(() => ({}))) as { code?: string };
  return response.status === 403 ? (code ?? '') : null;
}

async function refusedRoutes(auth: AuthClass, headers: Record<string, string>, code: string) {
  const refused: string[] = [];
  for (const route of routesBy(auth)) {
    const refusal = await refusalOf(route, headers);
    if (refusal === null) continue;
    expect([route.id, refusal]).toEqual([route.id, code]);
    refused.push(route.id);
  }
  return refused;
}

const without = (auth: AuthClass, allowed: readonly Permission[]) =>
  routesBy(auth)
    .filter(({ permission }) => permission === null || !allowed.includes(permission))
    .map(({ id }) => id);

it('every route with an API key or an access token names a permission: read or export for GET except of sessions', () => {
  for (const route of contract.routes) {
    const { id, auth, method, permission } = route;
    const isNamed = auth === 'apiKey' || auth === 'jwt';
    expect([id, permission !== null]).toEqual([id, isNamed]);
    if (!isNamed || permission === 'account') continue;
    const reads = permission === 'read' || permission === 'export' || id === 'listMemberSessions';
    // A simulation changes nothing; its rules are too long for a query.
    expect([id, reads]).toEqual([id, method === 'get' || id === 'simulateRouting']);
  }
});

it('no process starts with a route that names no permission or an unknown security scheme', () => {
  expect(() => requirePermission('getMe', null)).toThrow('names no x-required-permission for getMe');
  const operation = { operationId: 'getMe', security: [{ Basic: [] }] } as const;
  const document = { ...contract.document, paths: { '/user/me': { get: operation } } };
  expect(() => contractOf(document, { takesTestData: true })).toThrow('unknown security scheme at getMe');
});

it.each(ROLES)(
  '%s has the documented permissions, and gets 403 forbidden at exactly the other routes',
  async (one) => {
    expect(permissionsOf(one)).toEqual(BY_ROLE[one]);
    role = one;
    const refused = await refusedRoutes('jwt', { Authorization: `Bearer ${TEST_TOKEN}` }, 'forbidden');
    expect(refused).toEqual(without('jwt', BY_ROLE[one]));
  },
);

it.each(API_KEY_SCOPES)(
  'an API key with the scope %s gets 403 at exactly the routes of other scopes',
  async (one) => {
    scope = one;
    const refused = await refusedRoutes('apiKey', TEST_KEYS, 'insufficient_scope');
    expect(refused).toEqual(without('apiKey', BY_SCOPE[one]));
  },
);

it('every route of a signed-in user takes X-Mode, and no other route does', () => {
  const takesMode = ({ id }: { readonly id: string }) =>
    Object.values(contract.document.paths)
      .flatMap((item) => Object.values(item))
      .some(
        ({ operationId, parameters = [] }) =>
          operationId === id && JSON.stringify(parameters).includes('#/components/parameters/Mode'),
      );
  const taking = contract.routes.filter(takesMode).map(({ id }) => id);
  expect(taking.sort()).toEqual(
    routesBy('jwt')
      .map(({ id }) => id)
      .sort(),
  );
});
