import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Permission } from '../../domain/users/permission';
import { bodyShapeOf, type BodyShape, type SchemaObject } from './body-shape';
import type { TextSchema } from './free-text';
import type { RouteId } from './route';

export const HTTP_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** Authentication of a route: none, a company's key pair, a user's access token, or a checkout session's token. */
export type AuthClass = 'none' | 'apiKey' | 'jwt' | 'checkout';

export interface ParameterObject {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  readonly schema?: SchemaObject &
    Pick<TextSchema, 'x-card-number'> & {
      readonly type?: string;
      /** The message if the parameter is missing. */
      readonly 'x-required-message'?: string;
    };
}

interface MediaTypeObject {
  readonly schema?: SchemaObject & TextSchema;
}

export interface OperationObject {
  readonly operationId: RouteId;
  readonly security?: readonly object[];
  readonly parameters?: ReadonlyArray<ParameterObject | { readonly $ref: string }>;
  /** Whether the route exists for test data alone, and only in a deployment that takes test data. */
  readonly 'x-sandbox'?: boolean;
  /** What the caller must be allowed to do; exactly the routes with an API key or an access token have it. */
  readonly 'x-required-permission'?: Permission;
  /** How long a JSON body may be, in bytes, if that is not the limit of all routes. */
  readonly 'x-body-limit'?: number;
  /** Whether a misspelt property is an error, because ignoring it could move money otherwise than the client meant. */
  readonly 'x-moves-money'?: boolean;
  readonly 'x-streamed-body'?: boolean;
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, MediaTypeObject>>;
  };
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly servers: readonly [{ readonly url: string }];
  readonly paths: Readonly<Record<string, Partial<Record<HttpMethod, OperationObject>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, ParameterObject>>;
    readonly schemas: Readonly<Record<string, TextSchema>>;
  };
}

/** A route of openapi.yaml: one operation object, with what the middleware needs to know about it. */
export interface ContractRoute {
  readonly id: RouteId;
  readonly method: HttpMethod;
  /** Relative to the base path, with `{braces}`. */
  readonly path: string;
  readonly auth: AuthClass;
  /** Of routes with an API key or an access token. */
  readonly permission: Permission | null;
  /** Whether the route takes a JSON body. */
  readonly takesBody: boolean;
  /** The schema of the JSON body. */
  readonly bodySchema: TextSchema | undefined;
  readonly bodyShape: BodyShape;
  /** Whether misspelt properties of the body are errors. */
  readonly movesMoney: boolean;
  /** Whether a request without a JSON body is invalid. */
  readonly requiresBody: boolean;
  /** Whether the route takes a body of any content type, unparsed. */
  readonly takesRawBody: boolean;
  /** Bytes of the longest JSON body; null: the limit of all routes. */
  readonly bodyLimit: number | null;
  /** Whether its handler reads the body of any content type while it arrives. */
  readonly takesStream: boolean;
  readonly takesIdempotencyKey: boolean;
  /** Whether the route exists for test data alone. */
  readonly isForTestData: boolean;
  /** The headers that are stored as free text, in lower case. */
  readonly textHeaders: readonly string[];
  /** The parameters that are amounts in the minor unit of a currency. */
  readonly amounts: readonly string[];
  /** The parameters that are integers, such as `page`. */
  readonly integers: ReadonlyArray<Pick<ParameterObject, 'name' | 'in'>>;
}

export interface Contract {
  readonly document: OpenApiDocument;
  /** `/api/v1` */
  readonly basePath: string;
  readonly routes: readonly ContractRoute[];
  /** Header names in the contract's spelling, by lower-case name. */
  readonly headerNames: ReadonlyMap<string, string>;
  /** Validation message of each missing header that has one of its own, by lower-case name. */
  readonly requiredMessages: ReadonlyMap<string, string>;
  /** Validation message of each `pattern`, from its `x-message`. */
  readonly patternMessages: ReadonlyMap<string, string>;
}

interface ContractOptions {
  /** Whether to include the routes that exist for test data alone. */
  readonly takesTestData: boolean;
}

/** Parses openapi.yaml, our own file, whose aliases need no limit. */
export function parseContract(text: string): OpenApiDocument {
  return parse(text, { maxAliasCount: -1 }) as OpenApiDocument;
}

/** Parses openapi.yaml. This is slow, so call it once per process. */
export function loadContract(path: string, options: ContractOptions): Contract {
  return contractOf(parseContract(readFileSync(path, 'utf8')), options);
}

export function contractOf(fullDocument: OpenApiDocument, { takesTestData }: ContractOptions): Contract {
  const document = takesTestData ? fullDocument : withoutTestRoutes(fullDocument);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    HTTP_METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [contractRoute(document, path, method, operation)];
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
    routes: operations,
    headerNames: new Map(headers.map(({ name }) => [name.toLowerCase(), name])),
    requiredMessages: new Map(
      headers.flatMap(({ name, schema }) => {
        const message = schema?.['x-required-message'];
        return message === undefined ? [] : [[name.toLowerCase(), message] as const];
      }),
    ),
    patternMessages,
  };
}

function withoutTestRoutes(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const kept = Object.entries(item).filter(([, operation]) => operation['x-sandbox'] !== true);
    return [path, Object.fromEntries(kept)] as const;
  });
  return {
    ...document,
    paths: Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0)),
  };
}

function contractRoute(
  document: OpenApiDocument,
  path: string,
  method: HttpMethod,
  operation: OperationObject,
): ContractRoute {
  const parameters = parametersOf(document, operation);
  const json = operation.requestBody?.content['application/json'];
  return {
    id: operation.operationId,
    method,
    path,
    auth: authClassOf(operation),
    permission: operation['x-required-permission'] ?? null,
    takesBody: json !== undefined,
    bodySchema: json?.schema,
    bodyShape: bodyShapeOf(document, json?.schema),
    movesMoney: operation['x-moves-money'] === true,
    requiresBody: json !== undefined && operation.requestBody?.required === true,
    takesRawBody:
      operation.requestBody?.content['*/*'] !== undefined && operation['x-streamed-body'] !== true,
    takesStream: operation['x-streamed-body'] === true,
    bodyLimit: operation['x-body-limit'] ?? null,
    isForTestData: operation['x-sandbox'] === true,
    takesIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    textHeaders: parameters
      .filter((parameter) => parameter.in === 'header' && parameter.schema?.['x-card-number'] !== 'allowed')
      .map(({ name }) => name.toLowerCase()),
    amounts: parameters.filter(({ schema }) => schema?.['x-unit'] === 'cents').map(({ name }) => name),
    integers: parameters.filter(({ schema }) => schema?.type === 'integer'),
  };
}

/** Without `security` of its own, a route takes the key pair, which is the document's default; only `[]` makes it public. */
function authClassOf({ operationId, security }: OperationObject): AuthClass {
  if (security === undefined) return 'apiKey';
  if (security.length === 0) return 'none';
  if (security.some((scheme) => 'CheckoutToken' in scheme)) return 'checkout';
  if (security.some((scheme) => 'AccessToken' in scheme)) return 'jwt';
  throw new Error(`openapi.yaml has an unknown security scheme at ${operationId}`);
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
