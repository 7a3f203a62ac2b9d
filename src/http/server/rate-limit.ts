import type { Request, RequestHandler } from 'express';
import { rateLimit, type Options } from 'express-rate-limit';
import { ApiError } from '../../domain/shared/errors';

export interface RateLimits {
  /** Requests per second of one company, counted after authentication. */
  readonly companyPerSecond: number;
  /** Requests per minute from one address to each other public route. */
  readonly publicPerMinute: number;
  /** Callbacks per second from one address; a gateway sends the callbacks of all companies from few addresses. */
  readonly callbacksPerSecond: number;
  /** Requests per minute in one checkout session, and page views of payment links from one address. */
  readonly checkoutPerMinute: number;
  /** Requests per minute from one address to pictures, logos, the API documentation and the codec endpoint. */
  readonly filesPerMinute: number;
}

/** Counts in this process only: with n API processes a company can send up to n times the limit. */
export function companyRateLimit({ companyPerSecond }: RateLimits): RequestHandler {
  return limiter({
    limit: companyPerSecond,
    windowMs: 1_000,
    keyGenerator: (req) => String(req.company?.id),
  });
}

/** Counts each route separately, so that password guessing at one route does not block the others. */
export function publicRateLimit({ publicPerMinute }: RateLimits): RequestHandler {
  return limiter({ limit: publicPerMinute, windowMs: 60_000 });
}

/** Generous, because a page that waits for a pix polls every few seconds. */
export function checkoutRateLimit({ checkoutPerMinute }: RateLimits): RequestHandler {
  return limiter({
    limit: checkoutPerMinute,
    windowMs: 60_000,
    keyGenerator: (req) => String(req.checkout?.sessionId),
  });
}

/** Generous, because many buyers may share one address. */
export function pageRateLimit({ checkoutPerMinute }: RateLimits): RequestHandler {
  return limiter({ limit: checkoutPerMinute, windowMs: 60_000 });
}

/** For what pages load many of. Each mount counts for itself. */
export function fileRateLimit({ filesPerMinute }: RateLimits): RequestHandler {
  return limiter({ limit: filesPerMinute, windowMs: 60_000 });
}

export function callbackRateLimit({ callbacksPerSecond }: RateLimits): RequestHandler {
  return limiter({ limit: callbacksPerSecond, windowMs: 1_000 });
}

function limiter(options: Pick<Options, 'limit' | 'windowMs'> & Partial<Options>): RequestHandler {
  return rateLimit({
    ...options,
    standardHeaders: false,
    legacyHeaders: false,
    validate: false,
    handler: (req, _res, next) => {
      const seconds = secondsUntilReset(req, options.windowMs);
      next(new ApiError('rate_limited', 'Too many requests.', undefined, seconds));
    },
  });
}

function secondsUntilReset(req: Request, windowMs: number): number {
  const { rateLimit: state } = req as Request & { rateLimit?: { resetTime?: Date } };
  const resetAt = state?.resetTime?.getTime() ?? Date.now() + windowMs;
  return Math.max(1, Math.ceil((resetAt - Date.now()) / 1_000));
}
