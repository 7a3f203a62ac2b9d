import { json, Router, type Request, type RequestHandler, type Response } from 'express';

/** A Temporal payload in JSON: bytes in base64. */
interface WirePayload {
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly data?: string | null;
}
/** A Temporal payload. */
interface Payload {
  metadata?: Record<string, Uint8Array> | null;
  data?: Uint8Array | null;
}
export interface PayloadCodec {
  encode(payloads: Payload[]): Promise<Payload[]>;
  decode(payloads: Payload[]): Promise<Payload[]>;
}

const MAX_BODY = '2mb';

/**
 * Temporal's remote codec endpoint, with which the Temporal UI shows encrypted payloads (POST `/encode` and `/decode` with
 * `{payloads: [...]}`). It decrypts workflow histories, so only pages of `allowedOrigin` can read its answers, and `guard`
 * restricts it to support staff unless it is reachable only from this machine.
 */
export function codecEndpoint(codec: PayloadCodec, allowedOrigin: string, guard?: RequestHandler): Router {
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
  router.post('/decode', (request, response) =>
    translate(request, response, (payloads) => codec.decode(payloads)),
  );
  router.post('/encode', (request, response) =>
    translate(request, response, (payloads) => codec.encode(payloads)),
  );
  return router;
}

async function translate(
  request: Request,
  response: Response,
  convert: (payloads: Payload[]) => Promise<Payload[]>,
): Promise<void> {
  const { payloads = [] } = request.body as { payloads?: WirePayload[] };
  const converted = await convert(payloads.map(fromWire));
  response.json({ payloads: converted.map(toWire) });
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
