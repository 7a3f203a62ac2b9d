import { createHash } from 'node:crypto';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { GatewayContext } from './gateway';
import type { GatewayAccount } from '../domain/routing/gateway-account';
import type { GatewayHttp } from './http';
import type { CallRecipient } from './recipient';
import type { GatewayRegistry } from './registry';

export interface NewGatewayCall extends GatewayAccount {
  readonly slug: GatewaySlug;
  /** In whose name the call is made, if not in the account's. */
  readonly recipient?: CallRecipient | null;
  /** Empty if nothing is changed at the gateway. */
  readonly idempotencyKey: string;
  /** Epoch ms. */
  readonly sendBefore: number;
  /** Of the whole call, in ms. */
  readonly timeoutMs: number;
}

export interface GatewayConnections {
  readonly registry: Pick<GatewayRegistry, 'driver' | 'endpoints'>;
  readonly http: GatewayHttp;
}

/** The context of one call to a driver. */
export function newGatewayContext(
  { registry, http }: GatewayConnections,
  { slug, values, clientId, recipient = null, idempotencyKey, sendBefore, timeoutMs }: NewGatewayCall,
): GatewayContext {
  const endpoints = registry.endpoints(slug);
  const account = createHash('sha256')
    .update(
      JSON.stringify([
        slug,
        endpoints,
        values,
        clientId,
        ...(recipient === null ? [] : [recipient.recipientId]),
      ]),
    )
    .digest('hex');
  const call = http.call({
    timeoutMs,
    clientCertificate: registry.driver(slug).clientCertificate?.(values) ?? null,
  });
  return {
    gateway: slug,
    endpoints,
    ...values,
    clientId,
    ...(recipient !== null && { recipient }),
    idempotencyKey,
    sendBefore,
    http: {
      send: async (request) => {
        const response = await call.send(request);
        http.accountQuotas.record(account, response);
        return response;
      },
    },
    takeInquiry: () => http.accountQuotas.takeInquiry(account),
    accessTokens: {
      get: (name, request) => http.accessTokens.get(`${account} ${name}`, request),
      forget: (name, value) => http.accessTokens.forget(`${account} ${name}`, value),
    },
  };
}
