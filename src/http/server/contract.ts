import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { OperationId } from './operation';

export const HTTP_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** Who may ask: anybody, a company by its key pair, a user by an access token, a buyer by a session's token. */
export type AuthClass = 'none' | 'apiKey' | 'jwt' | 'checkout';

export interface ParameterObject {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
}

interface MediaTypeObject {
  readonly schema?: { readonly $ref?: string };
}

export interface OperationObject {
  readonly operationId: OperationId;
  readonly security?: readonly object[];
  readonly parameters?: ReadonlyArray<ParameterObject | { readonly $ref: string }>;
  /** Only in the sandbox: in production there is no such route. */
  readonly 'x-sandbox'?: boolean;
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaTypeObject>> };
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly servers: readonly [{ readonly url: string }];
  readonly paths: Readonly<Record<string, Partial<Record<HttpMethod, OperationObject>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, ParameterObject>> };
}

/** One operation, as far as the pipeline in front of its handler needs to know it. */
export interface ContractOperation {
  readonly id: OperationId;
  readonly method: HttpMethod;
  /** Relative to the base path, with `{braces}`. */
  readonly path: string;
  readonly auth: AuthClass;
  /** A body in JSON. */
  readonly takesBody: boolean;
  /** A body in whatever form its sender gives it. */
  readonly takesRawBody: boolean;
  readonly takesIdempotencyKey: boolean;
}

export interface Contract {
  readonly document: OpenApiDocument;
  /** `/api/v1` */
  readonly basePath: string;
  readonly operations: readonly ContractOperation[];
  /** Header names as the contract spells them, by lower-case name. */
  readonly headerNames: ReadonlyMap<string, string>;
  /** What to tell people who break a `pattern`: its `x-message`. */
  readonly patternMessages: ReadonlyMap<string, string>;
}

interface ContractOptions {
  /** With what is only for the sandbox, or without. */
  readonly sandbox: boolean;
}

/** Reads openapi.yaml, which takes a while: once. Throws when it cannot be read. */
export function loadContract(path: string, options: ContractOptions): Contract {
  return contractOf(parse(readFileSync(path, 'utf8')) as OpenApiDocument, options);
}

export function contractOf(whole: OpenApiDocument, { sandbox }: ContractOptions): Contract {
  const document = sandbox ? whole : withoutSandbox(whole);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    HTTP_METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [contractOperation(document, path, method, operation)];
    }),
  );
  const parameters = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => parametersOf(document, operation));
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  const patternMessages = new Map<string, string>();
  collectPatternMessages(document, patternMessages);
  return {
    document,
    basePath: document.servers[0].url,
    operations,
    headerNames: new Map(headers.map(({ name }) => [name.toLowerCase(), name])),
    patternMessages,
  };
}

function withoutSandbox(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const kept = Object.entries(item).filter(([, operation]) => operation['x-sandbox'] !== true);
    return [path, Object.fromEntries(kept)] as const;
  });
  return {
    ...document,
    paths: Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0)),
  };
}

function contractOperation(
  document: OpenApiDocument,
  path: string,
  method: HttpMethod,
  operation: OperationObject,
): ContractOperation {
  return {
    id: operation.operationId,
    method,
    path,
    auth: authClassOf(operation),
    takesBody: operation.requestBody?.content['application/json'] !== undefined,
    takesRawBody: operation.requestBody?.content['*/*'] !== undefined,
    takesIdempotencyKey: parametersOf(document, operation).some(({ name }) => name === 'Idempotency-Key'),
  };
}

/** Without a word of its own an operation takes the key pair, as the whole contract does. */
function authClassOf({ security }: OperationObject): AuthClass {
  if (security === undefined) return 'apiKey';
  if (security.some((scheme) => 'CheckoutToken' in scheme)) return 'checkout';
  return security.some((scheme) => 'AccessToken' in scheme) ? 'jwt' : 'none';
}

function parametersOf(document: OpenApiDocument, operation: OperationObject): ParameterObject[] {
  return (operation.parameters ?? []).map((parameter) => {
    if (!('$ref' in parameter)) return parameter;
    const name = parameter.$ref.replace('#/components/parameters/', '');
    const shared = document.components.parameters[name];
    if (shared === undefined) throw new Error(`openapi.yaml has no parameter ${name}`);
    return shared;
  });
}

function collectPatternMessages(node: unknown, messages: Map<string, string>): void {
  if (typeof node !== 'object' || node === null) return;
  const { pattern, 'x-message': message } = node as Record<string, unknown>;
  if (typeof pattern === 'string' && typeof message === 'string') messages.set(pattern, message);
  for (const child of Object.values(node)) collectPatternMessages(child, messages);
}
