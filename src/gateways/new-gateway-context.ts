import { createHash } from 'node:crypto';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { GatewayContext } from './gateway';
import type { GatewayAccount } from '../domain/routing/gateway-account';
import type { AskedOperation } from '../domain/routing/unrecognized-answer';
import type { GatewayHttp, GatewayHttpResponse } from './http';
import type { CallRecipient } from './recipient';
import type { GatewayRegistries } from './modes/registries';
import type { UnrecognizedAnswers } from './unrecognized/answer-buffer';
import { answerShape } from './unrecognized/answer-shape';

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
  readonly asked: Asked;
}

/** For whom a gateway is asked, and what: kept with an answer that its driver does not know. */
export interface Asked {
  readonly companyId: number;
  readonly operation: AskedOperation;
  /** Null if it is not about an attempt of a payment. */
  readonly attemptId: string | null;
}

export interface GatewayConnections {
  readonly registries: Pick<GatewayRegistries, 'of'>;
  readonly http: GatewayHttp;
  readonly unrecognizedAnswers: UnrecognizedAnswers;
}

/** The context of one call to a driver. */
export function newGatewayContext(
  { registries, http, unrecognizedAnswers }: GatewayConnections,
  { slug, values, clientId, recipient = null, idempotencyKey, sendBefore, timeoutMs, asked }: NewGatewayCall,
): GatewayContext {
  // The only place where a call gets its gateway's address: by the company for which it is made.
  const registry = registries.of(asked.companyId);
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
  const driver = registry.driver(slug);
  const call = http.call({ timeoutMs, clientCertificate: driver.clientCertificate?.(values) ?? null });
  const note = ({ status, headers, text }: GatewayHttpResponse): void => {
    const shape = answerShape(status, headers['content-type'], text);
    const known = { ...asked, gateway: slug, vendor: driver.name };
    unrecognizedAnswers.report({ ...known, ...shape, status, at: new Date() });
  };
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
        return { ...response, noteUnrecognized: () => note(response) };
      },
    },
    takeInquiry: () => http.accountQuotas.takeInquiry(account),
    accessTokens: {
      get: (name, request) => http.accessTokens.get(`${account} ${name}`, request),
      forget: (name, value) => http.accessTokens.forget(`${account} ${name}`, value),
    },
  };
}
