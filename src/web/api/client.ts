import createClient from 'openapi-fetch';
import type { components, paths } from '../../http/generated/openapi';
import { ApiFailure, failureOf } from './failure';

/** A body as the contract names it. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The API at this very host; the browser sends the session's cookie along. */
export const api = createClient<paths>({ baseUrl: '/api/v1', credentials: 'same-origin' });

interface Exchange<Body> {
  readonly data?: Body;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a success. Throws `ApiFailure` for whatever else comes, or does not come. */
export async function answerOf<Body>(exchange: Promise<Exchange<Body>>): Promise<Body> {
  const { data, error, response } = await exchange.catch((): never => {
    throw new ApiFailure({ status: null });
  });
  if (!response.ok) throw failureOf(response.status, error);
  return data as Body;
}
