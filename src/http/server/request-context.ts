import type { Request, RequestHandler } from 'express';
import { v7 } from 'uuid';
import { containsCardNumber } from '../../domain/customers/card-number';
import type { CheckoutCaller } from '../../domain/checkout/checkout-session';
import type { KeyHolder } from '../../domain/companies/api-key';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { SignedIn } from '../../domain/companies/user';
import { ownCompanyId } from '../../domain/shared/mode';
import type { Logger } from '../../log';
import { noSpan, noSpans, type OpenSpan, type Spans } from '../../tracing/spans';

/** Facts about a request that exist from its start. */
export interface RequestContext {
  readonly requestId: string;
  readonly receivedAt: Date;
  /** The path's template (`/api/v1/payments/{id}`), never the path itself; null if no route matched. */
  route: string | null;
  /** The route's id in the contract; null where it has none. */
  routeId: string | null;
  /** Whether the request came with a JSON body; set where the route takes one. */
  hasBody: boolean;
}

/** An unparsed body with its headers and query string; header names are in lower case. */
export interface RawBody {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Without the question mark; empty if there is none. */
  readonly query: string;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- the only way to extend Express's Request
  namespace Express {
    interface Request {
      context: RequestContext;
      /** The unparsed body, for routes that take one. */
      raw?: RawBody;
      /** Set by every kind of authentication. */
      company?: AuthenticatedCompany;
      /** Set by authentication with a key pair. */
      keyHolder?: KeyHolder;
      /** Set by authentication with an access token. */
      signedIn?: SignedIn;
      /** Set by authentication with a checkout token. */
      checkout?: CheckoutCaller;
    }
  }
}

const WELL_FORMED_ID = /^[\w.:-]{8,128}$/;

/** A request that has ended, for metrics. */
export interface ObservedRequest {
  /** The route's id in the contract, else the template of its path, else `unmatched`. */
  readonly route: string;
  readonly status: number;
  readonly isAborted: boolean;
  readonly seconds: number;
}

export type ObserveRequest = (request: ObservedRequest) => void;

/** Sets `X-Request-Id`, taken from the request if it is well formed and has no card number, and logs one access line at the end of the request. */
export function requestContext(
  logger: Logger,
  observe?: ObserveRequest,
  spans: Spans = noSpans,
): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const given = req.headers['x-request-id'];
    const requestId = typeof given === 'string' && isAccepted(given) ? given : newRequestId();
    req.context = { requestId, receivedAt: new Date(), route: null, routeId: null, hasBody: false };
    res.setHeader('X-Request-Id', requestId);
    const span = startSpan(spans, req);
    res.once('close', () => {
      const durationMs = performance.now() - startedAt;
      const isAborted = !res.writableFinished;
      const route = req.context.route ?? 'unmatched';
      observe?.({
        route: req.context.routeId ?? route,
        status: res.statusCode,
        isAborted,
        seconds: durationMs / 1000,
      });
      endSpan(span, req, res.statusCode, isAborted);
      span.within(() =>
        logger.info(
          {
            request_id: requestId,
            method: req.method,
            route,
            status: res.statusCode,
            duration_ms: Math.round(durationMs * 10) / 10,
            aborted: isAborted ? true : undefined,
            company_id: req.company && ownCompanyId(req.company.id),
            mode: req.company?.mode,
          },
          'request',
        ),
      );
    });
    span.within(next);
  };
}

/** A client's `traceparent` joins its trace to ours; whether the request is recorded is not the client's decision. */
function startSpan(spans: Spans, { method, path, headers: { traceparent } }: Request): OpenSpan {
  // Whatever watches the process asks every few seconds.
  if (path.startsWith('/health/')) return noSpan;
  const span = { name: method, kind: 'server', attributes: { 'http.request.method': method } } as const;
  return typeof traceparent === 'string'
    ? spans.start(span, { traceparent, isOurs: false })
    : spans.start(span);
}

function endSpan(span: OpenSpan, req: Request, status: number, isAborted: boolean): void {
  const { route } = req.context;
  if (route !== null) span.rename(`${req.method} ${route}`);
  span.set({
    'http.response.status_code': status,
    ...(route !== null && { 'http.route': route }),
    ...(req.company !== undefined && { company_id: req.company.id }),
  });
  if (isAborted) span.end('aborted');
  else span.end(status >= 500 ? String(status) : undefined);
}

/** A client's request id is logged and stored. */
function isAccepted(requestId: string): boolean {
  return WELL_FORMED_ID.test(requestId) && !containsCardNumber(requestId);
}

/** Sets the path's template, which access lines and error logs show. */
export function setRoute(template: string): RequestHandler {
  return (req, _res, next) => {
    req.context.route = template;
    next();
  };
}

/** Sets the route's id, which metrics show. */
export function setRouteId(id: string): RequestHandler {
  return (req, _res, next) => {
    req.context.routeId = id;
    next();
  };
}

/** For responses with personal data. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};

/** `req_` and a UUIDv7, so that ids sort by time. */
export function newRequestId(): string {
  return `req_${v7().replaceAll('-', '')}`;
}
