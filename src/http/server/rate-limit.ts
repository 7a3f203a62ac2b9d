import type { Request, RequestHandler } from 'express';
import { createHash } from 'node:crypto';
import { ipKeyGenerator, rateLimit, type Options } from 'express-rate-limit';
import type { DeclineLimits } from '../../domain/checkout/card-testing';
import { ApiError } from '../../domain/shared/errors';
import { SharedLimit, type ExchangeDemand } from './shared-limit';
import { SENT_CODE } from './error-handler';
import { normalizedEmail, type DeviceCookie } from '../auth/device-cookie';

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
  /** Failed sign-ins to one account in 15 minutes, from whatever addresses. */
  readonly failedSignInsPerAccount: number;
  /** Wrong API keys, and wrong checkout tokens, per minute from one address. */
  readonly failedKeysPerMinute: number;
  /** Declined cards per hour at public checkouts, counted within one company. */
  readonly declinedCards: DeclineLimits;
}

const SIGN_IN_WINDOW_MS = 15 * 60_000;

/**
 * All API processes together (`SharedLimit`). They learn of each other by `exchangeDemand`; without it each counts for itself.
 */
export function companyRateLimit(
  { companyPerSecond }: RateLimits,
  exchangeDemand: ExchangeDemand = () => Promise.resolve(new Map()),
): RequestHandler {
  const shared = new SharedLimit(companyPerSecond, exchangeDemand);
  return limiter({
    limit: (req: Request) => shared.count(req.company?.id ?? 0),
    windowMs: 1_000,
    keyGenerator: (req) => String(req.company?.id),
  });
}

/** Counts each route separately, so that password guessing at one route does not block the others. */
export function publicRateLimit({ publicPerMinute }: RateLimits): RequestHandler {
  return limiter({ limit: publicPerMinute, windowMs: 60_000 });
}

/**
 * Guesses of one account's password, from however many addresses. Successful sign-ins are not counted. An email without an
 * account is limited in the same way, so that the limit does not reveal who has one. Each browser of the account's user
 * counts for itself: otherwise a stranger's guesses would lock the user out.
 */
export function accountRateLimit(
  { failedSignInsPerAccount }: RateLimits,
  devices: Pick<DeviceCookie, 'find'>,
): RequestHandler {
  return limiter({
    limit: failedSignInsPerAccount,
    windowMs: SIGN_IN_WINDOW_MS,
    skipSuccessfulRequests: true,
    // `otp_required` follows the right password only, so it is no failed guess; codes have a limit of their own.
    requestWasSuccessful: (_req, res) => res.statusCode < 400 || res.locals[SENT_CODE] === 'otp_required',
    keyGenerator: (req) => {
      const email = emailIn(req.body);
      const device = devices.find(req, email);
      return device === null ? accountKey(email) : `device:${device}`;
    },
  });
}

function emailIn(body: unknown): string {
  const { email } = (typeof body === 'object' && body !== null ? body : {}) as { email?: unknown };
  return typeof email === 'string' ? email : '';
}

function accountKey(email: string): string {
  return createHash('sha256').update(normalizedEmail(email)).digest('base64url');
}

/**
 * Run it after a wrong API key or checkout token. Requests with valid ones from the same address continue, because one wrongly
 * configured program must not stop a company's payments.
 */
export function failedKeyRateLimit({ failedKeysPerMinute }: RateLimits): RequestHandler {
  return limiter({ limit: failedKeysPerMinute, windowMs: 60_000 });
}

/** The client's address as rate limits count it: an IPv6 client can use its whole network. */
export function addressOf({ ip }: Pick<Request, 'ip'>): string {
  return ip === undefined ? '' : ipKeyGenerator(ip);
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
