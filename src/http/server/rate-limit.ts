import type { Request, RequestHandler } from 'express';
import { rateLimit, type Options } from 'express-rate-limit';
import { ApiError } from '../../domain/shared/errors';

export interface RateLimits {
  /** Requests a second of one company, counted after its key was checked. */
  readonly companyPerSecond: number;
  /** Requests a minute from one address to each other public operation. */
  readonly publicPerMinute: number;
  /** Callbacks a second from one address: a gateway sends all companies' from a few. */
  readonly callbacksPerSecond: number;
  /** Requests a minute in one checkout session, and looks at payment links from one address. */
  readonly checkoutPerMinute: number;
}

/** Counted in this process: with n API processes a company has up to n times its share. */
export function companyRateLimit({ companyPerSecond }: RateLimits): RequestHandler {
  return limiter({
    limit: companyPerSecond,
    windowMs: 1_000,
    keyGenerator: (req) => String(req.company?.id),
  });
}

/** Of one operation: who guesses passwords keeps nobody from registering. */
export function publicRateLimit({ publicPerMinute }: RateLimits): RequestHandler {
  return limiter({ limit: publicPerMinute, windowMs: 60_000 });
}

/** A page that waits for its pix asks every few seconds. */
export function checkoutRateLimit({ checkoutPerMinute }: RateLimits): RequestHandler {
  return limiter({
    limit: checkoutPerMinute,
    windowMs: 60_000,
    keyGenerator: (req) => String(req.checkout?.sessionId),
  });
}

/** Many buyers may come from one address. */
export function pageRateLimit({ checkoutPerMinute }: RateLimits): RequestHandler {
  return limiter({ limit: checkoutPerMinute, windowMs: 60_000 });
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
