import type { ChargeRequest, FollowUp, GatewayContext } from '../../../src/gateways/gateway';
import type { GatewayHttpRequest, GatewayHttpResponse } from '../../../src/gateways/http';
import { PURCHASE } from '../../support/fixtures/purchase-data';

/** What a vendor answers: a status with a body, or an error of the HTTP client. */
export type StubAnswer = { readonly status: number; readonly body: unknown } | Error;

export interface HttpStub {
  readonly ctx: GatewayContext;
  readonly sent: readonly GatewayHttpRequest[];
  /** The statuses of answers that the driver did not recognize. */
  readonly unrecognized: readonly number[];
  /** As `POST payments`, without the vendor's address and the query. */
  readonly paths: () => string[];
  /** The JSON of a request. */
  readonly body: (index?: number) => unknown;
}

export const SEND_BEFORE = 1_900_000_000_000;
export const REFERENCE = '0190a6f0-7e2c-7c3a-9b1a-2f5d1c3e4b5a-1';

/** A context whose requests are answered in this order; the last answer repeats. `root`: where the paths of requests begin. */
export function httpStub(
  answers: readonly StubAnswer[],
  root: string,
  account: Pick<GatewayContext, 'gateway' | 'endpoints' | 'secretKey'> & Partial<GatewayContext>,
): HttpStub {
  const sent: GatewayHttpRequest[] = [];
  const unrecognized: number[] = [];
  const send = (request: GatewayHttpRequest): Promise<GatewayHttpResponse> => {
    const answer = answers[Math.min(sent.length, answers.length - 1)];
    sent.push(request);
    if (answer === undefined) throw new Error('no answer is left');
    if (answer instanceof Error) return Promise.reject(answer);
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    const noteUnrecognized = (): void => void unrecognized.push(answer.status);
    return Promise.resolve({ status: answer.status, headers: {}, text, noteUnrecognized });
  };
  const ctx: GatewayContext = {
    clientId: null,
    credentials: {},
    idempotencyKey: 'key',
    sendBefore: SEND_BEFORE,
    http: { send },
    takeInquiry: () => true,
    accessTokens: {
      get: (_, request) => request().then(({ value }) => value),
      forget: () => Promise.resolve(),
    },
    ...account,
  };
  return {
    ctx,
    sent,
    unrecognized,
    paths: () => sent.map(({ method, url }) => `${method} ${url.slice(root.length).split('?')[0] ?? ''}`),
    body: (index = 0) => JSON.parse(sent[index]?.body ?? 'null') as unknown,
  };
}

export const ok = (body: unknown): StubAnswer => ({ status: 200, body });

/** A card charge of R$ 129,90. */
export function cardRequest(changes: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    reference: REFERENCE,
    amountCents: 12_990,
    currency: 'BRL',
    paymentMethod: 'card',
    installments: 1,
    softDescriptor: null,
    customer: { name: 'Ana Lima', email: 'ana@example.com', document: '52998224725' },
    card: {
      number: '4242424242424242',
      cvv: '123',
      holderName: 'ANA LIMA',
      expireMonth: 3,
      expireYear: 2030,
      brand: 'visa',
    },
    billingAddress: null,
    purchase: PURCHASE,
    splits: [],
    pix: null,
    billet: null,
    initiation: { initiator: 'customer', reason: 'one_off' },
    ...changes,
  };
}

/** A refund of all of it. */
export function refundRequest(changes: Partial<FollowUp> = {}): FollowUp {
  return {
    reference: `${REFERENCE}-refund`,
    gatewayTransactionId: 'charge_1',
    amountCents: 12_990,
    currency: 'BRL',
    splits: [],
    reason: null,
    bankAccount: null,
    ...changes,
  };
}
