import type { RequestHandler } from 'express';
import type { ContractRoute } from './contract';
import type { RouteId } from './route';

const ONE_DAY_S = 86_400;

const LINK_ROUTES: ReadonlySet<RouteId> = new Set<RouteId>(['getPublicPaymentLink', 'createLinkSession']);

/** Routes that a shop's own page calls from the buyer's browser. */
export function allowsAnyOrigin({ id, auth }: ContractRoute): boolean {
  return auth === 'checkout' || LINK_ROUTES.has(id);
}

/**
 * Lets pages of every origin call the route and read the answer (Fetch standard, "CORS protocol"). This is safe because these
 * routes never authenticate by cookie, only by the checkout token.
 */
export const allowAnyOrigin: RequestHandler = (req, res, next) => {
  res.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Idempotency-Replayed, Retry-After, X-Request-Id',
  });
  if (req.method === 'OPTIONS') {
    res.set({
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': 'Content-Type, Idempotency-Key, X-Checkout-Token',
      'Access-Control-Max-Age': String(ONE_DAY_S),
    });
  }
  next();
};
