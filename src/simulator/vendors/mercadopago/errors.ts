import type { SimulatorResponse } from '../../replies';

/** The word that an error has beside its status. Of 405: recorded `failed-capture`; of 423 and 424: SDK 3.6.1, `utils/errors`. */
const WORDS: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  402: 'payment_required',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  422: 'unprocessable_entity',
  423: 'locked',
  424: 'failed_dependency',
  429: 'too_many_requests',
  500: 'internal_error',
};

/** `cause` of an error. Its code is a number, except that of a card token (`E301`). */
export interface Cause {
  readonly code: number | string;
  readonly description: string;
  /** What was wrong, for example the name of a field. */
  readonly data?: string | null;
}

/** Recorded `failed-void`: `{"message", "error", "status", "cause": [{"code", "description", "data"}]}`. */
export function errorOf(status: number, ...causes: readonly Cause[]): SimulatorResponse {
  const error = WORDS[status] ?? (status >= 500 ? 'internal_error' : 'bad_request');
  const cause = causes.map(({ data = null, ...named }) => ({ ...named, data }));
  return { status, body: { message: causes[0]?.description ?? error, error, status, cause } };
}

export function badRequest(code: number | string, description: string, data?: string): SimulatorResponse {
  return errorOf(400, { code, description, ...(data !== undefined && { data }) });
}

/** https://www.mercadopago.com.br/developers/en/reference/online-payments/checkout-pro-preferences/create-cancellation/put */
export const UNAUTHENTICATED = errorOf(401, { code: 'unauthorized', description: 'Invalid access token' });

/** https://www.mercadopago.com.br/developers/en/reference/chargebacks/_payments_id_refunds/post */
export const PAYMENT_NOT_FOUND = errorOf(404, { code: 2000, description: 'Payment not found' });
export const KEY_MISSING = badRequest(4292, "Header X-Idempotency-Key can't be null");

/** Recorded `failed-refund`: a path that is no resource. */
export function resourceNotFound(path: readonly string[]): SimulatorResponse {
  return errorOf(404, {
    code: 'not_found',
    description: `Resource /${path.join('/')} not found.`,
  });
}

export const METHOD_NOT_ALLOWED = errorOf(405, {
  code: 'Method not allowed',
  description: 'Method not allowed',
});

/** SDK 3.6.1, `MPResourceLockedError`: the key is locked for a moment, and may be sent again. */
export const KEY_LOCKED = errorOf(423, {
  code: 'idempotency_key_locked',
  description: 'A request with this idempotency key is in progress.',
});
