import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { ApiError, notFound, unavailable } from '../../domain/shared/errors';
import type { Logger } from '../../log';
import type { components } from '../generated/openapi';

export type ErrorResponseBody = components['schemas']['Error'];

/** The response body of every error (docs/decisions/api-errors.md). */
export function errorBody(error: ApiError, requestId: string): ErrorResponseBody {
  return {
    message: error.message,
    code: error.code,
    ...(error.fields && { errors: error.fields as Record<string, string[]> }),
    ...(error.resourceId !== undefined && { resource_id: error.resourceId }),
    request_id: requestId,
  };
}

export function payloadTooLarge(limitBytes: number): ApiError {
  return new ApiError('payload_too_large', `The body is longer than ${limitBytes / 1024} KiB.`);
}

export const answerUnknownRoute: RequestHandler = (_req, _res, next) => {
  next(new ApiError('not_found', 'The route does not exist.'));
};

/** Answers every error in one shape. An unexpected error is logged, and the caller gets only its request id. */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const apiError = toApiError(error);
    if (apiError !== error && apiError.status >= 500) {
      const { requestId, route } = req.context;
      const fields = {
        request_id: requestId,
        method: req.method,
        route: route ?? 'unmatched',
        err: asError(error),
      };
      logger.error(fields, 'request failed');
    }
    if (res.headersSent) {
      req.socket.destroy();
      return;
    }
    sendError(res, apiError, req.context.requestId);
  };
}

/** Where the code of a sent error is among `res.locals`. */
export const SENT_CODE = 'errorCode';

/** Sends an error's status, headers and body; `extra` adds fields to the body. */
export function sendError(res: Response, error: ApiError, requestId: string, extra: object = {}): void {
  setErrorHeaders(res, error);
  res.locals[SENT_CODE] = error.code;
  res.status(error.status).json({ ...errorBody(error, requestId), ...extra });
}

export function setErrorHeaders(res: Response, { retryAfterSeconds, headers }: ApiError): void {
  if (retryAfterSeconds !== undefined) res.setHeader('Retry-After', retryAfterSeconds);
  res.set(headers);
}

/** Maps any thrown value to the error that the client sees. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // Express could not decode a path parameter, so it cannot be a valid id.
  if (error instanceof URIError) return notFound();
  if (isBodyParserError(error)) return bodyError(error);
  if (isDatabaseUnreachable(error)) return unavailable('The service is unavailable for a moment.');
  return new ApiError('internal_error', 'Something went wrong on our side.');
}

const UNREACHABLE_NAMES: ReadonlySet<string> = new Set([
  'SequelizeConnectionError',
  'SequelizeConnectionRefusedError',
  'SequelizeConnectionTimedOutError',
  'SequelizeConnectionAcquireTimeoutError',
  'SequelizeHostNotFoundError',
  'SequelizeHostNotReachableError',
  'SequelizeInvalidConnectionError',
]);
/**
 * Postgres error codes for a server that is shutting down, starting or overloaded, for statement timeouts and for conflicts
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html); then Node's codes for a lost connection.
 */
const UNREACHABLE_CODES =
  /^(?:08...|53...|57P..|57014|25P03|40001|40P01|55P03|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT)$/;
const CONNECTION_LOST =
  /^(?:Connection terminated|Query read timeout|Client (?:has encountered a connection error|was closed))/;

/** An error of Express's body parsers (`http-errors` with `expose`). */
interface BodyParserError extends Error {
  readonly status: number;
  /** The parser's limit in bytes; set with status 413. */
  readonly limit: number;
}

function isBodyParserError(error: unknown): error is BodyParserError {
  const { expose, status } = error as { expose?: unknown; status?: unknown };
  return error instanceof Error && expose === true && typeof status === 'number' && status < 500;
}

function bodyError({ status, limit }: BodyParserError): ApiError {
  switch (status) {
    case 413:
      return payloadTooLarge(limit);
    case 415:
      return new ApiError('unsupported_media_type', 'The encoding of the body is not supported.');
    default:
      return new ApiError('malformed_request', 'The body is not valid JSON.');
  }
}

/** Recognized by name, so that the HTTP layer does not import the database library. */
function isDatabaseUnreachable(error: unknown): boolean {
  if (!(error instanceof Error) || !error.name.startsWith('Sequelize')) return false;
  if (UNREACHABLE_NAMES.has(error.name)) return true;
  const { original } = error as { original?: { code?: unknown; message?: unknown } };
  return UNREACHABLE_CODES.test(String(original?.code)) || CONNECTION_LOST.test(String(original?.message));
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('a value that is not an Error was thrown');
}
