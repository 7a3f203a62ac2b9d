import { json, Router, type RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '../../domain/shared/errors';

/** A Temporal payload. */
interface Payload {
  metadata?: Record<string, Uint8Array> | null;
  data?: Uint8Array | null;
}

export interface PayloadReader {
  /** @throws if a payload cannot be decrypted */
  read(payloads: readonly Payload[]): Payload[];
}

const MAX_BODY = '2mb';

/** The format of the protocol: bytes in base64. */
const decodeRequest = z.object({
  payloads: z.array(
    z.object({ metadata: z.record(z.string(), z.base64()).nullish(), data: z.base64().nullish() }),
  ),
});
type WirePayload = z.infer<typeof decodeRequest>['payloads'][number];

/**
 * The decoding half of Temporal's remote codec protocol, with which the Temporal UI shows encrypted payloads (POST `/decode`
 * with `{payloads: [...]}`). It decrypts workflow histories, so only pages of `allowedOrigin` can read its answers, and
 * `guard` restricts it to support staff unless it is reachable only from this machine. It encodes nothing: a client that
 * could encrypt a payload could send messages to a workflow as this service.
 */
export function codecEndpoint(reader: PayloadReader, allowedOrigin: string, guard?: RequestHandler): Router {
  const router = Router();
  router.use((request, response, next) => {
    response.set({
      'Access-Control-Allow-Origin': allowedOrigin,
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Allow-Headers': 'content-type,x-namespace,authorization',
      'Access-Control-Allow-Methods': 'POST,OPTIONS',
      Vary: 'Origin',
    });
    if (request.method === 'OPTIONS') response.sendStatus(204);
    else next();
  });
  if (guard) router.use(guard);
  router.use(json({ limit: MAX_BODY }));
  router.post('/decode', (request, response) => {
    response.json({ payloads: readPayloads(reader, request.body).map(toWire) });
  });
  return router;
}

/** @throws ApiError `malformed_request` for a body that is not of the protocol or holds a payload that cannot be decrypted */
function readPayloads(reader: PayloadReader, body: unknown): Payload[] {
  const parsed = decodeRequest.safeParse(body);
  if (!parsed.success)
    throw new ApiError('malformed_request', 'The body is not a list of Temporal payloads.');
  try {
    return reader.read(parsed.data.payloads.map(fromWire));
  } catch {
    throw new ApiError('malformed_request', 'A payload cannot be decrypted.');
  }
}

function fromWire({ metadata, data }: WirePayload): Payload {
  const entries = Object.entries(metadata ?? {}).map(
    ([name, value]) => [name, Buffer.from(value, 'base64')] as const,
  );
  return { metadata: Object.fromEntries(entries), data: Buffer.from(data ?? '', 'base64') };
}

function toWire({ metadata, data }: Payload): WirePayload {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)] as const);
  return { metadata: Object.fromEntries(entries), data: base64(data ?? new Uint8Array()) };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
