import type { RequestHandler, Response } from 'express';
import { setImmediate as others } from 'node:timers/promises';
import { middleware as openApiMiddleware } from 'express-openapi-validator';
import { ApiError, notFound, validationError } from '../../domain/shared/errors';
import { FaultCollector } from '../../domain/shared/validation';
import type { Contract, ContractOperation, OpenApiDocument, OperationObject } from './contract';
import { rejectControlCharactersInBody, rejectControlCharactersInQuery } from './text-guard';
import { humanMessage, type BrokenRule } from './validation-messages';

type Step = ReturnType<typeof openApiMiddleware>[number];
type RouteMetadata = NonNullable<Parameters<Step>[0]['openapi']>;

export interface RequestValidation {
  /** The middleware that checks one operation's requests against the contract, ready by its first request. */
  readonly validatorOf: (operation: ContractOperation) => RequestHandler;
  /**
   * Makes every operation ready, which takes seconds; requests are answered meanwhile.
   *
   * @throws when the contract cannot be used
   */
  readonly warmUp: () => Promise<void>;
}

/** At most this many fields are named in one answer. */
const MAX_NAMED_FIELDS = 100;

/**
 * Installs express-openapi-validator once for the whole contract. Its middleware looks up the operation anew for every
 * request, by compiling every path of the contract; here the router has already found it, so the lookup is done once
 * per operation, and its answer is kept.
 */
export function createRequestValidation(contract: Contract): RequestValidation {
  const steps = openApiMiddleware({
    apiSpec: requestsOf(contract.document) as unknown as Parameters<typeof openApiMiddleware>[0]['apiSpec'],
    // `npm run lint` does that; here it would only cost start-up time.
    validateApiSpec: false,
    validateRequests: { allErrors: true },
    validateResponses: false,
    validateSecurity: false,
    validateFormats: true,
    ajvFormats: { mode: 'full' },
    fileUploader: false,
  });
  const step = (name: string): Step => {
    const found = steps.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`express-openapi-validator has no ${name}`);
    return found;
  };
  const checkRequest = step('requestMiddleware');

  const made = new Map<ContractOperation, Promise<RequestHandler>>();
  const make = async (operation: ContractOperation): Promise<RequestHandler> => {
    const metadata = await queryCharge(step('metadataMiddleware'), contract, operation);
    await compile(checkRequest, metadata, operation);
    return validateRequest(checkRequest, metadata, contract);
  };
  const madeOnce = (operation: ContractOperation): Promise<RequestHandler> => {
    const known = made.get(operation) ?? make(operation);
    made.set(operation, known);
    return known;
  };
  return {
    validatorOf: (operation) => async (req, res, next) => (await madeOnce(operation))(req, res, next),
    warmUp: async () => {
      for (const operation of contract.operations) {
        await madeOnce(operation);
        await others();
      }
    },
  };
}

/**
 * A copy of what requests are made of: the operations without their answers, bodies in place of references to them,
 * and of the components those alone that it refers to. For each operation the validator walks through all it was
 * given, compiles what a body refers to once more, and changes what it was given.
 */
function requestsOf({ paths, components, ...document }: OpenApiDocument): object {
  const bare = Object.entries(paths).map(([path, item]): [string, object] => {
    const operations = Object.entries(item).map(([method, operation]): [string, object] => [
      method,
      { ...operation, ...bodyInPlace(operation, components), responses: {} },
    ]);
    return [path, Object.fromEntries<object>(operations)];
  });
  return structuredClone({
    ...document,
    paths: Object.fromEntries<object>(bare),
    components: referredTo(bare, components),
  });
}

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function bodyInPlace({ requestBody }: OperationObject, components: Components): object {
  if (requestBody === undefined) return {};
  const content = Object.entries(requestBody.content).map(([type, { schema }]): [string, object] => {
    const [kind, name] = placeOf(schema?.$ref);
    return [type, { schema: kind === undefined ? schema : components[kind]?.[name] }];
  });
  return { requestBody: { ...requestBody, content: Object.fromEntries<object>(content) } };
}

/** Components that are referred to from here, directly or by way of others. */
function referredTo(root: object, components: Components): object {
  const found: Record<string, Record<string, unknown>> = {};
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as { $ref?: unknown };
    const [kind, name] = placeOf($ref);
    if (kind !== undefined && found[kind]?.[name] === undefined) {
      const component = components[kind]?.[name];
      found[kind] = { ...found[kind], [name]: component };
      visit(component);
    }
    Object.values(node).forEach(visit);
  };
  visit(root);
  return found;
}

/** `#/components/schemas/Payment` is Payment, of the schemas. */
function placeOf(reference: unknown): [kind: string, name: string] | [kind?: undefined] {
  if (typeof reference !== 'string') return [];
  const [, , kind, name] = reference.split('/');
  if (kind === undefined || name === undefined) throw new Error(`openapi.yaml has no ${reference}`);
  return [kind, name];
}

function validateRequest(checkRequest: Step, metadata: RouteMetadata, contract: Contract): RequestHandler {
  return (req, res, next) => {
    rejectControlCharactersInBody(req.body);
    (req as Parameters<Step>[0]).openapi = { ...metadata, pathParams: req.params as Record<string, string> };
    void checkRequest(req, res, (error?: unknown) => {
      if (error !== undefined) return next(toApiError(error, contract));
      // Express parses the query at every look; the validator has replaced it by its own, with numbers and defaults.
      rejectControlCharactersInQuery(req.query);
      next();
    });
  };
}

/** The validator's 400 is 422 here, except that an id which is not well formed is no id (decisions, section 1). */
function toApiError(error: unknown, contract: Contract): unknown {
  const { status, errors } = error as { status?: number; errors?: readonly BrokenRule[] };
  if (status !== 400 || errors === undefined) return error;
  const faults = new FaultCollector();
  const [outside, inPath] = partition(errors, ({ path }) => path.startsWith('/params/'));
  for (const rule of outside.slice(0, MAX_NAMED_FIELDS)) {
    const message = humanMessage(rule, contract.patternMessages);
    if (message !== null) faults.add(fieldName(rule.path, contract), message);
  }
  if (faults.found) return validationError(faults.errors);
  return inPath.length > 0 ? notFound() : new ApiError('validation_error', 'The given data was invalid.');
}

function partition<T>(items: readonly T[], matches: (item: T) => boolean): [others: T[], matching: T[]] {
  return [items.filter((item) => !matches(item)), items.filter(matches)];
}

/** `/body/splits/0/amount` is `splits.0.amount`; `/query/page` is `page`; headers are spelled as in the contract. */
function fieldName(pointer: string, contract: Contract): string {
  const [, place, ...segments] = pointer.split('/');
  const name = segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
  if (place === 'headers') return contract.headerNames.get(name) ?? name;
  return name === '' ? (place ?? 'body') : name;
}

/** Asks the validator for an operation's metadata with a stand-in for its requests. */
async function queryCharge(
  step: Step,
  contract: Contract,
  operation: ContractOperation,
): Promise<RouteMetadata> {
  const path = contract.basePath + operation.path.replaceAll(/[{}]/g, '');
  const standIn = {
    method: operation.method.toUpperCase(),
    path,
    originalUrl: path,
    baseUrl: '',
    app: { enabled: () => false },
  } as unknown as Parameters<Step>[0];
  const error = await outcomeOf(step, standIn);
  if (error !== undefined) throw error;
  if (standIn.openapi === undefined) throw new Error(`openapi.yaml has no ${operation.id}`);
  return standIn.openapi;
}

/** Lets the validator compile the operation's schemas before it has a request. */
async function compile(step: Step, metadata: RouteMetadata, operation: ContractOperation): Promise<void> {
  const standIn = {
    method: operation.method.toUpperCase(),
    originalUrl: metadata.openApiRoute,
    headers: operation.takesBody ? { 'content-type': 'application/json' } : {},
    query: {},
    params: {},
    body: {},
    openapi: { ...metadata, pathParams: {} },
  } as unknown as Parameters<Step>[0];
  const error = await outcomeOf(step, standIn);
  // The stand-in breaks the contract, of course; anything else means that the contract cannot be compiled.
  if (error !== undefined && (error as { status?: number }).status !== 400) throw error;
}

function outcomeOf(step: Step, req: Parameters<Step>[0]): Promise<Error | undefined> {
  return new Promise((resolve) => {
    void step(req, {} as Response, (error?: unknown) => resolve(error instanceof Error ? error : undefined));
  });
}
