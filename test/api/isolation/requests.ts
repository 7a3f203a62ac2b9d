import type { ContractRoute } from '../../../src/http/server/contract';
import type { RequestOptions } from '../support/api-client';
import { openApiOperation } from '../support/contract-schemas';
import type { CompanyResources } from './company-resources';
import { BODIES, PATH_RESOURCES, PATH_ID_OVERRIDES } from './coverage';

/** The path’s parameters, each with the path up to it. */
export function parametersOf({ path }: ContractRoute): Array<readonly [name: string, place: string]> {
  return [...path.matchAll(/\{(\w+)\}/g)].map(({ 0: braces, 1: name = '', index }) => [
    name,
    path.slice(0, index + braces.length),
  ]);
}

export type Owner = CompanyResources | 'never';

/** The route’s request with ids of the given owners, one for each path parameter. */
export function requestFor(route: ContractRoute, owners: readonly Owner[]): RequestOptions {
  const params = parametersOf(route).map(([name, place], index) => {
    const owner = owners[index] ?? 'never';
    const resource = PATH_RESOURCES[place];
    if (resource === undefined) throw new Error(`coverage.ts has no resource for ${place}`);
    return [
      name,
      owner === 'never' ? resource.never : (PATH_ID_OVERRIDES[route.id] ?? resource.of)(owner),
    ] as const;
  });
  const body = exampleBody(route, owners[0] ?? 'never');
  return { params: Object.fromEntries(params), ...(body === undefined ? {} : { body }) };
}

/** The contract’s example, unless the owner needs a different one. */
export function exampleBody(route: ContractRoute, owner: Owner): unknown {
  const example = BODIES[route.id];
  if (example !== undefined) return example(owner);
  const media = openApiOperation(route).requestBody?.content['application/json'];
  return media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
}
