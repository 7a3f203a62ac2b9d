import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { ApiError, notFound, unavailable } from '../../domain/shared/errors';
import type { Logger } from '../../log';
import type { components } from '../generated/openapi';

export type ErrorBody = components['schemas']['Error'];

/** The one body of every error (decisions, section 1). */
export function errorBody(error: ApiError, requestId: string): ErrorBody {
  return {
    message: error.message,
    code: error.code,
    ...(error.fields && { errors: error.fields as Record<string, string[]> }),
    request_id: requestId,
  };
}

export function unknownRoute(): ApiError {
  return new ApiError('not_found', 'There is no such route.');
}

export const answerUnknownRoute: RequestHandler = (_req, _res, next) => {
  next(unknownRoute());
};

/** Answers every error in one shape. What nobody foresaw is logged and told to the caller only by its request id. */
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

export function sendError(res: Response, error: ApiError, requestId: string): void {
  if (error.retryAfterSeconds !== undefined) res.setHeader('Retry-After', error.retryAfterSeconds);
  res.set(error.headers).status(error.status).json(errorBody(error, requestId));
}

/** What an error is to whoever asked. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // Express could not decode a path parameter: no id looks like that.
  if (error instanceof URIError) return notFound();
  if (isUnreadableBody(error)) return bodyError(error.status);
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
 * Postgres error classes for a server that is going away, starting or full, and for a statement that took too long:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html. Then Node's codes for a connection lost in use.
 */
const UNREACHABLE_CODES =
  /^(?:08...|53...|57P..|57014|25P03|40001|40P01|55P03|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT)$/;
const CONNECTION_LOST =
  /^(?:Connection terminated|Query read timeout|Client (?:has encountered a connection error|was closed))/;

/** What Express's body parsers throw (`http-errors`, meant to be shown). */
function isUnreadableBody(error: unknown): error is Error & { readonly status: number } {
  const { expose, status } = error as { expose?: unknown; status?: unknown };
  return error instanceof Error && expose === true && typeof status === 'number' && status < 500;
}

function bodyError(status: number): ApiError {
  switch (status) {
    case 413:
      return new ApiError('payload_too_large', 'The body is too long.');
    case 415:
      return new ApiError('unsupported_media_type', 'The encoding of the body is not supported.');
    default:
      return new ApiError('malformed_request', 'The body is not valid JSON.');
  }
}

/** Known by name, so that the HTTP layer needs no database library. */
function isDatabaseUnreachable(error: unknown): boolean {
  if (!(error instanceof Error) || !error.name.startsWith('Sequelize')) return false;
  if (UNREACHABLE_NAMES.has(error.name)) return true;
  const { original } = error as { original?: { code?: unknown; message?: unknown } };
  return UNREACHABLE_CODES.test(String(original?.code)) || CONNECTION_LOST.test(String(original?.message));
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('something that is no Error was thrown');
}
