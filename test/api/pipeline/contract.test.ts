import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ERROR_STATUS } from '../../../src/domain/shared/errors';
import { CHECKOUT_ROUTES, JWT_ROUTES, PUBLIC_ROUTES } from '../../../src/http/server/route';
import { createRequestValidation } from '../../../src/http/server/request-validation';
import { openapiPath, projectRoot } from '../../../src/paths';
import {
  ERROR_SCHEMA,
  schemaErrors,
  openApiOperation,
  resolvePointer,
  resolveResponse,
  type MediaObject,
} from '../support/contract-schemas';
import { contract, productionContract } from '../support/contract';

const routes = contract.routes.map((route) => ({ route, full: openApiOperation(route) }));
const schemas = resolvePointer('#/components/schemas') as Record<string, object>;

function examplesOf(media: MediaObject): unknown[] {
  const named = Object.values(media.examples ?? {}).map(({ value }) => value);
  return media.example === undefined ? named : [media.example, ...named];
}

/** Every schema object below a node, with its path. */
function* schemasBelow(
  node: unknown,
  place: string,
): Generator<[place: string, schema: Record<string, unknown>]> {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Record<string, unknown>;
  yield [place, schema];
  for (const [name, property] of Object.entries(schema['properties'] ?? {})) {
    yield* schemasBelow(property, `${place}.${name}`);
  }
  for (const key of ['items', 'additionalProperties']) yield* schemasBelow(schema[key], `${place}.${key}`);
  for (const alternative of (schema['anyOf'] ?? []) as unknown[]) yield* schemasBelow(alternative, place);
}

describe('openapi.yaml', () => {
  it('describes every route once, under one tag', () => {
    expect(routes.length).toBeGreaterThan(0);
    for (const { route, full } of routes) {
      expect([route.id, full.summary, full.description]).not.toContain(undefined);
      expect([route.id, full.tags?.length]).toEqual([route.id, 1]);
    }
    expect(new Set(routes.map(({ route }) => route.id)).size).toBe(routes.length);
  });

  it('describes every property', () => {
    const undescribed = Object.entries(schemas)
      .flatMap(([name, schema]) => [...schemasBelow(schema, name)])
      .filter(([, schema]) => !('$ref' in schema) && schema['type'] !== 'null')
      .filter(([, schema]) => typeof schema['description'] !== 'string')
      .map(([place]) => place);
    expect(undescribed).toEqual([]);
  });

  it('limits the size of everything a request can contain', () => {
    const requests = routes.flatMap(({ full }) => Object.values(full.requestBody?.content ?? {}));
    const seen = new Set<string>();
    const unbounded: string[] = [];
    const visit = (node: unknown, place: string): void => {
      for (const [at, schema] of schemasBelow(node, place)) {
        const reference = schema['$ref'];
        if (typeof reference === 'string' && !seen.has(reference)) {
          seen.add(reference);
          visit(resolvePointer(reference), reference.split('/').at(-1) ?? '');
        }
        const types = [schema['type']].flat();
        const listed = 'enum' in schema || 'format' in schema || 'pattern' in schema;
        if (types.includes('string') && !listed && !('maxLength' in schema)) unbounded.push(at);
        if (types.includes('array') && !('maxItems' in schema)) unbounded.push(at);
        if (types.includes('integer') && !('maximum' in schema)) unbounded.push(at);
      }
    };
    requests.forEach(({ schema }) => visit(schema, 'request'));
    expect(seen).toContain('#/components/schemas/PartnerAddress');
    expect(unbounded).toEqual([]);
  });

  it('has a readable message for each pattern', () => {
    const text = JSON.stringify(contract.document);
    const patterns = [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, literal]) => literal ?? '');
    const withoutMessage = patterns.filter(
      (literal) => !contract.patternMessages.has(JSON.parse(literal) as string),
    );
    expect(withoutMessage).toEqual([]);
  });

  it('has exactly the error codes of the code', () => {
    const { properties } = schemas['Error'] as { properties: { code: { enum: string[] } } };
    expect([...properties.code.enum].sort()).toEqual(Object.keys(ERROR_STATUS).sort());
  });

  it.each([
    ['none', PUBLIC_ROUTES],
    ['jwt', JWT_ROUTES],
    ['checkout', CHECKOUT_ROUTES],
  ] as const)('requires the authentication %s for exactly the routes that the code lists', (auth, inCode) => {
    const inContract = routes.filter(({ route }) => route.auth === auth);
    expect(inContract.map(({ route }) => route.id).sort()).toEqual([...inCode].sort());
  });

  it.each([
    ['sandbox', contract],
    ['production', productionContract],
  ])('has only schemas that compile at startup, in %s', async (_, of) => {
    await expect(createRequestValidation(of).warmUp()).resolves.toBeUndefined();
  });

  it('matches the types generated from it', async () => {
    const generator = join(projectRoot, 'node_modules/.bin/openapi-typescript');
    const output = join(projectRoot, 'src/http/generated/openapi.d.ts');
    const redocly = join(projectRoot, '.redocly.yaml');
    const check = promisify(execFile)(generator, [
      openapiPath,
      ...['--redocly', redocly, '--output', output, '--check'],
    ]);
    await expect(check).resolves.toBeDefined();
  });
});

describe.each(routes)('$route.id', ({ route, full }) => {
  it('has valid examples of its request', () => {
    const media = full.requestBody?.content['application/json'];
    expect(media !== undefined).toBe(route.takesBody);
    if (media === undefined) return;
    expect(examplesOf(media)).not.toHaveLength(0);
    for (const example of examplesOf(media)) expect(schemaErrors(media.schema, example)).toEqual([]);
  });

  it('has valid examples of every response, each with X-Request-Id', () => {
    for (const [status, declared] of Object.entries(full.responses)) {
      const response = resolveResponse(declared);
      expect([status, Object.keys(response.headers ?? {})]).toEqual([
        status,
        expect.arrayContaining(['X-Request-Id']),
      ]);
      const media = response.content?.['application/json'] ?? response.content?.['text/csv'];
      if (status === '204') {
        expect(media).toBeUndefined();
        continue;
      }
      if (media === undefined) throw new Error(`${status} has no content`);
      expect([status, examplesOf(media).length]).not.toEqual([status, 0]);
      for (const example of examplesOf(media))
        expect([status, schemaErrors(media.schema, example)]).toEqual([status, []]);
    }
  });

  it('declares every error that the middleware can answer, in the common shape', () => {
    const statuses = Object.keys(full.responses).map(Number);
    const expected = [422, 429, 500, 503];
    if (route.auth !== 'none') expected.push(401);
    if (route.takesBody) expected.push(400, 413, 415);
    if (route.path.includes('{')) expected.push(404);
    expect(statuses).toEqual(expect.arrayContaining(expected));
    for (const status of statuses.filter((code) => code >= 400)) {
      const declared = full.responses[String(status)];
      const schema = declared && resolveResponse(declared).content?.['application/json']?.schema;
      expect([status, schema]).toEqual([status, ERROR_SCHEMA]);
    }
  });
});
