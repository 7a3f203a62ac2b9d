import type { RequestHandler } from 'express';
import { Authenticator } from 'passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import type { AuthenticatedCompany } from '../domain/company';
import { unauthenticated } from '../domain/errors';

/** The company a key pair belongs to, or null; it takes as long for an unknown client id as for a wrong key. */
export type AuthenticateCompany = (clientId: string, apiKey: string) => Promise<AuthenticatedCompany | null>;

/** Sets `req.company` from `X-Client-ID` and `X-API-Key`; without both, or with a wrong pair, it is 401. */
export function apiKeyAuthentication(authenticate: AuthenticateCompany): RequestHandler {
  const passport = new Authenticator();
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
  passport.use('api-key', strategy);
  const check = passport.authenticate('api-key', {
    session: false,
    failWithError: true,
    assignProperty: 'company',
  }) as RequestHandler;
  return (req, res, next) => {
    void check(req, res, (error?: unknown) => next(isRefusal(error) ? unauthenticated() : error));
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'AuthenticationError';
}
