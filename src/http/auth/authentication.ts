import type { Request, RequestHandler } from 'express';
import { Authenticator, type Strategy } from 'passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import type { CheckoutCaller } from '../../domain/checkout/checkout-session';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import { unauthenticated } from '../../domain/shared/errors';
import type { SignedIn } from '../../domain/companies/user';
import type { SessionCookie } from './session-cookie';

/** The company a key pair belongs to, or null; it takes as long for an unknown client id as for a wrong key. */
export type AuthenticateCompany = (clientId: string, apiKey: string) => Promise<AuthenticatedCompany | null>;

/** The user an access token was issued to, or null when it is not one of ours, too old, or revoked. */
export type AuthenticateUser = (token: string) => Promise<SignedIn | null>;

/** The checkout session of a token, or null when it is not one of ours. */
export type AuthenticateCheckout = (token: string) => Promise<CheckoutCaller | null>;

/** Sets `req.company` from `X-Client-ID` and `X-API-Key`; without both, or with a wrong pair, it is 401. */
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
        (company) => verified(null, company ?? undefined),
        (error: Error) => verified(error),
      );
    },
  );
  return passing(strategy, 'company');
}

/**
 * Sets `req.signedIn`, and `req.company` with it, from the access token of the `Authorization` header or, from our own
 * pages, of the session cookie; without a good one it is 401.
 */
export function userAuthentication(authenticate: AuthenticateUser, cookie: SessionCookie): RequestHandler {
  const check = passing(
    tokenStrategy(authenticate, (req) => sentToken(req, cookie)),
    'signedIn',
  );
  return (req, res, next) => {
    void check(req, res, (error?: unknown) => {
      if (req.signedIn !== undefined) req.company = req.signedIn.company;
      next(error);
    });
  };
}

/** Sets `req.signedIn` from the session cookie, whichever page sends it: for routes that change nothing. */
export function sessionAuthentication(authenticate: AuthenticateUser, cookie: SessionCookie): RequestHandler {
  return passing(
    tokenStrategy(authenticate, (req) => cookie.read(req)),
    'signedIn',
  );
}

/** Sets `req.checkout`, and `req.company` with it, from `X-Checkout-Token`; without a good one it is 401. */
export function checkoutAuthentication(authenticate: AuthenticateCheckout): RequestHandler {
  const check = passing(
    tokenStrategy(authenticate, (req) => req.get('X-Checkout-Token') ?? null),
    'checkout',
  );
  return (req, res, next) => {
    void check(req, res, (error?: unknown) => {
      if (req.checkout !== undefined) req.company = req.checkout.company;
      next(error);
    });
  };
}

/** RFC 6750, section 2.1. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

function sentToken(req: Request, cookie: SessionCookie): string | null {
  const { authorization } = req.headers;
  return authorization === undefined
    ? cookie.readFromOwnPage(req)
    : (BEARER.exec(authorization)?.[1] ?? null);
}

function tokenStrategy(
  authenticate: (token: string) => Promise<object | null>,
  tokenOf: (req: Request) => string | null,
): Strategy & { readonly name: string } {
  return {
    name: 'token',
    authenticate(req) {
      const token = tokenOf(req);
      if (token === null) {
        this.fail(401);
        return;
      }
      authenticate(token).then(
        (known) => (known === null ? this.fail(401) : this.success(known)),
        (error: Error) => this.error(error),
      );
    },
  };
}

/** Passport with one strategy, whose refusal is our own 401. */
function passing(strategy: Strategy, assignProperty: 'company' | 'signedIn' | 'checkout'): RequestHandler {
  const passport = new Authenticator().use('only', strategy) as Authenticator;
  const options = { session: false, failWithError: true, assignProperty };
  const check = passport.authenticate('only', options) as RequestHandler;
  return (req, res, next) => {
    void check(req, res, (error?: unknown) => next(isRefusal(error) ? unauthenticated() : error));
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'AuthenticationError';
}
