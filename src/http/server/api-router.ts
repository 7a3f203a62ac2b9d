import { Router, type Request, type RequestHandler, type Response } from 'express';
import { notFound, validationError } from '../../domain/shared/errors';
import { userScopedKey } from '../../domain/shared/idempotency-scope';
import { preferredLanguage } from '../../domain/users/language';
import { deviceOf, networkOf } from '../../domain/users/user-session';
import { keepReceivedBody } from '../../domain/shared/received-body';
import { allowAnyOrigin, allowsAnyOrigin } from './any-origin';
import {
  apiKeyAuthentication,
  limitingFailures,
  checkoutAuthentication,
  userAuthentication,
  type AuthenticateCheckout,
  type AuthenticateCompany,
  type UserAuthentication,
} from '../auth/authentication';
import { requirePermission } from '../auth/permission';
import type { AuthClass, Contract, ContractRoute } from './contract';
import { answerUnknownRoute } from './error-handler';
import { ipOf } from './ip-address';
import type { RouteHandlers, RouteResponse } from './route';
import {
  accountRateLimit,
  addressOf,
  failedKeyRateLimit,
  callbackRateLimit,
  checkoutRateLimit,
  companyRateLimit,
  pageRateLimit,
  publicRateLimit,
  type RateLimits,
} from './rate-limit';
import { bodyReader, ignoreBody, leaveBody, readBody, readRawBody } from './read-body';
import type { ExchangeDemand } from './shared-limit';
import { sendStream } from './send-stream';
import { restoreGuard } from './restore-guard';
import { refuseMethod } from './refuse-method';
import { noStore, setRoute, setRouteId } from './request-context';
import type { RequestValidation } from './request-validation';
import type { DeviceCookie } from '../auth/device-cookie';
import type { SessionCookie } from '../auth/session-cookie';

export interface ApiRouterDeps {
  readonly requestValidation: RequestValidation;
  readonly handlers: RouteHandlers;
  readonly authenticate: AuthenticateCompany;
  readonly users: UserAuthentication;
  readonly authenticateCheckout: AuthenticateCheckout;
  readonly sessionCookie: SessionCookie;
  readonly deviceCookie: DeviceCookie;
  readonly rateLimits: RateLimits;
  /** How API processes learn of each other's requests of a company. */
  readonly exchangeDemand?: ExchangeDemand;
  readonly isRestoring?: () => boolean;
}

/**
 * Mounts every route of the contract behind the same checks, in this order (docs/decisions/api-errors.md): 404 and 405 of
 * the route, then 413, 415 and 400 of the body, 401, 429, 403, 422, the 503 of a
 * restore in progress, and last the handler with the 404 and 409 of the resource.
 */
export function createApiRouter(deps: ApiRouterDeps): Router {
  const { contract, validateRequest } = deps.requestValidation;
  const router = Router();
  const chainOf = chainBuilder(deps, validateRequest);
  router.use(noStore);
  for (const [path, routes] of routesByPath(contract)) {
    const expressRoute = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    expressRoute.all(setRoute(contract.basePath + path));
    if (routes.some(allowsAnyOrigin)) expressRoute.all(allowAnyOrigin);
    for (const route of routes) {
      expressRoute[route.method](...chainOf(route));
    }
    expressRoute.all(refuseMethod(routes.map(({ method }) => method.toUpperCase())));
  }
  router.use(answerUnknownRoute);
  return router;
}

function routesByPath({ routes }: Contract): Map<string, ContractRoute[]> {
  const byPath = new Map<string, ContractRoute[]>();
  for (const route of routes) {
    byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
  }
  return byPath;
}

function chainBuilder(
  deps: ApiRouterDeps,
  validateRequest: RequestValidation['validateRequest'],
): (route: ContractRoute) => RequestHandler[] {
  const guardsOf = guardChooser(deps);
  return (route) => [
    setRouteId(route.id),
    bodyReaderOf(route),
    ...guardsOf(route),
    ...(route.isForTestData ? [refuseLiveData] : []),
    ...(route.takesIdempotencyKey ? [keepBody] : []),
    validateRequest(route),
    ...restoreGuard(route.id, deps.isRestoring ?? (() => false)),
    invokeHandler(route, deps.handlers),
  ];
}

/** Authentication and rate limit of each route. All keys and users of a company share one rate limit. */
function guardChooser(deps: ApiRouterDeps): (route: ContractRoute) => RequestHandler[] {
  const byCompany = companyRateLimit(deps.rateLimits, deps.exchangeDemand);
  const guards: Readonly<Record<Exclude<AuthClass, 'none'>, RequestHandler[]>> = {
    apiKey: [
      limitingFailures(apiKeyAuthentication(deps.authenticate), failedKeyRateLimit(deps.rateLimits)),
      byCompany,
    ],
    jwt: [userAuthentication(deps.users, deps.sessionCookie), byCompany],
    // Buyers have a rate limit of their own, so they do not use up the company's.
    checkout: [
      limitingFailures(
        checkoutAuthentication(deps.authenticateCheckout),
        failedKeyRateLimit(deps.rateLimits),
      ),
      checkoutRateLimit(deps.rateLimits),
    ],
  };
  return ({ id, auth, permission }) => {
    if (id === 'getPublicPaymentLink') return [pageRateLimit(deps.rateLimits)];
    if (id === 'receiveCallback' || id === 'receivePixCallback') return [callbackRateLimit(deps.rateLimits)];
    if (id === 'logIn')
      return [publicRateLimit(deps.rateLimits), accountRateLimit(deps.rateLimits, deps.deviceCookie)];
    if (auth === 'none') return [publicRateLimit(deps.rateLimits)];
    return auth === 'checkout' ? guards.checkout : [...guards[auth], requirePermission(id, permission)];
  };
}

function bodyReaderOf({ takesBody, takesRawBody, takesStream, bodyLimit }: ContractRoute): RequestHandler {
  if (takesStream) return leaveBody;
  if (takesRawBody) return readRawBody;
  if (!takesBody) return ignoreBody;
  return bodyLimit === null ? readBody : bodyReader(bodyLimit);
}

/** A route for test data does not exist in live mode. */
const refuseLiveData: RequestHandler = (req, _res, next) =>
  next(req.company?.mode === 'test' ? undefined : notFound());

/** What a key is bound to is hashed from the body without the contract's defaults. */
const keepBody: RequestHandler = (req, _res, next) => {
  if (req.get('Idempotency-Key') !== undefined) keepReceivedBody(req.body);
  next();
};

function invokeHandler(route: ContractRoute, handlers: RouteHandlers): RequestHandler {
  // The validator guarantees the route's request type, but TypeScript cannot relate the id to its handler.
  const handle = handlers[route.id] as (request: object) => Promise<RouteResponse>;
  return async (req, res) => {
    const response = await handle({
      params: req.params,
      query: req.query,
      headers: req.headers,
      body: route.takesStream ? req : route.takesBody ? (req.body as unknown) : req.raw,
      idempotencyKey: route.takesIdempotencyKey ? idempotencyKeyOf(req) : null,
      path: req.path,
      requestId: req.context.requestId,
      receivedAt: req.context.receivedAt,
      apiKeyId: req.keyHolder?.apiKey.id ?? null,
      address: addressOf(req),
      ip: ipOf(req),
      language: preferredLanguage(req.get('Accept-Language') ?? null),
      origin: { device: deviceOf(req.get('User-Agent') ?? null), network: networkOf(ipOf(req)) },
      company: req.company,
      user: req.signedIn?.user,
      checkout: req.checkout,
    });
    await send(req, res, response);
  };
}

/** Two users of a company who choose the same key do not get in each other's way. */
function idempotencyKeyOf(req: Request): string | null {
  const key = singleHeader(req, 'Idempotency-Key');
  const { signedIn } = req;
  return key === null || signedIn === undefined ? key : userScopedKey(signedIn.user.id, key);
}

/** Rejects a repeated header, because Node would join the values with a comma. */
function singleHeader(req: Request, name: string): string | null {
  const value = req.get(name);
  if (value === undefined) return null;
  const occurrences = req.rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.toLowerCase() === name.toLowerCase(),
  );
  if (occurrences.length > 1) throw validationError({ [name]: ['must be given once'] });
  return value;
}

async function send(
  req: Request,
  res: Response,
  { status, body, headers, page, stream }: RouteResponse,
): Promise<void> {
  res.status(status);
  if (headers !== undefined) res.set(headers);
  if (stream !== undefined && req.method !== 'HEAD') await sendStream(res, stream);
  else if (page !== undefined && req.accepts(['json', 'html']) === 'html') res.type('html').send(page);
  else if (body === undefined) res.end();
  else res.json(body);
}
