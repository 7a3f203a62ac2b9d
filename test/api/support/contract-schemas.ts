import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { ContractOperation } from '../../../src/http/server/contract';
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
export interface FullOperation {
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
ajv.addSchema(contract.document, DOCUMENT_ID);

/** What is wrong with a value under a schema of the contract; empty when nothing is. */
export function faultsOf(schema: object, value: unknown): string[] {
  const validate = compiled(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath || '/'} ${message ?? ''}`,
  );
}

const validators = new Map<object, ValidateFunction>();

function compiled(schema: object): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${DOCUMENT_ID}#/`);
  const validate = ajv.compile(JSON.parse(text) as object);
  validators.set(schema, validate);
  return validate;
}

export function fullOperation({ path, method }: ContractOperation): FullOperation {
  return contract.document.paths[path]?.[method] as unknown as FullOperation;
}

export function resolveResponse(response: ResponseObject | { readonly $ref: string }): ResponseObject {
  return '$ref' in response ? (resolvePointer(response.$ref) as ResponseObject) : response;
}

/** In what way a body is not the one that the contract gives an operation with this status. */
export function bodyFaults(operation: ContractOperation, status: number, body: unknown): string[] {
  const declared = fullOperation(operation).responses[String(status)];
  if (declared === undefined) return [`${status} is not one of its answers`];
  const schema = resolveResponse(declared).content?.['application/json']?.schema;
  if (schema === undefined) return body === undefined ? [] : ['a body where none belongs'];
  return faultsOf(schema, body);
}

/** `#/components/responses/NotFound` */
export function resolvePointer(pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], contract.document);
}

export const ERROR_SCHEMA = { $ref: '#/components/schemas/Error' };
