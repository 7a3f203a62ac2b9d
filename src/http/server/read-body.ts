import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler } from 'express';
import { ApiError } from '../../domain/shared/errors';
import { payloadTooLarge } from './error-handler';

const BODY_LIMIT_BYTES = 256 * 1024;

/**
 * Reads a JSON body of at most `limit` bytes, counted after decompression (gzip, deflate, br). A missing body becomes `{}`, so
 * that the validation error names the missing fields; `context.hasBody` tells them apart. The content type is normalized to `application/json`, because
 * the validator caches by content type and variants would fill its cache.
 */
export function bodyReader(limit: number): RequestHandler {
  const readJson = express.json({
    limit,
    // The contract's validation rejects JSON that is not an object.
    strict: false,
    type: () => true,
    verify: (req, _res, bytes) => {
      if (!isUtf8(bytes)) throw new Error('not UTF-8');
      // A chunked body may turn out to be empty.
      if (bytes.length === 0) (req as Request).context.hasBody = false;
    },
  });
  return (req, res, next) => {
    const { headers } = req;
    const length = Number(headers['content-length'] ?? 0);
    const hasBody = length > 0 || headers['transfer-encoding'] !== undefined;
    req.context.hasBody = hasBody;
    rejectTooLong(length, limit);
    if (hasBody && !isJson(headers['content-type'])) {
      throw new ApiError('unsupported_media_type', 'The body must be application/json, in UTF-8.');
    }
    headers['content-type'] = 'application/json';
    if (!hasBody) {
      req.body = {};
      return next();
    }
    readJson(req, res, next);
  };
}

/** Of at most 256 KiB. */
export const readBody: RequestHandler = bodyReader(BODY_LIMIT_BYTES);

const readBytes = express.raw({ limit: BODY_LIMIT_BYTES, type: () => true });

/**
 * Reads a body of any content type as raw bytes, at most 256 KiB after decompression, together with its headers: signatures
 * cover the bytes. The contract does not validate such a body.
 */
export const readRawBody: RequestHandler = (req, res, next) => {
  rejectTooLong(Number(req.headers['content-length'] ?? 0), BODY_LIMIT_BYTES);
  const headers = singleHeaders(req);
  delete req.headers['content-type'];
  readBytes(req, res, (error?: unknown) => {
    if (error !== undefined) return next(error);
    const [, query = ''] = req.url.split('?', 2);
    req.raw = { body: Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0), headers, query };
    req.body = {};
    next();
  });
};

/** Leaves the body to the handler, which reads it while it arrives and limits its length. Compressed ones are refused. */
export const leaveBody: RequestHandler = (req, _res, next) => {
  const { 'content-encoding': encoding = 'identity' } = req.headers;
  if (encoding !== 'identity')
    throw new ApiError('unsupported_media_type', 'The body must not be compressed.');
  delete req.headers['content-type'];
  req.body = {};
  next();
};

/** For routes without a body: ignores whatever was sent. */
export const ignoreBody: RequestHandler = (req, _res, next) => {
  delete req.headers['content-type'];
  next();
};

function rejectTooLong(bytes: number, limit: number): void {
  if (bytes > limit) throw payloadTooLarge(limit);
}

/** Headers with one value. Node joins repeated headers, except `Set-Cookie`, which is dropped here. */
function singleHeaders({ headers }: Request): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function isJson(contentType: string | undefined): boolean {
  const [mediaType = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  if (mediaType.trim() !== 'application/json') return false;
  const charsets = parameters.map((text) => text.trim()).filter((text) => text.startsWith('charset='));
  return charsets.every((charset) => /^charset="?utf-?8"?$/.test(charset));
}
