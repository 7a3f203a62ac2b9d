import createClient from 'openapi-fetch';
import type { components, paths } from '../../http/generated/openapi';
import { RequestError, errorFromResponse } from './request-error';

/** A schema of the API contract by its name. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** Client of the API on the same host; the browser sends the session cookie. */
export const api = createClient<paths>({ baseUrl: '/api/v1', credentials: 'same-origin' });

interface FetchResult<Body> {
  readonly data?: Body;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the body of a successful response. Throws `RequestError` for an error response and for a network failure. */
export async function unwrapBody<Body>(result: Promise<FetchResult<Body>>): Promise<Body> {
  const { data, error, response } = await result.catch((): never => {
    throw new RequestError({ status: null });
  });
  if (!response.ok) throw errorFromResponse(response.status, error);
  return data as Body;
}
