import type { z } from 'zod';
import type { SimulatorResponse } from '../../replies';

/** https://docs.stripe.com/api/errors */
export interface StripeError {
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  readonly message: string;
  /** https://docs.stripe.com/error-codes */
  readonly code?: string;
  /** The parameter that is wrong. */
  readonly param?: string;
  /** Further fields: `decline_code`, `charge`, `payment_intent` and so on. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export function errorResponse(status: number, { details, ...error }: StripeError): SimulatorResponse {
  const doc_url = `https://stripe.com/docs/error-codes/${error.code?.replaceAll('_', '-')}`;
  return {
    status,
    body: { error: { ...error, ...(error.code !== undefined && { doc_url }), ...details } },
  };
}

/** A 400, or a 404 for the object that a path names. */
export function invalidRequest(
  message: string,
  { code, param, status = 400 }: { code?: string; param?: string; status?: number } = {},
): SimulatorResponse {
  return errorResponse(status, {
    type: 'invalid_request_error',
    message,
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
  });
}

/** A missing object: 404 if the path names it, 400 if a parameter does. */
export function missing(kind: string, id: string, param: string, status = 404): SimulatorResponse {
  return invalidRequest(`No such ${kind}: '${id}'`, { code: 'resource_missing', param, status });
}

/** The error that Stripe answers with a status. https://docs.stripe.com/api/errors: HTTP status code summary. */
export function errorOfStatus(status: number): SimulatorResponse {
  if (status === 402) {
    return errorResponse(402, {
      type: 'card_error',
      code: 'card_declined',
      message: 'Your card was declined.',
      details: { decline_code: 'generic_decline' },
    });
  }
  const code = STATUS_CODES[status];
  const message = status >= 500 ? BACKEND_FAILED : 'The request was refused.';
  return errorResponse(status, {
    type: status >= 500 ? 'api_error' : status === 409 ? 'idempotency_error' : 'invalid_request_error',
    message,
    ...(code !== undefined && { code }),
  });
}

/** The message of Stripe's own 500. */
export const BACKEND_FAILED =
  'Error while communicating with one of our backends.  Sorry about that!  We have been notified of the problem.';

const STATUS_CODES: Readonly<Record<number, string>> = {
  403: 'account_invalid',
  404: 'resource_missing',
  409: 'idempotency_key_in_use',
  // https://docs.stripe.com/rate-limits: type invalid_request_error, code rate_limit.
  429: 'rate_limit',
};

/** The first problem of parameters, as Stripe names it. */
export function invalidParameters(error: z.ZodError): SimulatorResponse {
  const [issue] = error.issues;
  if (issue === undefined) return invalidRequest('Invalid request.');
  if (issue.code === 'unrecognized_keys') {
    const param = nameOf([...issue.path, ...issue.keys.slice(0, 1)]);
    return invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }
  const param = nameOf(issue.path);
  if (issue.message === MISSING) {
    return invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  }
  if (issue.code === 'invalid_format') {
    return invalidRequest(`Invalid integer: ${param}`, { code: 'parameter_invalid_integer', param });
  }
  return invalidRequest(`Invalid ${param}: ${issue.message}`, { param });
}

/** The message of a schema whose parameter is required. */
export const MISSING = 'is required';

function nameOf([head, ...rest]: readonly PropertyKey[]): string {
  return String(head) + rest.map((name) => `[${String(name)}]`).join('');
}
