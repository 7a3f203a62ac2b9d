import type { Request, RequestHandler } from 'express';
import { Authenticator, type Strategy } from 'passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import { Strategy as JwtStrategy, type VerifiedCallback } from 'passport-jwt';
import type { CheckoutCaller } from '../../domain/checkout/checkout-session';
import { WRONG_KEY_PAIR, type KeyHolder } from '../../domain/companies/api-key';
import type { SignedIn } from '../../domain/companies/user';
import { isMode, type Mode } from '../../domain/shared/mode';
import { ApiError, unauthenticated } from '../../domain/shared/errors';
import { claimsOf, type AccessClaims, type AccessTokens } from '../../security/access-tokens';
import type { SessionCookie } from './session-cookie';

/** The holder of a key pair, or null. An unknown client id takes as long as a wrong key. */
export type AuthenticateCompany = (clientId: string, apiKey: string) => Promise<KeyHolder | null>;

/** How access tokens are verified, and the user of a verified one: null once its session is revoked. */
export interface UserAuthentication {
  readonly tokens: Pick<AccessTokens, 'verification'>;
  /** `mode` is that of the request; null for the deployment's. */
  findSession(claims: AccessClaims, mode: Mode | null): Promise<SignedIn | null>;
}

/** The checkout session of a token, or null. */
export type AuthenticateCheckout = (token: string) => Promise<CheckoutCaller | null>;

/** Passes refused requests on to `limit`, which may answer 429 instead of the 401. */
export function limitingFailures(authentication: RequestHandler, limit: RequestHandler): RequestHandler {
  return (req, res, next) => {
    void authentication(req, res, (refusal?: unknown) => {
      if (!(refusal instanceof ApiError)) return next(refusal);
      void limit(req, res, (limited?: unknown) => next(limited ?? refusal));
    });
  };
}

/**
 * Sets `req.keyHolder` and `req.company` from `X-Client-ID` and `X-API-Key`; 401 without both or with a wrong pair, which it
 * does not tell apart.
 */
export function apiKeyAuthentication(authenticate: AuthenticateCompany): RequestHandler {
  const strategy = new HeaderAPIKeyStrategy(
    { header: 'X-API-Key', prefix: '' },
    true,
    (apiKey, verified, req) => {
      const clientId = req?.headers['x-client-id'];
      if (typeof clientId !== 'string' || clientId === '') {
        verified(null);
        return;
      }
      authenticate(clientId, apiKey).then(
        (holder) => verified(null, holder ?? undefined),
        (error: Error) => verified(error),
      );
    },
  );
  const check = passing(strategy, 'keyHolder', (req) =>
    missing(req, ['X-Client-ID', 'X-API-Key'], WRONG_KEY_PAIR),
  );
  return (req, res, next) => {
    void check(req, res, (error?: unknown) => {
      if (req.keyHolder !== undefined) req.company = req.keyHolder.company;
      next(error);
    });
  };
}

/**
 * Sets `req.signedIn` and `req.company` from the access token of the `Authorization` header or, for our own pages, of
 * the session cookie; 401 without a valid token.
 */
export function userAuthentication(users: UserAuthentication, cookie: SessionCookie): RequestHandler {
  const check = passing(
    accessTokenStrategy(users, (req) =>
      // A request that brings its own credentials does not get those of the cookie.
      req.headers.authorization === undefined ? cookie.readFromOwnPage(req) : bearerToken(req),
    ),
    'signedIn',
    accessTokenProblem,
  );
  return (req, res, next) => {
    void check(req, res, (error?: unknown) => {
      if (req.signedIn !== undefined) req.company = req.signedIn.company;
      next(error);
    });
  };
}

/** RFC 6750, section 2.1; `ExtractJwt` would accept text after the token. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

function bearerToken({ headers }: Request): string | null {
  return BEARER.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** Sets `req.signedIn` from the session cookie, whichever page sends it: only for routes that change nothing. */
export function sessionAuthentication(users: UserAuthentication, cookie: SessionCookie): RequestHandler {
  return passing(
    accessTokenStrategy(users, (req) => cookie.read(req)),
    'signedIn',
    () => 'The page needs the session of a signed-in user.',
  );
}

/** passport-jwt with our rules for claims and sessions. */
export function accessTokenStrategy(
  users: UserAuthentication,
  jwtFromRequest: (req: Request) => string | null,
): Strategy {
  const options = { ...users.tokens.verification, jwtFromRequest, passReqToCallback: true } as const;
  return new JwtStrategy(options, (req: Request, verified: unknown, done: VerifiedCallback) => {
    const claims = claimsOf(verified);
    if (claims === null) return done(null, false);
    users.findSession(claims, modeOf(req)).then(
      (signedIn) => done(null, signedIn ?? false),
      (error: Error) => done(error, false),
    );
  });
}

/** The mode that the request asks for. The contract's validation refuses any other value afterwards. */
function modeOf({ headers }: Request): Mode | null {
  const mode = headers['x-mode'];
  return isMode(mode) ? mode : null;
}

/** Sets `req.checkout` and `req.company` from `X-Checkout-Token`; 401 without a valid token. */
export function checkoutAuthentication(authenticate: AuthenticateCheckout): RequestHandler {
  const strategy = new HeaderAPIKeyStrategy(
    { header: 'X-Checkout-Token', prefix: '' },
    false,
    (token, verified) => {
      authenticate(token).then(
        (caller) => verified(null, caller ?? undefined),
        (error: Error) => verified(error),
      );
    },
  );
  const check = passing(strategy, 'checkout', (req) =>
    missing(req, ['X-Checkout-Token'], 'X-Checkout-Token is not a valid token.'),
  );
  return (req, res, next) => {
    void check(req, res, (error?: unknown) => {
      if (req.checkout !== undefined) req.company = req.checkout.company;
      next(error);
    });
  };
}

/** Names the headers that a request lacks, or else says what is wrong with them. */
function missing({ headers }: Request, names: readonly string[], otherwise: string): string {
  const absent = names.filter((name) => (headers[name.toLowerCase()] ?? '') === '');
  if (absent.length === 0) return otherwise;
  return `${absent.join(' and ')} ${absent.length === 1 ? 'is a required header' : 'are required headers'}.`;
}

function accessTokenProblem(req: Request): string {
  const otherwise =
    bearerToken(req) === null
      ? 'Authorization must be Bearer, followed by an access token.'
      : 'The access token is not valid, or no longer.';
  return missing(req, ['Authorization'], otherwise);
}

/** Runs one passport strategy; a refusal becomes our own 401, with the message of `problemOf`. */
function passing(
  strategy: Strategy,
  assignProperty: 'keyHolder' | 'signedIn' | 'checkout',
  problemOf: (req: Request) => string,
): RequestHandler {
  const passport = new Authenticator().use('only', strategy) as Authenticator;
  const options = { session: false, failWithError: true, assignProperty };
  const check = passport.authenticate('only', options) as RequestHandler;
  return (req, res, next) => {
    void check(req, res, (error?: unknown) =>
      next(isRefusal(error) ? unauthenticated(problemOf(req)) : error),
    );
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'AuthenticationError';
}
