import type { z } from 'zod';
import { endpointUrl } from '../endpoint-url';
import type { GatewayContext } from '../gateway';
import type { GatewayHttpResponse } from '../http';
import { readReply } from '../read-reply';
import { asaasErrorOf } from './errors';

/** Obligatory: https://docs.asaas.com/docs/authentication-2 */
const USER_AGENT = 'payment-engine/1.0 (Node.js)';

export interface AsaasCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/v3`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** A GET with a body is answered 403: https://docs.asaas.com/docs/http-response-codes */
  readonly body?: object;
  /** Null for reads of an inquiry. */
  readonly sendBefore: number | null;
}

/** @throws GatewayError for every answer that is not the object */
export async function call<Schema extends z.ZodType>(
  ctx: GatewayContext,
  request: AsaasCall,
  schema: Schema,
): Promise<z.output<Schema>> {
  const response = await send(ctx, request);
  if (response.status !== 200) throw asaasErrorOf(response);
  return readReply(response, schema);
}

/** A read that belongs to an inquiry, or to what must be known before a request that changes something. */
export function get<Schema extends z.ZodType>(
  ctx: GatewayContext,
  path: string,
  schema: Schema,
  { query, sendBefore = null }: Partial<Pick<AsaasCall, 'query' | 'sendBefore'>> = {},
): Promise<z.output<Schema>> {
  return call(ctx, { method: 'GET', path, sendBefore, ...(query && { query }) }, schema);
}

export function send(ctx: GatewayContext, request: AsaasCall): Promise<GatewayHttpResponse> {
  const { method, path, query, body, sendBefore } = request;
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  return ctx.http.send({
    method,
    url: `${endpointUrl(ctx, 'api')}/v3/${path}${search}`,
    headers: {
      access_token: ctx.secretKey,
      'user-agent': USER_AGENT,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    sendBefore,
  });
}

export function paymentPath(id: string): string {
  return `payments/${encodeURIComponent(id)}`;
}
