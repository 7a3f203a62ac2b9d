import type { z } from 'zod';
import { endpointUrl } from '../endpoint-url';
import { GatewayError } from '../errors';
import type { GatewayContext } from '../gateway';
import type { GatewayHttpResponse } from '../http';
import { readReply } from '../read-reply';
import { cieloErrorOf } from './errors';
import { type CieloSaleReply, saleReply } from './wire';

/** "Arquitetura da integração": one host changes something, the other only reads. */
type CieloEndpoint = 'api' | 'query';

interface CieloRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below `/1`. */
  readonly path: string;
  readonly body?: object;
  /** A GUID of ours, which Cielo takes as a label of the request. */
  readonly requestId?: string;
}

/** A request that changes something. */
export function change(ctx: GatewayContext, request: CieloRequest): Promise<GatewayHttpResponse> {
  return send(ctx, 'api', request, ctx.sendBefore);
}

/** A read. `sendBefore`: of one that belongs to a request that changes something. */
export async function read<Schema extends z.ZodType>(
  ctx: GatewayContext,
  path: string,
  schema: Schema,
  sendBefore: number | null = null,
): Promise<z.output<Schema>> {
  const response = await send(ctx, 'query', { method: 'GET', path }, sendBefore);
  if (response.status !== 200) throw cieloErrorOf(response);
  return readReply(response, schema);
}

export function readSale(
  ctx: GatewayContext,
  paymentId: string,
  sendBefore: number | null = null,
): Promise<CieloSaleReply> {
  return read(ctx, salePath(paymentId), saleReply, sendBefore);
}

export function salePath(paymentId: string): string {
  return `sales/${encodeURIComponent(paymentId)}`;
}

function send(
  ctx: GatewayContext,
  endpoint: CieloEndpoint,
  { method, path, body, requestId }: CieloRequest,
  sendBefore: number | null,
): Promise<GatewayHttpResponse> {
  if (ctx.clientId === null)
    throw new GatewayError('bad_credentials', 'the credentials have no MerchantId (client_id)');
  return ctx.http.send({
    method,
    url: `${endpointUrl(ctx, endpoint)}/1/${path}`,
    headers: {
      // Obligatory, even without a body.
      'content-type': 'application/json',
      MerchantId: ctx.clientId,
      MerchantKey: ctx.secretKey,
      ...(requestId !== undefined && { RequestId: requestId }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    sendBefore,
  });
}
