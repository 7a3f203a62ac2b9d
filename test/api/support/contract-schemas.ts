import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { isCurrency } from '../../../src/domain/shared/currency';
import { isIp } from '../../../src/http/server/ip-address';
import type { ContractRoute } from '../../../src/http/server/contract';
import { contract } from './contract';

export interface MediaObject {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
export interface ResponseObject {
  readonly content?: Readonly<Record<string, MediaObject>>;
  readonly headers?: Readonly<Record<string, unknown>>;
}
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaObject>> };
  readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>>;
}

const DOCUMENT_ID = 'openapi';
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv, { mode: 'full' });
ajv.addFormat('iso-4217', isCurrency);
ajv.addFormat('ip', isIp);
ajv.addSchema(contract.document, DOCUMENT_ID);

/** The errors of a value under a schema of the contract; empty if it is valid. */
export function schemaErrors(schema: object, value: unknown): string[] {
  const validate = compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath || '/'} ${message ?? ''}`,
  );
}

const validators = new Map<object, ValidateFunction>();

function compile(schema: object): ValidateFunction {
  const cached = validators.get(schema);
  if (cached !== undefined) return cached;
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${DOCUMENT_ID}#/`);
  const validate = ajv.compile(JSON.parse(text) as object);
  validators.set(schema, validate);
  return validate;
}

export function openApiOperation({ path, method }: ContractRoute): OpenApiOperation {
  return contract.document.paths[path]?.[method] as unknown as OpenApiOperation;
}

export function resolveResponse(response: ResponseObject | { readonly $ref: string }): ResponseObject {
  return '$ref' in response ? (resolvePointer(response.$ref) as ResponseObject) : response;
}

/** The errors of a response body under the contract’s schema for the route and status. */
export function bodyErrors(route: ContractRoute, status: number, body: unknown): string[] {
  const declared = openApiOperation(route).responses[String(status)];
  if (declared === undefined) return [`${status} is not a declared status`];
  const { content } = resolveResponse(declared);
  const schema = (content?.['application/json'] ?? content?.['text/csv'])?.schema;
  if (schema === undefined) return body === undefined ? [] : ['an unexpected body'];
  return schemaErrors(schema, body);
}

/** Resolves a pointer such as `#/components/responses/NotFound`. */
export function resolvePointer(pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], contract.document);
}

export const ERROR_SCHEMA = { $ref: '#/components/schemas/Error' };
