import type { z } from 'zod';
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

function urlOf(ctx: GatewayContext, path: string): string {
  return `${endpointUrl(ctx, 'api')}/v1/${path}`;
}

function headersOf(ctx: GatewayContext): Record<string, string> {
  return { authorization: `Bearer ${accessTokenOf(ctx)}`, ...EXPAND };
}
