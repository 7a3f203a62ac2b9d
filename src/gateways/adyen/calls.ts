import type { z } from 'zod';
import { endpointUrl } from '../endpoint-url';
import { GatewayError } from '../errors';
import type { GatewayContext } from '../gateway';
import type { GatewayHttpResponse } from '../http';
import { readReply } from '../read-reply';
import { MERCHANT_ACCOUNT, LIVE_PREFIX, LIVE_PREFIX_SHAPE } from './credentials';
import { adyenErrorOf, type AskedPayment } from './errors';
import type { AdyenBody } from './request-bodies';
import { API_VERSION } from './wire';

export interface AdyenPost {
  /** Below the version. */
  readonly path: string;
  readonly body: AdyenBody;
  /** Null if the request has no effect. */
  readonly idempotencyKey: string | null;
  /** Null if the request moves no money: it has no send window. */
  readonly sendBefore: number | null;
}

/** @throws GatewayError `bad_credentials` before a request is sent if a value of the credentials is missing */
export function post(ctx: GatewayContext, request: AdyenPost): Promise<GatewayHttpResponse> {
  const { path, body, idempotencyKey, sendBefore } = request;
  return ctx.http.send({
    method: 'POST',
    url: `${baseUrl(ctx)}/${API_VERSION}/${path}`,
    headers: {
      'x-api-key': ctx.secretKey,
      'content-type': 'application/json',
      accept: 'application/json',
      ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify({ ...body, merchantAccount: merchantAccountOf(ctx) }),
    sendBefore,
  });
}

/**
 * The object of an answer with the status of a success.
 *
 * @param method of a new payment, about which some errors say what the account lacks
 * @throws GatewayError for every other answer
 */
export function readSuccess<Schema extends z.ZodType>(
  response: GatewayHttpResponse,
  { status, schema }: { readonly status: number; readonly schema: Schema },
  payment: AskedPayment | null = null,
): z.output<Schema> {
  if (response.status !== status) throw adyenErrorOf(response, payment);
  return readReply(response, schema);
}

/** @throws GatewayError `bad_credentials` */
export function merchantAccountOf({ credentials }: GatewayContext): string {
  const account = credentials[MERCHANT_ACCOUNT] ?? '';
  if (account === '')
    throw new GatewayError('bad_credentials', `the credentials have no ${MERCHANT_ACCOUNT}`);
  return account;
}

/** The host of all merchants, without their prefixes. */
const LIVE_HOST = 'checkout-live.adyenpayments.com';

/**
 * Each company has a live address of its own: https://docs.adyen.com/development-resources/live-endpoints. At any other address, as
 * the test environment's, the prefix is not used.
 */
function baseUrl(ctx: GatewayContext): string {
  const url = endpointUrl(ctx, 'api');
  if (new URL(url).hostname !== LIVE_HOST) return url;
  const prefix = ctx.credentials[LIVE_PREFIX] ?? '';
  if (!LIVE_PREFIX_SHAPE.test(prefix)) {
    throw new GatewayError('bad_credentials', `the credentials have no ${LIVE_PREFIX}`);
  }
  return url.replace(LIVE_HOST, `${prefix}-${LIVE_HOST}`);
}
