import type { Request, RequestHandler } from 'express';
import { scopeFor, scopesAllow } from '../../domain/companies/api-key-scope';
import { ApiError } from '../../domain/shared/errors';
import { roleMay, type Permission } from '../../domain/users/permission';

/**
 * 403 unless the API key's scopes, or the user's role, give the permission that the contract names for the route. Runs after
 * authentication. Throws at startup for a route without one.
 */
export function requirePermission(routeId: string, permission: Permission | null): RequestHandler {
  if (permission === null) throw new Error(`openapi.yaml names no x-required-permission for ${routeId}`);
  return (req, _res, next) => next(refusal(req, permission));
}

function refusal({ keyHolder, signedIn }: Request, permission: Permission): ApiError | undefined {
  if (keyHolder !== undefined) {
    if (scopesAllow(keyHolder.apiKey.scopes, permission)) return undefined;
    const scope = scopeFor(permission) ?? permission;
    return new ApiError('insufficient_scope', `This API key lacks the scope ${scope}.`);
  }
  if (signedIn === undefined) throw new Error('authentication has not run');
  const { role, mustEnrol } = signedIn.user;
  if (mustEnrol && permission !== 'account') {
    const message = 'Your company requires a second factor. Turn it on in your account first.';
    return new ApiError('two_factor_required', message);
  }
  if (roleMay(role, permission)) return undefined;
  return new ApiError(
    'forbidden',
    `Your role (${role}) does not allow this. It needs the permission ${permission}.`,
  );
}
