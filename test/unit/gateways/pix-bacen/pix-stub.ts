import { GatewayAccessTokens } from '../../../../src/gateways/gateway-access-tokens';
import type { ChargeRequest, FollowUp, GatewayContext } from '../../../../src/gateways/gateway';
import type { GatewayHttpRequest, GatewayHttpResponse } from '../../../../src/gateways/http';
import { PURCHASE } from '../../../support/fixtures/purchase-data';

/** What a bank answers: a status with a body, or an error of the HTTP client. */
export type StubAnswer =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  | Error;

export interface PixStub {
  readonly ctx: GatewayContext;
  /** Without the requests for tokens. */
  readonly sent: readonly GatewayHttpRequest[];
  readonly tokenRequests: readonly GatewayHttpRequest[];
  /** As `PUT cob/7b2..`. */
  readonly paths: () => string[];
  readonly body: (index: number) => unknown;
}

export const SEND_BEFORE = 4_000_000_000_000;
const API = 'https://pix.invalid/v2/';
export const TOKEN_URL = 'https://login.invalid/oauth/token';

interface StubOptions {
  readonly token?: StubAnswer;
  readonly sendBefore?: number;
}

/** A context whose requests are answered in this order; the last answer repeats. Each token request gets a token of its own. */
export function pixStub(
  answers: readonly StubAnswer[],
  { token, sendBefore = SEND_BEFORE }: StubOptions = {},
): PixStub {
  const sent: GatewayHttpRequest[] = [];
  const tokenRequests: GatewayHttpRequest[] = [];
  const send = (request: GatewayHttpRequest): Promise<GatewayHttpResponse> => {
    if (request.url === TOKEN_URL) {
      tokenRequests.push(request);
      return answered(token ?? ok({ access_token: `token-${tokenRequests.length}`, expires_in: 3_600 }));
    }
    const answer = answers[Math.min(sent.length, answers.length - 1)];
    sent.push(request);
    if (answer === undefined) throw new Error('no answer is left');
    return answered(answer);
  };
  const ctx: GatewayContext = {
    gateway: 'gateway_5',
    endpoints: { api: API.slice(0, -1), oauth: TOKEN_URL },
    secretKey: 'client-secret',
    clientId: 'client-id',
    credentials: { certificate: '', private_key: '', pix_key: PIX_KEY },
    idempotencyKey: 'key',
    sendBefore,
    http: { send },
    takeInquiry: () => true,
    accessTokens: new GatewayAccessTokens(),
  };
  return {
    ctx,
    sent,
    tokenRequests,
    paths: () => sent.map(({ method, url }) => `${method} ${url.slice(API.length)}`),
    body: (index) => JSON.parse(sent[index]?.body ?? 'null') as unknown,
  };
}

function answered(answer: StubAnswer): Promise<GatewayHttpResponse> {
  if (answer instanceof Error) return Promise.reject(answer);
  const { status, body, headers = {} } = answer;
  return Promise.resolve({ status, headers, text: typeof body === 'string' ? body : JSON.stringify(body) });
}

export const ok = (body: unknown): StubAnswer => ({ status: 200, body });
export const problem = (status: number, name: string): StubAnswer => ({
  status,
  body: { type: `https://pix.bcb.gov.br/api/v2/error/${name}`, title: 'Erro', status },
});

export const PIX_KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';
export const REFERENCE = '0190a6f0-7e2c-7c3a-9b1a-2f5d1c3e4b5a-1';
/** The references in base 36: 26 characters, and with an operation 28. */
export const TXID = '03c2w4li898af6pfajkkk9p3u1';
export const END_TO_END_ID = 'E12345678202009091221abcdef12345';

export function chargeRequest(changes: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    reference: REFERENCE,
    amountCents: 12_990,
    currency: 'BRL',
    paymentMethod: 'pix',
    installments: 1,
    softDescriptor: null,
    customer: { name: 'Ana Lima', email: 'ana@example.com', document: '52998224725' },
    card: null,
    billingAddress: null,
    purchase: PURCHASE,
    splits: [],
    pix: { expiresInSeconds: 3_600, expiresAt: '2099-01-01T00:00:00.000Z', lastDay: null },
    billet: null,
    initiation: { initiator: 'customer', reason: 'one_off' },
    ...changes,
  };
}

export function followUp(txid: string, changes: Partial<FollowUp> = {}): FollowUp {
  return {
    reference: `${REFERENCE}-refund`,
    gatewayTransactionId: txid,
    amountCents: 12_990,
    currency: 'BRL',
    splits: [],
    reason: null,
    bankAccount: null,
    ...changes,
  };
}

/** An unpaid charge. */
export function cob(txid: string, changes: object = {}): object {
  return {
    calendario: { criacao: '2098-12-31T23:00:00.358Z', expiracao: 3_600 },
    txid,
    revisao: 0,
    loc: { id: 789, location: 'pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25', tipoCob: 'cob' },
    location: 'pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25',
    status: 'ATIVA',
    valor: { original: '129.90' },
    chave: PIX_KEY,
    ...changes,
  };
}

export function paid(txid: string, changes: object = {}, transfer: object = {}): object {
  const pix = [
    { endToEndId: END_TO_END_ID, txid, valor: '129.90', horario: '2026-05-04T12:00:00.000Z', ...transfer },
  ];
  return cob(txid, { status: 'CONCLUIDA', pix, ...changes });
}

export function devolucao(id: string, changes: object = {}): object {
  return {
    id,
    rtrId: 'D12345678202009091000abcde123456',
    valor: '129.90',
    horario: { solicitacao: '2026-05-04T12:30:00.000Z' },
    status: 'DEVOLVIDO',
    ...changes,
  };
}
