import type { z } from 'zod';
import type { AccountFeature } from '../../domain/routing/learned-limits';
import { endpointUrl } from '../endpoint-url';
import type { GatewayContext } from '../gateway';
import type { GatewayHttpResponse } from '../http';
import { readReply } from '../read-reply';
import { ownFailure, stripeErrorOf, type StripeFailure } from './errors';
import { encodeForm, type RequestParams } from './form';
import { API_VERSION } from './wire';

/** A POST. */
export interface StripePost {
  /** Below `/v1`. */
  readonly path: string;
  readonly params: RequestParams;
  /** Each request of a call has its own; null for one whose repetition is to be another. */
  readonly idempotencyKey: string | null;
  /** Null if the request moves no money: it has no send window. */
  readonly sendBefore: number | null;
  /** What the account lacks if Stripe answers that it has not activated the payment method. */
  readonly feature?: AccountFeature;
}

/** @throws GatewayError for every answer that is not the object */
export async function post<Schema extends z.ZodType>(
  ctx: GatewayContext,
  request: StripePost,
  schema: Schema,
): Promise<z.output<Schema>> {
  const response = await send(ctx, request);
  return readObject(response, schema, request.feature);
}

/** As `post`, but a 402 is a result: the request was valid and the payment failed. */
export async function postPayment<Schema extends z.ZodType>(
  ctx: GatewayContext,
  request: StripePost,
  schema: Schema,
): Promise<{ readonly object: z.output<Schema> } | { readonly failure: StripeFailure }> {
  const response = await send(ctx, request);
  const failure = response.status === 402 ? ownFailure(response) : null;
  return failure !== null && failure.error.type === 'card_error'
    ? { failure }
    : { object: readObject(response, schema, request.feature) };
}

/** A GET has no idempotency key and no send window. */
export async function get<Schema extends z.ZodType>(
  ctx: GatewayContext,
  path: string,
  query: RequestParams,
  schema: Schema,
): Promise<z.output<Schema>> {
  const response = await ctx.http.send({
    method: 'GET',
    url: `${endpointUrl(ctx, 'api')}/v1/${path}?${encodeForm(query)}`,
    headers: headersOf(ctx),
    sendBefore: null,
  });
  return readObject(response, schema);
}

/** Uploads a file. It moves no money, and a repetition makes another file that nobody uses: it has no send window. */
export async function uploadFile<Schema extends z.ZodType>(
  ctx: GatewayContext,
  form: FormData,
  schema: Schema,
): Promise<z.output<Schema>> {
  // Encodes the form as multipart.
  const encoded = new Response(form);
  const response = await ctx.http.send({
    method: 'POST',
    url: `${endpointUrl(ctx, 'files')}/v1/files`,
    headers: {
      ...headersOf(ctx),
      'content-type': encoded.headers.get('content-type') ?? '',
      'idempotency-key': ctx.idempotencyKey,
    },
    bytes: Buffer.from(await encoded.arrayBuffer()),
    sendBefore: null,
  });
  return readObject(response, schema);
}

function send(ctx: GatewayContext, request: StripePost): Promise<GatewayHttpResponse> {
  return ctx.http.send({
    method: 'POST',
    url: `${endpointUrl(ctx, 'api')}/v1/${request.path}`,
    headers: {
      ...headersOf(ctx),
      'content-type': 'application/x-www-form-urlencoded',
      ...(request.idempotencyKey !== null && { 'idempotency-key': request.idempotencyKey }),
    },
    body: encodeForm(request.params),
    sendBefore: request.sendBefore,
  });
}

/** The version is pinned: without it Stripe answers in the version that the account was created with. */
function headersOf({ secretKey }: GatewayContext): Record<string, string> {
  return { authorization: `Bearer ${secretKey}`, 'stripe-version': API_VERSION };
}

function readObject<Schema extends z.ZodType>(
  response: GatewayHttpResponse,
  schema: Schema,
  feature?: AccountFeature,
): z.output<Schema> {
  if (response.status !== 200) throw stripeErrorOf(response, feature);
  return readReply(response, schema);
}
