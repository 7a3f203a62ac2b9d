import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ERROR_STATUS } from '../../../src/domain/shared/errors';
import { CHECKOUT_OPERATIONS, JWT_OPERATIONS, PUBLIC_OPERATIONS } from '../../../src/http/server/operation';
import { createRequestValidation } from '../../../src/http/server/request-validation';
import { openapiPath, projectRoot } from '../../../src/paths';
import {
  ERROR_SCHEMA,
  faultsOf,
  fullOperation,
  resolvePointer,
  resolveResponse,
  type MediaObject,
} from '../support/contract-schemas';
import { contract, productionContract } from '../support/contract';

const operations = contract.operations.map((operation) => ({ operation, full: fullOperation(operation) }));
const schemas = resolvePointer('#/components/schemas') as Record<string, object>;

function examplesOf(media: MediaObject): unknown[] {
  const named = Object.values(media.examples ?? {}).map(({ value }) => value);
  return media.example === undefined ? named : [media.example, ...named];
}

/** Every schema object below a node, with its place. */
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
  it('describes every operation, once, under one tag', () => {
    expect(operations.length).toBeGreaterThan(0);
    for (const { operation, full } of operations) {
      expect([operation.id, full.summary, full.description]).not.toContain(undefined);
      expect([operation.id, full.tags?.length]).toEqual([operation.id, 1]);
    }
    expect(new Set(operations.map(({ operation }) => operation.id)).size).toBe(operations.length);
  });

  it('describes every property', () => {
    const undescribed = Object.entries(schemas)
      .flatMap(([name, schema]) => [...schemasBelow(schema, name)])
      .filter(([, schema]) => !('$ref' in schema) && schema['type'] !== 'null')
      .filter(([, schema]) => typeof schema['description'] !== 'string')
      .map(([place]) => place);
    expect(undescribed).toEqual([]);
  });

  it('bounds everything a request may send', () => {
    const requests = operations.flatMap(({ full }) => Object.values(full.requestBody?.content ?? {}));
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

  it('tells people in words what each pattern wants', () => {
    const text = JSON.stringify(contract.document);
    const patterns = [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, literal]) => literal ?? '');
    const silent = patterns.filter((literal) => !contract.patternMessages.has(JSON.parse(literal) as string));
    expect(silent).toEqual([]);
  });

  it('knows exactly the error codes of the code', () => {
    const { properties } = schemas['Error'] as { properties: { code: { enum: string[] } } };
    expect([...properties.code.enum].sort()).toEqual(Object.keys(ERROR_STATUS).sort());
  });

  it.each([
    ['none', PUBLIC_OPERATIONS],
    ['jwt', JWT_OPERATIONS],
    ['checkout', CHECKOUT_OPERATIONS],
  ] as const)('takes %s for authentication exactly where the code does', (auth, inCode) => {
    const inContract = operations.filter(({ operation }) => operation.auth === auth);
    expect(inContract.map(({ operation }) => operation.id).sort()).toEqual([...inCode].sort());
  });

  it.each([
    ['sandbox', contract],
    ['production', productionContract],
  ])('has only requests that the %s can compile before the first of them', async (_, of) => {
    await expect(createRequestValidation(of).warmUp()).resolves.toBeUndefined();
  });

  it('has types generated from it as it is now', async () => {
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

describe.each(operations)('$operation.id', ({ operation, full }) => {
  it('has valid examples of its request', () => {
    const media = full.requestBody?.content['application/json'];
    expect(media !== undefined).toBe(operation.takesBody);
    if (media === undefined) return;
    expect(examplesOf(media)).not.toHaveLength(0);
    for (const example of examplesOf(media)) expect(faultsOf(media.schema, example)).toEqual([]);
  });

  it('has valid examples of every answer, each with X-Request-Id', () => {
    for (const [status, declared] of Object.entries(full.responses)) {
      const response = resolveResponse(declared);
      expect([status, Object.keys(response.headers ?? {})]).toEqual([
        status,
        expect.arrayContaining(['X-Request-Id']),
      ]);
      const media = response.content?.['application/json'];
      if (status === '204') {
        expect(media).toBeUndefined();
        continue;
      }
      if (media === undefined) throw new Error(`${status} has no content`);
      expect([status, examplesOf(media).length]).not.toEqual([status, 0]);
      for (const example of examplesOf(media))
        expect([status, faultsOf(media.schema, example)]).toEqual([status, []]);
    }
  });

  it('declares every error the pipeline can answer, in the one shape', () => {
    const statuses = Object.keys(full.responses).map(Number);
    const expected = [422, 429, 500, 503];
    if (operation.auth !== 'none') expected.push(401);
    if (operation.takesBody) expected.push(400, 413, 415);
    if (operation.path.includes('{')) expected.push(404);
    expect(statuses).toEqual(expect.arrayContaining(expected));
    for (const status of statuses.filter((code) => code >= 400)) {
      const declared = full.responses[String(status)];
      const schema = declared && resolveResponse(declared).content?.['application/json']?.schema;
      expect([status, schema]).toEqual([status, ERROR_SCHEMA]);
    }
  });
});
