import type { z } from 'zod';
import { endpointUrl } from '../endpoint-url';
import { ACCOUNT_FEATURES } from '../../domain/routing/learned-limits';
import { errorOf, type ErrorAnswers, type LackedFeature } from '../error-answers';
import type { GatewayContext } from '../gateway';
import type { GatewayHttpResponse } from '../http';
import { parseJson } from '../parse-json';
import { readReply } from '../read-reply';
import {
  chargeReply,
  type ChargeReply,
  ERROR_STATUSES,
  errorReply,
  SCRIPTED_ERROR,
  type SimulatorErrorCode,
} from './wire';
import { GatewayError } from '../errors';

const ERROR_ANSWERS: ErrorAnswers = { ownErrorCode, documentedAnswers: [], lackedFeature };

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

/** Null if the gateway itself answers that it does not know the id. */
export async function getCharge(ctx: GatewayContext, id: string): Promise<ChargeReply | null> {
  try {
    return await get(ctx, `/charges/${encodeURIComponent(id)}`, chargeReply);
  } catch (error) {
    if (error instanceof GatewayError && error.code === ('not_found' satisfies SimulatorErrorCode))
      return null;
    throw error;
  }
}

function send(
  ctx: GatewayContext,
  method: 'GET' | 'POST',
  path: string,
  body: string | null,
): Promise<GatewayHttpResponse> {
  return ctx.http.send({
    method,
    url: `${endpointUrl(ctx, 'api')}${path}`,
    headers: {
      authorization: `Bearer ${ctx.secretKey}`,
      ...(body === null ? {} : { 'content-type': 'application/json', 'idempotency-key': ctx.idempotencyKey }),
    },
    ...(body === null ? {} : { body }),
    sendBefore: body === null ? null : ctx.sendBefore,
  });
}

/**
 * Parses the reply. Throws the family of the gateway's own error; any other reply is ambiguous, since the gateway may
 * have processed the request.
 */
function read<Schema extends z.ZodType>(response: GatewayHttpResponse, schema: Schema): z.output<Schema> {
  if (response.status !== 200) throw errorOf(response, ERROR_ANSWERS);
  return readReply(response, schema);
}

/** An error counts as the gateway's own if it has a known code with the status of that code. */
function ownErrorCode({ status, text }: GatewayHttpResponse): string | null {
  const reply = errorReply.safeParse(parseJson(text));
  if (!reply.success) return null;
  const { code } = reply.data.error;
  return code === SCRIPTED_ERROR || ERROR_STATUSES[code] === status ? code : null;
}

function lackedFeature({ text }: GatewayHttpResponse): LackedFeature | null {
  const { data } = errorReply.safeParse(parseJson(text));
  const feature = ACCOUNT_FEATURES.find((one) => data?.error.code === `${one}_disabled`);
  return feature === undefined || data === undefined ? null : { feature, message: data.error.message };
}
