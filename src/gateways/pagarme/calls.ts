import type { z } from 'zod';
import { endpointUrl } from '../endpoint-url';
import type { GatewayContext } from '../gateway';
import type { GatewayHttpRequest } from '../http';
import { readReply } from '../read-reply';
import { pagarmeErrorOf } from './errors';

type Query = Readonly<Record<string, string | number>>;

/** A request that changes something, with the call's idempotency key and send window. */
export async function change<Schema extends z.ZodType>(
  ctx: GatewayContext,
  {
    method,
    path,
    body,
  }: { readonly method: 'POST' | 'DELETE'; readonly path: string; readonly body: object },
  schema: Schema,
): Promise<z.output<Schema>> {
  const request = {
    method,
    url: urlOf(ctx, path),
    headers: {
      ...headersOf(ctx),
      'content-type': 'application/json',
      // https://docs.pagar.me/docs/o-que-é
      'idempotency-key': ctx.idempotencyKey,
    },
    body: JSON.stringify(body),
    sendBefore: ctx.sendBefore,
  } as const;
  return read(ctx, request, schema);
}

/** A GET has no send window, unless it is the first step of a change. */
export async function get<Schema extends z.ZodType>(
  ctx: GatewayContext,
  { path, query = {}, sendBefore = null }: ReadRequest,
  schema: Schema,
): Promise<z.output<Schema>> {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const url = `${urlOf(ctx, path)}${parameters === '' ? '' : `?${parameters}`}`;
  return read(ctx, { method: 'GET', url, headers: headersOf(ctx), sendBefore }, schema);
}

interface ReadRequest {
  /** Below `/core/v5`. */
  readonly path: string;
  readonly query?: Query;
  /** Epoch ms. */
  readonly sendBefore?: number | null;
}

async function read<Schema extends z.ZodType>(
  ctx: GatewayContext,
  request: GatewayHttpRequest,
  schema: Schema,
): Promise<z.output<Schema>> {
  const response = await ctx.http.send(request);
  if (response.status !== 200) throw pagarmeErrorOf(response);
  return readReply(response, schema);
}

function urlOf(ctx: GatewayContext, path: string): string {
  return `${endpointUrl(ctx, 'api')}/core/v5/${path}`;
}

/** https://docs.pagar.me/reference/autenticação-2: Basic, the secret key as user and no password. */
function headersOf({ secretKey }: GatewayContext): Record<string, string> {
  return {
    accept: 'application/json',
    authorization: `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`,
  };
}
