import { z } from 'zod';
import { endpointUrl } from '../endpoint-url';
import type { GatewayContext } from '../gateway';
import type { GatewayHttpResponse } from '../http';
import { readReply } from '../read-reply';
import { mercadoPagoErrorOf } from './errors';
import { accessTokenOf } from './sellers';

/** A request that changes something. */
export interface MercadoPagoCommand {
  readonly method: 'POST' | 'PUT';
  /** Below `/v1`. */
  readonly path: string;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Each request of a call has its own. */
  readonly idempotencyKey: string;
  /** Null if the request moves no money: it has no send window. */
  readonly sendBefore: number | null;
}

/** Asks for the network's ids of a card payment: sdk-nodejs 3.6.1, `expandResponseNodes`. The name is Mercado Pago's. */
const EXPAND = { 'x-expand-responde-nodes': 'gateway.reference' };

/** A key that Mercado Pago knows answers with the same object and 200 instead of 201. */
const SUCCESS: ReadonlySet<number> = new Set([200, 201]);

export function send(ctx: GatewayContext, command: MercadoPagoCommand): Promise<GatewayHttpResponse> {
  const { method, path, body, headers, idempotencyKey, sendBefore } = command;
  return ctx.http.send({
    method,
    url: urlOf(ctx, path),
    headers: {
      ...headersOf(ctx),
      'content-type': 'application/json',
      'x-idempotency-key': idempotencyKey,
      ...headers,
    },
    body: JSON.stringify(body),
    sendBefore,
  });
}

/** @throws GatewayError for every answer that is not the object */
export async function get<Schema extends z.ZodType>(
  ctx: GatewayContext,
  path: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const url = urlOf(ctx, path);
  return read(await ctx.http.send({ method: 'GET', url, headers: headersOf(ctx), sendBefore: null }), schema);
}

/** @throws GatewayError for every other answer than the object */
export function read<Schema extends z.ZodType>(
  response: GatewayHttpResponse,
  schema: Schema,
): z.output<Schema> {
  if (!SUCCESS.has(response.status)) throw mercadoPagoErrorOf(response);
  return readReply(response, schema);
}

interface FilesPost {
  /** Below `/v1`. */
  readonly path: string;
  readonly form: FormData;
  readonly sendBefore: number;
}

/** @throws GatewayError for every answer that is not 200 with JSON or nothing */
export async function sendFiles(ctx: GatewayContext, { path, form, sendBefore }: FilesPost): Promise<void> {
  // Encodes the form as multipart.
  const encoded = new Response(form);
  const response = await ctx.http.send({
    method: 'POST',
    url: urlOf(ctx, path),
    headers: { ...headersOf(ctx), 'content-type': encoded.headers.get('content-type') ?? '' },
    bytes: Buffer.from(await encoded.arrayBuffer()),
    sendBefore,
  });
  if (response.status !== 200) throw mercadoPagoErrorOf(response);
  if (response.text.trim() !== '')
    readReply(
      response,
      z.unknown().refine((json) => json !== undefined),
    );
}

function urlOf(ctx: GatewayContext, path: string): string {
  return `${endpointUrl(ctx, 'api')}/v1/${path}`;
}

function headersOf(ctx: GatewayContext): Record<string, string> {
  return { authorization: `Bearer ${accessTokenOf(ctx)}`, ...EXPAND };
}
