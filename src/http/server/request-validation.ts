import { setImmediate as yieldToRequests } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { middleware as openApiMiddleware } from 'express-openapi-validator';
import { containsCardNumber } from '../../domain/customers/card-number';
import { ApiError, notFound, validationError } from '../../domain/shared/errors';
import { FieldErrorCollector } from '../../domain/shared/validation';
import { isIp } from './ip-address';
import { isCurrency } from '../../domain/shared/currency';
import { shapeAt } from './body-shape';
import type { Contract, ContractRoute, OpenApiDocument, OperationObject } from './contract';
import { cardNumberFinder, withCardNumbers, type CardNumberFinder, type TextSchema } from './free-text';
import { nearMisses } from './near-misses';
import { looseIntegers } from './strict-integers';
import { rejectControlCharactersInBody, rejectControlCharactersInQuery } from './text-guard';
import { humanMessage, type BrokenRule } from './validation-messages';

type Middleware = ReturnType<typeof openApiMiddleware>[number];

export interface RequestValidation {
  readonly contract: Contract;
  /** Checks requests of a route against the contract. Its schemas are compiled at the first request. */
  readonly validateRequest: (route: ContractRoute) => RequestHandler;
  /**
   * Compiles the schemas of every route ahead of the first requests, about a second of CPU in all; requests are answered
   * meanwhile.
   *
   * @throws when the contract cannot be compiled
   */
  readonly warmUp: () => Promise<void>;
}

/** One error answer names at most this many fields. */
const MAX_NAMED_FIELDS = 100;

/** Installs express-openapi-validator once for the whole contract (docs/decisions/request-validation.md). */
export function createRequestValidation(contract: Contract): RequestValidation {
  const middleware = openApiMiddleware({
    apiSpec: requestsOf(contract.document) as unknown as Parameters<typeof openApiMiddleware>[0]['apiSpec'],
    // `npm run lint` validates the document; doing it here would cost start-up time.
    validateApiSpec: false,
    validateRequests: { allErrors: true },
    validateResponses: false,
    validateSecurity: false,
    validateFormats: true,
    ajvFormats: { mode: 'full' },
    formats: { 'iso-4217': isCurrency, ip: isIp },
    fileUploader: false,
  });
  const validate = inSequence(middleware);
  return {
    contract,
    validateRequest: (route) => validateRequest(validate, contract, route),
    warmUp: async () => {
      for (const operation of contract.routes) {
        await compileAhead(validate, contract, operation);
        await yieldToRequests();
      }
    },
  };
}

/** Runs middleware one after the other on the same `req.params`, which a nested router would reset between them. */
function inSequence(middleware: readonly Middleware[]): Middleware {
  return (req, res, next) => {
    const run = (index: number, error?: unknown): void => {
      const current = middleware[index];
      if (error !== undefined || current === undefined) return next(error);
      void current(req, res, (failure?: unknown) => run(index + 1, failure));
    };
    run(0);
  };
}

/**
 * A copy of what requests are checked by: the routes without their responses, request bodies in place of references to
 * them, and only the components they refer to. For each route the validator walks through the whole document, compiles
 * referenced bodies again, and changes the document.
 */
function requestsOf({ paths, components, ...document }: OpenApiDocument): object {
  const withoutResponses = Object.entries(paths).map(([path, item]): [string, object] => {
    const routes = Object.entries(item).map(([method, route]): [string, object] => [
      method,
      { ...route, ...bodyInPlace(route, components), responses: {} },
    ]);
    return [path, withHead(Object.fromEntries<object>(routes))];
  });
  return structuredClone({
    ...document,
    paths: Object.fromEntries<object>(withoutResponses),
    components: referredTo(withoutResponses, components),
  });
}

/** Express answers HEAD with the GET route. */
function withHead(routes: Readonly<Record<string, object>>): object {
  return routes['get'] === undefined ? routes : { ...routes, head: routes['get'] };
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

/** The components that `root` refers to, directly or through other components. */
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

function validateRequest(validate: Middleware, contract: Contract, route: ContractRoute): RequestHandler {
  const inBody = cardNumberFinder(route.bodySchema, (reference) => schemaOf(contract, reference));
  return (req, res, next) => {
    rejectControlCharactersInBody(req.body);
    const looseNumbers = looseIntegers(route, req);
    const misspelt = route.movesMoney ? nearMisses(route.bodyShape, req.body) : [];
    validate(req as Parameters<Middleware>[0], res, (error?: unknown) => {
      const broken = brokenRules(error);
      if (broken === null) return next(error);
      const strict = [
        ...broken.filter(({ path }) => !looseNumbers.has(path)),
        ...looseNumbers.values(),
        ...misspelt,
      ];
      const present = route.requiresBody && !req.context.hasBody ? withMissingBody(strict) : strict;
      const rules = withCardNumbers(present, cardNumbersOf(req, route, inBody));
      if (rules.length > 0) return next(toApiError(rules, contract, route));
      // Checked only now: the validator has replaced the query by one with numbers and defaults.
      rejectControlCharactersInQuery(req.query);
      next();
    });
  };
}

/** The JSON pointers of the texts of a request that have a card number. */
function cardNumbersOf(
  { body, headers }: Request,
  route: ContractRoute,
  inBody: CardNumberFinder,
): readonly string[] {
  const found: string[] = [];
  inBody(body, '/body', (pointer) => found.push(pointer));
  for (const name of route.textHeaders) {
    if (containsCardNumber(String(headers[name] ?? ''))) found.push(`/headers/${name}`);
  }
  return found;
}

function schemaOf({ document }: Contract, reference: string): TextSchema {
  const [, name = ''] = placeOf(reference);
  const schema = document.components.schemas[name];
  if (schema === undefined) throw new Error(`openapi.yaml has no ${reference}`);
  return schema;
}

/** Says that the body is missing, unless the errors name the properties that are. */
function withMissingBody(rules: readonly BrokenRule[]): readonly BrokenRule[] {
  if (rules.some(({ path }) => path.startsWith('/body/'))) return rules;
  return [
    ...rules.filter(({ path }) => path !== '/body'),
    { path: '/body', message: 'is required', errorCode: 'required' },
  ];
}

/** The validator's errors; none if there is no error, null if the error is of another kind. */
function brokenRules(error: unknown): readonly BrokenRule[] | null {
  if (error === undefined) return [];
  const { status, errors } = error as { status?: number; errors?: readonly BrokenRule[] };
  return status === 400 && errors !== undefined ? errors : null;
}

/** The validator's 400 becomes 422, but a malformed id in the path becomes 404 (docs/decisions/api-errors.md). */
function toApiError(errors: readonly BrokenRule[], contract: Contract, route: ContractRoute): ApiError {
  const faults = new FieldErrorCollector();
  const [outside, inPath] = partition(errors, ({ path }) => path.startsWith('/params/'));
  for (const rule of outside.slice(0, MAX_NAMED_FIELDS)) {
    const message =
      missingHeaderMessage(rule, contract) ??
      humanMessage(rule, contract.patternMessages, isAmount(rule.path, route));
    if (message !== null) faults.add(fieldName(rule.path, contract), message);
  }
  if (faults.hasErrors) return validationError(faults.errors);
  return inPath.length > 0 ? notFound() : new ApiError('validation_error', 'The given data was invalid.');
}

/** Whether a place such as `/body/splits/0/amount` is an amount in the minor unit of a currency. */
function isAmount(pointer: string, { bodyShape, amounts }: ContractRoute): boolean {
  const [, place, ...segments] = pointer.split('/');
  if (place === 'query') return amounts.includes(segments[0] ?? '');
  return place === 'body' && shapeAt(bodyShape, segments)?.isAmount === true;
}

function missingHeaderMessage(
  { path, errorCode }: BrokenRule,
  { requiredMessages }: Contract,
): string | null {
  const header = /^\/headers\/(.+)$/.exec(path)?.[1];
  if (header === undefined || errorCode?.startsWith('required') !== true) return null;
  return requiredMessages.get(header) ?? null;
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

/** Makes the validator compile its schemas by handing it a request that is not valid. */
async function compileAhead(
  validator: Middleware,
  contract: Contract,
  { path, method, takesBody }: ContractRoute,
): Promise<void> {
  const url = contract.basePath + path.replaceAll(/[{}]/g, '');
  const request = {
    method: method.toUpperCase(),
    path: url,
    originalUrl: url,
    baseUrl: '',
    headers: takesBody ? { 'content-type': 'application/json' } : {},
    query: {},
    params: {},
    body: {},
    app: { enabled: () => false, param: () => undefined },
  } as unknown as Request;
  const error = await new Promise<Error | undefined>((resolve) => {
    validator(request as Parameters<Middleware>[0], {} as Response, (failure?: unknown) => {
      resolve(failure instanceof Error ? failure : undefined);
    });
  });
  // The request is invalid, so 400 is expected; anything else means that the contract cannot be compiled.
  if (error !== undefined && (error as { status?: number }).status !== 400) throw error;
}
