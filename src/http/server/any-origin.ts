import type { RequestHandler } from 'express';
import type { ContractOperation } from './contract';
import type { OperationId } from './operation';

const ONE_DAY_S = 86_400;

const OF_A_LINK: ReadonlySet<OperationId> = new Set<OperationId>([
  'getPublicPaymentLink',
  'createLinkSession',
]);

/** What a shop's own page calls from the buyer's browser. */
export function isForBrowsers({ id, auth }: ContractOperation): boolean {
  return auth === 'checkout' || OF_A_LINK.has(id);
}

/**
 * Lets pages of every origin call and read the answer (Fetch standard, "CORS protocol"). Nothing here goes by a cookie: who
 * calls is told by the session's token alone, which its page has been given.
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
