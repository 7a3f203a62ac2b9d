import type { RequestHandler } from 'express';
import { v7 } from 'uuid';
import type { CheckoutCaller } from '../../domain/checkout/checkout-session';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { SignedIn } from '../../domain/companies/user';
import type { Logger } from '../../log';

/** What is known of a request, whatever becomes of it. */
export interface RequestContext {
  readonly requestId: string;
  readonly receivedAt: Date;
  /** The path's template (`/api/v1/payments/{id}`), never the path itself; null where none matched. */
  route: string | null;
}

/** A body as it came, with the headers that tell what it is. Header names in lower case. */
export interface RawBody {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- the way to add to Express's Request
  namespace Express {
    interface Request {
      context: RequestContext;
      /** A body that is kept as it came, for the operations that take one so. */
      raw?: RawBody;
      /** Set once the key pair or a token was checked. */
      company?: AuthenticatedCompany;
      /** Set once the access token was checked. */
      signedIn?: SignedIn;
      /** Set once the checkout token was checked. */
      checkout?: CheckoutCaller;
    }
  }
}

/** Well formed, and nothing a card number could hide in. */
const ACCEPTED_ID = /^(?!.*\d{12})[\w.:-]{8,128}$/;

/** Names the request (`X-Request-Id`, kept when a well-formed one came in) and writes one access line when it is over. */
export function requestContext(logger: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const sent = req.headers['x-request-id'];
    const requestId = typeof sent === 'string' && ACCEPTED_ID.test(sent) ? sent : newRequestId();
    req.context = { requestId, receivedAt: new Date(), route: null };
    res.setHeader('X-Request-Id', requestId);
    res.once('close', () => {
      logger.info(
        {
          request_id: requestId,
          method: req.method,
          route: req.context.route ?? 'unmatched',
          status: res.statusCode,
          duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
          aborted: res.writableFinished ? undefined : true,
          company_id: req.company?.id,
        },
        'request',
      );
    });
    next();
  };
}

/** `req_` and a UUIDv7, so that ids sort by time. */
export function newRequestId(): string {
  return `req_${v7().replaceAll('-', '')}`;
}
