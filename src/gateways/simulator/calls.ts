import type { z } from 'zod';
import { GatewayError } from '../errors';
import type { GatewayContext } from '../gateway';
import type { GatewayHttpResponse } from '../http';
import { errorReply } from './wire';

export async function post<Schema extends z.ZodType>(
  ctx: GatewayContext,
  path: string,
  body: object,
  schema: Schema,
): Promise<z.output<Schema>> {
  return read(await send(ctx, 'POST', path, JSON.stringify(body)), schema);
}

/** GET requests have no idempotency key and no send window. */
export async function get<Schema extends z.ZodType>(
  ctx: GatewayContext,
  path: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  return read(await send(ctx, 'GET', path, null), schema);
}

export function send(
  ctx: GatewayContext,
  method: 'GET' | 'POST',
  path: string,
  body: string | null,
): Promise<GatewayHttpResponse> {
  return ctx.http.send({
    method,
    url: `${ctx.baseUrl}${path}`,
    headers: {
      authorization: `Bearer ${ctx.secretKey}`,
      ...(body === null ? {} : { 'content-type': 'application/json', 'idempotency-key': ctx.idempotencyKey }),
    },
    ...(body === null ? {} : { body }),
    sendBefore: body === null ? null : ctx.sendBefore,
    timeoutMs: ctx.timeoutMs,
  });
}

/**
 * Parses the reply. Throws the error family of the status; an unreadable reply is ambiguous, since the gateway may have
 * processed the request.
 */
export function read<Schema extends z.ZodType>(
  response: GatewayHttpResponse,
  schema: Schema,
): z.output<Schema> {
  if (response.status !== 200) throw errorOf(response);
  const reply = schema.safeParse(parseJson(response.text));
  if (!reply.success) throw new GatewayError('ambiguous', 'the gateway answer was unreadable', '200');
  return reply.data;
}

function errorOf({ status, text }: GatewayHttpResponse): GatewayError {
  const parsed = errorReply.safeParse(parseJson(text));
  const code = parsed.success ? parsed.data.error.code : String(status);
  switch (status) {
    case 401:
    case 403:
      return new GatewayError('bad_credentials', 'the gateway rejected the credentials', code);
    case 429:
      return new GatewayError('rate_limited', 'the gateway limits the request rate', code);
    case 400:
    case 422:
      return new GatewayError('invalid_request', 'the gateway rejected the request as invalid', code);
    case 404:
      // A 404 with the gateway's error body is definite; one from a proxy is not.
      if (parsed.success)
        return new GatewayError('invalid_request', 'the gateway does not know the charge', code);
      break;
  }
  return new GatewayError('ambiguous', `the gateway answered ${status}`, code);
}

/** The parsed JSON; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
