import type { z } from 'zod';
import { endpointUrl } from '../endpoint-url';
import { GatewayError, NOT_SENT_LOCALLY } from '../errors';
import type { GatewayAccessToken } from '../gateway-access-tokens';
import type { GatewayContext } from '../gateway';
import type { GatewayHttpResponse } from '../http';
import { parseJson } from '../parse-json';
import { readReply } from '../read-reply';
import { pixErrorOf, problemOf } from './errors';
import { oauthError, tokenReply } from './wire';

/** `securitySchemes` of the Pix API 2.9.0. */
const SCOPE = 'cob.write cob.read pix.write pix.read';
const TOKEN = 'api';

/** RFC 6749, section 5.2: what the client's credentials are to blame for. */
const CREDENTIAL_ERRORS: ReadonlySet<string> = new Set([
  'access_denied',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
]);

export interface PixApiRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH';
  /** Below the API's address. */
  readonly path: string;
  readonly body?: object;
}

/**
 * Sends a request with the account's access token. A change has the call's send window.
 *
 * @throws GatewayError for every answer that is not the object
 */
export async function call<Schema extends z.ZodType>(
  ctx: GatewayContext,
  request: PixApiRequest,
  schema: Schema,
): Promise<z.output<Schema>> {
  const response = await authorized(ctx, request);
  if (response.status !== 200 && response.status !== 201) throw pixErrorOf(response);
  return readReply(response, schema);
}

/** Before the first request of an operation, so that reading before it is not in vain. */
export function requireSendWindow({ sendBefore }: GatewayContext): void {
  if (Date.now() > sendBefore)
    throw new GatewayError('not_sent', 'the send window had passed', NOT_SENT_LOCALLY);
}

/** A token can be revoked before it expires. What was refused for its token had no effect, so it is sent once more. */
async function authorized(ctx: GatewayContext, request: PixApiRequest): Promise<GatewayHttpResponse> {
  const token = await accessToken(ctx);
  const response = await send(ctx, request, token);
  if (!isTokenRefused(response)) return response;
  await ctx.accessTokens.forget(TOKEN, token);
  const repeated = await send(ctx, request, await accessToken(ctx));
  if (isTokenRefused(repeated))
    throw new GatewayError('bad_credentials', 'the gateway rejected its own access token', 'invalid_token');
  return repeated;
}

function send(
  ctx: GatewayContext,
  { method, path, body }: PixApiRequest,
  token: string,
): Promise<GatewayHttpResponse> {
  return ctx.http.send({
    method,
    url: `${endpointUrl(ctx, 'api')}/${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    sendBefore: method === 'GET' ? null : ctx.sendBefore,
  });
}

/** RFC 6750, section 3.1: the resource server says so in the header, many banks also in the body. */
function isTokenRefused({ status, headers, text }: GatewayHttpResponse): boolean {
  if (status !== 401) return false;
  if (/\berror="?invalid_token\b/.test(headers['www-authenticate'] ?? '')) return true;
  const body = oauthError.safeParse(parseJson(text));
  return body.success && body.data.error === 'invalid_token';
}

function accessToken(ctx: GatewayContext): Promise<string> {
  return ctx.accessTokens.get(TOKEN, () => requestToken(ctx));
}

/** RFC 6749, section 4.4, with the client certificate of the call. No money moves, so a lost answer is a failure. */
async function requestToken(ctx: GatewayContext): Promise<GatewayAccessToken> {
  const response = await sendTokenRequest(ctx);
  const reply = response.status === 200 ? tokenReply.safeParse(parseJson(response.text)) : null;
  if (reply?.success === true)
    return { value: reply.data.access_token, expiresInMs: reply.data.expires_in * 1000 };
  const failure = oauthError.safeParse(parseJson(response.text));
  const code = failure.success ? failure.data.error : problemOf(response);
  const isRefusal = CREDENTIAL_ERRORS.has(code ?? '') && [400, 401, 403].includes(response.status);
  if (isRefusal || code === 'AcessoNegado')
    throw new GatewayError('bad_credentials', 'the gateway rejected the credentials', code);
  if (code === null) response.noteUnrecognized?.();
  throw noToken(code ?? String(response.status));
}

async function sendTokenRequest(ctx: GatewayContext): Promise<GatewayHttpResponse> {
  // RFC 6749, section 2.3.1: both parts are encoded as in a form.
  const [user, password] = [ctx.clientId ?? '', ctx.secretKey].map(formEncoded);
  try {
    return await ctx.http.send({
      method: 'POST',
      url: tokenUrl(ctx),
      headers: {
        authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPE }).toString(),
      sendBefore: null,
    });
  } catch (error) {
    if (error instanceof GatewayError && error.family === 'ambiguous') throw noToken(error.code);
    throw error;
  }
}

/** A bank's address may end in another way, so a deployment can give the whole of it. */
function tokenUrl(ctx: GatewayContext): string {
  const url = endpointUrl(ctx, 'oauth');
  return url.endsWith('/token') ? url : `${url}/token`;
}

function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

function noToken(code: string | null): GatewayError {
  return new GatewayError('not_sent', 'the gateway gave no access token', code);
}
