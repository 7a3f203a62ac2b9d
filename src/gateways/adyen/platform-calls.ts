import type { z } from 'zod';
import { endpointUrl } from '../endpoint-url';
import { errorOf } from '../error-answers';
import { GatewayError } from '../errors';
import type { GatewayContext } from '../gateway';
import type { GatewayHttpResponse } from '../http';
import { parseJson } from '../parse-json';
import { readReply } from '../read-reply';
import { BALANCE_PLATFORM, BALANCE_PLATFORM_KEY, LEGAL_ENTITY_KEY } from './credentials';
import { isAboutRequest } from './errors';
import type { AdyenBody } from './request-bodies';
import { platformErrorReply } from './wire';

/** The Legal Entity Management API and the Configuration API: each has a host, a version and an API key of its own. */
const APIS = {
  kyc: { version: 'v4', key: LEGAL_ENTITY_KEY },
  balance: { version: 'v2', key: BALANCE_PLATFORM_KEY },
} as const;
type PlatformApi = keyof typeof APIS;

export interface PlatformPost {
  /** Below the version. */
  readonly path: string;
  readonly body: AdyenBody;
  /** Null if a repetition is to be another. */
  readonly idempotencyKey: string | null;
  readonly sendBefore: number | null;
}

/** @throws GatewayError for every answer that is not the object */
export async function platformPost<Schema extends z.ZodType>(
  ctx: GatewayContext,
  api: PlatformApi,
  { path, body, idempotencyKey, sendBefore }: PlatformPost,
  schema: Schema,
): Promise<z.output<Schema>> {
  const response = await ctx.http.send({
    method: 'POST',
    url: urlOf(ctx, api, path),
    headers: {
      ...headersOf(ctx, api),
      'content-type': 'application/json',
      ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(body),
    sendBefore,
  });
  return objectIn(response, schema);
}

/** As `platformPost`. */
export async function platformGet<Schema extends z.ZodType>(
  ctx: GatewayContext,
  api: PlatformApi,
  path: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const url = urlOf(ctx, api, path);
  const response = await ctx.http.send({
    method: 'GET',
    url,
    headers: headersOf(ctx, api),
    sendBefore: null,
  });
  return objectIn(response, schema);
}

/**
 * The name of the platform.
 *
 * @throws GatewayError `unsupported` if the account lacks a credential that recipients need
 */
export function requirePlatform({ credentials }: GatewayContext): string {
  for (const name of [BALANCE_PLATFORM, LEGAL_ENTITY_KEY, BALANCE_PLATFORM_KEY]) {
    if ((credentials[name] ?? '') === '')
      throw new GatewayError('unsupported', `the credentials have no ${name}`);
  }
  return credentials[BALANCE_PLATFORM] ?? '';
}

function urlOf(ctx: GatewayContext, api: PlatformApi, path: string): string {
  return `${endpointUrl(ctx, api)}/${APIS[api].version}/${path}`;
}

function headersOf({ credentials }: GatewayContext, api: PlatformApi): Record<string, string> {
  return { 'x-api-key': credentials[APIS[api].key] ?? '', accept: 'application/json' };
}

function objectIn<Schema extends z.ZodType>(response: GatewayHttpResponse, schema: Schema): z.output<Schema> {
  if (response.status !== 200) throw platformErrorOf(response);
  return readReply(response, schema);
}

/** Adyen's sentences and values are not repeated: they may be personal data. The names of the fields are not. */
function platformErrorOf(response: GatewayHttpResponse): GatewayError {
  const own = platformErrorReply.safeParse(parseJson(response.text)).data ?? null;
  const isOwn = own?.status === response.status && response.status >= 400;
  const ownErrorCode = () => (isOwn ? own.errorCode : null);
  const error = errorOf(response, { ownErrorCode, documentedAnswers: [] });
  if (!isOwn || error.family !== 'invalid_request') return error;
  if (!isAboutRequest(own.errorCode))
    return new GatewayError('ambiguous', `the gateway answered ${response.status}`, own.errorCode);
  const fields = own.invalidFields.filter((name) => /^[\w.[\]]{1,100}$/.test(name)).slice(0, 10);
  const about = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
  return new GatewayError('invalid_request', `Adyen refused the account${about}`, own.errorCode);
}
