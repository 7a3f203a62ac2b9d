import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler } from 'express';
import { ApiError } from '../../domain/shared/errors';

const BODY_LIMIT_BYTES = 256 * 1024;

const readJson = express.json({
  limit: BODY_LIMIT_BYTES,
  // A body that is JSON but no object is for the contract to refuse.
  strict: false,
  type: () => true,
  verify: (_req, _res, bytes) => {
    if (!isUtf8(bytes)) throw new Error('not UTF-8');
  },
});

/**
 * Reads a JSON body of at most 256 KiB (gzip, deflate and br are inflated, and then counted). No body at all is `{}`,
 * so that the answer names the fields that are missing. Afterwards the content type is exactly `application/json`:
 * whoever keeps something by content type cannot be flooded with variants of it.
 */
export const readBody: RequestHandler = (req, res, next) => {
  const { headers } = req;
  const length = Number(headers['content-length'] ?? 0);
  const hasBody = length > 0 || headers['transfer-encoding'] !== undefined;
  refuseTooLong(length);
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

const readBytes = express.raw({ limit: BODY_LIMIT_BYTES, type: () => true });

/**
 * Keeps a body of at most 256 KiB as the bytes that came (inflated, and then counted), of any content type, with the
 * headers that tell what they are: a signature is made over bytes. The contract has nothing to check in it.
 */
export const readRawBody: RequestHandler = (req, res, next) => {
  refuseTooLong(Number(req.headers['content-length'] ?? 0));
  const headers = singleHeaders(req);
  delete req.headers['content-type'];
  readBytes(req, res, (error?: unknown) => {
    if (error !== undefined) return next(error);
    req.raw = { body: Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0), headers };
    req.body = {};
    next();
  });
};

/** For operations that take no body: whatever was sent is not looked at. */
export const ignoreBody: RequestHandler = (req, _res, next) => {
  delete req.headers['content-type'];
  next();
};

function refuseTooLong(bytes: number): void {
  if (bytes > BODY_LIMIT_BYTES) throw new ApiError('payload_too_large', 'The body is longer than 256 KiB.');
}

/** Node joins a repeated header; the one that it leaves as a list is meant for browsers. */
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
