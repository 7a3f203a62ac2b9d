import { Router, type RequestHandler, type Response } from 'express';
import { validationError } from '../../domain/shared/errors';
import { allowAnyOrigin, isForBrowsers } from './any-origin';
import {
  apiKeyAuthentication,
  checkoutAuthentication,
  userAuthentication,
  type AuthenticateCheckout,
  type AuthenticateCompany,
  type AuthenticateUser,
} from '../auth/authentication';
import type { AuthClass, Contract, ContractOperation } from './contract';
import { answerUnknownRoute } from './error-handler';
import type { OperationHandlers, OperationResponse } from './operation';
import {
  callbackRateLimit,
  checkoutRateLimit,
  companyRateLimit,
  pageRateLimit,
  publicRateLimit,
  type RateLimits,
} from './rate-limit';
import { ignoreBody, readBody, readRawBody } from './read-body';
import { refuseMethod } from './refuse-method';
import { createRequestValidation, type RequestValidation } from './request-validation';
import type { SessionCookie } from '../auth/session-cookie';

export interface ApiRouterDeps {
  readonly contract: Contract;
  readonly operations: OperationHandlers;
  readonly authenticate: AuthenticateCompany;
  readonly authenticateUser: AuthenticateUser;
  readonly authenticateCheckout: AuthenticateCheckout;
  readonly sessionCookie: SessionCookie;
  readonly rateLimits: RateLimits;
}

/**
 * Every operation of the contract behind the same checks, in the decided order: 404 and 405 of the route,
 * then 413, 415 and 400 of the body, 401, 429, 422, and last the handler with the 404 and 409 of the resource.
 */
export function createApiRouter(
  deps: ApiRouterDeps,
): { readonly router: Router } & Pick<RequestValidation, 'warmUp'> {
  const { contract } = deps;
  const router = Router();
  const { validatorOf, warmUp } = createRequestValidation(contract);
  const chainOf = chainBuilder(deps, validatorOf);
  router.use(noStore);
  for (const [path, operations] of operationsByPath(contract)) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    route.all(named(contract.basePath + path));
    if (operations.some(isForBrowsers)) route.all(allowAnyOrigin);
    for (const operation of operations) {
      route[operation.method](...chainOf(operation));
    }
    route.all(refuseMethod(operations.map(({ method }) => method.toUpperCase())));
  }
  router.use(answerUnknownRoute);
  return { router, warmUp };
}

function operationsByPath({ operations }: Contract): Map<string, ContractOperation[]> {
  const byPath = new Map<string, ContractOperation[]>();
  for (const operation of operations) {
    byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation]);
  }
  return byPath;
}

function chainBuilder(
  deps: ApiRouterDeps,
  validatorOf: RequestValidation['validatorOf'],
): (operation: ContractOperation) => RequestHandler[] {
  const guardsOf = guardChooser(deps);
  return (operation) => [
    bodyReaderOf(operation),
    ...guardsOf(operation),
    validatorOf(operation),
    carryOut(operation, deps.operations),
  ];
}

/** A company has one share of requests, by whichever of its keys and users they come. */
function guardChooser(deps: ApiRouterDeps): (operation: ContractOperation) => RequestHandler[] {
  const byCompany = companyRateLimit(deps.rateLimits);
  const guards: Readonly<Record<Exclude<AuthClass, 'none'>, RequestHandler[]>> = {
    apiKey: [apiKeyAuthentication(deps.authenticate), byCompany],
    jwt: [userAuthentication(deps.authenticateUser, deps.sessionCookie), byCompany],
    // Buyers do not use up the company's own share.
    checkout: [checkoutAuthentication(deps.authenticateCheckout), checkoutRateLimit(deps.rateLimits)],
  };
  return ({ id, auth }) => {
    if (id === 'getPublicPaymentLink') return [pageRateLimit(deps.rateLimits)];
    if (id === 'receiveCallback') return [callbackRateLimit(deps.rateLimits)];
    return auth === 'none' ? [publicRateLimit(deps.rateLimits)] : guards[auth];
  };
}

function bodyReaderOf({ takesBody, takesRawBody }: ContractOperation): RequestHandler {
  if (takesRawBody) return readRawBody;
  return takesBody ? readBody : ignoreBody;
}

/** Answers hold personal data. */
const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};

function named(route: string): RequestHandler {
  return (req, _res, next) => {
    req.context.route = route;
    next();
  };
}

function carryOut(operation: ContractOperation, operations: OperationHandlers): RequestHandler {
  // The validator has made the request what the operation's types say; TypeScript cannot follow it by name.
  const handle = operations[operation.id] as (request: object) => Promise<OperationResponse>;
  return async (req, res) => {
    const idempotencyKey = operation.takesIdempotencyKey ? singleHeader(req, 'Idempotency-Key') : null;
    const response = await handle({
      params: req.params,
      query: req.query,
      headers: req.headers,
      body: operation.takesBody ? (req.body as unknown) : req.raw,
      idempotencyKey,
      requestId: req.context.requestId,
      receivedAt: req.context.receivedAt,
      company: req.company,
      user: req.signedIn?.user,
      checkout: req.checkout,
    });
    send(res, response);
  };
}

/** Node joins repeated headers with a comma; two keys are not one. */
function singleHeader(req: Parameters<RequestHandler>[0], name: string): string | null {
  const value = req.get(name);
  if (value === undefined) return null;
  const times = req.rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.toLowerCase() === name.toLowerCase(),
  );
  if (times.length > 1) throw validationError({ [name]: ['must be given once'] });
  return value;
}

function send(res: Response, { status, body, headers }: OperationResponse): void {
  res.status(status);
  if (headers !== undefined) res.set(headers);
  if (body === undefined) res.end();
  else res.json(body);
}
