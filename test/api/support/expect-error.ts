import { ERROR_STATUS, type ErrorCode } from '../../../src/domain/shared/errors';
import type { ErrorResponseBody } from '../../../src/http/server/error-handler';
import { ERROR_SCHEMA, schemaErrors } from './contract-schemas';

/** Checks that a response has the error shape, its code’s status, and its request id in the header. */
export async function expectError(response: Response, code: ErrorCode): Promise<ErrorResponseBody> {
  const text = await response.text();
  expect({ status: response.status, text }).toEqual({ status: ERROR_STATUS[code], text });
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const body = JSON.parse(text) as ErrorResponseBody;
  expect(schemaErrors(ERROR_SCHEMA, body)).toEqual([]);
  expect(body.code).toBe(code);
  expect(body.request_id).toBe(response.headers.get('x-request-id'));
  expect(body.request_id).not.toBe('');
  expect(Object.keys(body).sort()).toEqual(
    ['code', 'message', 'request_id', ...(body.errors ? ['errors'] : [])].sort(),
  );
  return body;
}
