import type { ContractOperation } from '../../../src/http/server/contract';
import type { RequestOptions } from '../support/api-client';
import { fullOperation } from '../support/contract-schemas';
import type { Belongings } from './company-resources';
import { BODIES, NAMED, PATH_IDS } from './coverage';

/** The names of a path's parameters, each with the path up to it. */
export function parametersOf({ path }: ContractOperation): Array<readonly [name: string, place: string]> {
  return [...path.matchAll(/\{(\w+)\}/g)].map(({ 0: braces, 1: name = '', index }) => [
    name,
    path.slice(0, index + braces.length),
  ]);
}

export type Owner = Belongings | 'never';

/** The operation's request for the things of these owners, one for each parameter. */
export function requestFor(operation: ContractOperation, owners: readonly Owner[]): RequestOptions {
  const params = parametersOf(operation).map(([name, place], index) => {
    const owner = owners[index] ?? 'never';
    const named = NAMED[place];
    if (named === undefined) throw new Error(`coverage.ts does not tell what ${place} names`);
    return [name, owner === 'never' ? named.never : (PATH_IDS[operation.id] ?? named.of)(owner)] as const;
  });
  const body = exampleBody(operation, owners[0] ?? 'never');
  return { params: Object.fromEntries(params), ...(body === undefined ? {} : { body }) };
}

/** The contract's own example, unless another one fits its owner. */
export function exampleBody(operation: ContractOperation, owner: Owner): unknown {
  const example = BODIES[operation.id];
  if (example !== undefined) return example(owner);
  const media = fullOperation(operation).requestBody?.content['application/json'];
  return media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
}
