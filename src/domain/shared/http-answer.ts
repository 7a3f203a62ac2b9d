import { ERROR_STATUS, type ErrorCode, type FieldErrors } from './errors';

/**
 * The HTTP answer to a request that has an outcome. Whoever learns the outcome records it under the request's
 * idempotency key, and the API answers the waiting request with the same value.
 */
export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
}

export function okAnswer(body: unknown): HttpAnswer {
  return { status: 200, body };
}

export function createdAnswer(body: unknown): HttpAnswer {
  return { status: 201, body };
}

/** The code decides the status. */
export function refusedAnswer({
  code,
  message,
  fields,
}: {
  readonly code: ErrorCode;
  readonly message: string;
  readonly fields?: FieldErrors | undefined;
}): HttpAnswer {
  return { status: ERROR_STATUS[code], body: { code, message, ...(fields && { errors: fields }) } };
}
