import { PURCHASE } from '../../../support/fixtures/purchase-data';
import type { ChargeRequest, FollowUp, GatewayContext } from '../../../../src/gateways/gateway';
import type { GatewayHttpRequest, GatewayHttpResponse } from '../../../../src/gateways/http';

/** What Mercado Pago answers: a status with a body, or an error of the HTTP client. */
export type StubAnswer = { readonly status: number; readonly body: unknown } | Error;

export interface MercadoPagoStub {
  readonly ctx: GatewayContext;
  readonly sent: readonly GatewayHttpRequest[];
  /** As `POST payments`. */
  readonly paths: () => string[];
  readonly body: (index: number) => Record<string, unknown>;
}

export const SEND_BEFORE = 1_900_000_000_000;
const ORIGIN = 'http://mercadopago.invalid/v1/';

/** A context whose requests are answered in this order; the last answer repeats. */
export function mercadoPagoStub(...answers: readonly StubAnswer[]): MercadoPagoStub {
  const sent: GatewayHttpRequest[] = [];
  const send = (request: GatewayHttpRequest): Promise<GatewayHttpResponse> => {
    const answer = answers[Math.min(sent.length, answers.length - 1)];
    sent.push(request);
    if (answer === undefined) throw new Error('no answer is left');
    if (answer instanceof Error) return Promise.reject(answer);
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    return Promise.resolve({ status: answer.status, headers: {}, text });
  };
  const ctx: GatewayContext = {
    gateway: 'gateway_1',
    endpoints: { api: 'http://mercadopago.invalid' },
    secretKey: 'TEST-stub',
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
  };
  const pathOf = (url: string): string => url.slice(ORIGIN.length).split('?')[0] ?? '';
  return {
    ctx,
    sent,
    paths: () => sent.map(({ method, url }) => `${method} ${pathOf(url)}`),
    body: (index) => JSON.parse(sent[index]?.body ?? '{}') as Record<string, unknown>,
  };
}

export const ok = (body: unknown): StubAnswer => ({ status: 200, body });
export const created = (body: unknown): StubAnswer => ({ status: 201, body });
/** Mercado Pago's own error, with the codes of its causes. */
export const failure = (status: number, ...codes: readonly (number | string)[]): StubAnswer => ({
  status,
  body: {
    message: 'no',
    error: 'bad_request',
    status,
    cause: codes.map((code) => ({ code, description: 'no', data: null })),
  },
});

export const REFERENCE = '0190a6f0-7e2c-7c3a-9b1a-2f5d1c3e4b5a-1';
export const TOKEN = created({ id: 'a78sd6f1a9s8d7f1a', status: 'active', luhn_validation: true });

export const ADDRESS = {
  street: 'Rua A',
  number: '1',
  neighborhood: 'Centro',
  city: 'Recife',
  state: 'PE',
  zip_code: '50000000',
};

export function chargeRequest(changes: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    reference: REFERENCE,
    amountCents: 12_990,
    currency: 'BRL',
    paymentMethod: 'card',
    installments: 1,
    softDescriptor: null,
    customer: { name: 'Ana Lima', email: 'ana@example.com', document: '52998224725' },
    card: {
      number: '5031433215406351',
      cvv: '123',
      holderName: 'ANA LIMA',
      expireMonth: 3,
      expireYear: 2030,
      brand: 'mastercard',
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

export const PIX_REQUEST = {
  paymentMethod: 'pix',
  card: null,
  pix: { expiresInSeconds: 3_600, expiresAt: '2100-01-02T03:04:05.678Z', lastDay: null },
} as const;
export const BILLET_REQUEST = {
  paymentMethod: 'billet',
  card: null,
  billingAddress: ADDRESS,
  billet: { dueAt: '2030-03-05', expiresAt: '2030-03-07T03:00:00.000Z', instructions: null },
} as const;

export function followUp(changes: Partial<FollowUp> = {}): FollowUp {
  return {
    reference: `${REFERENCE}-refund`,
    gatewayTransactionId: '1',
    amountCents: 12_990,
    currency: 'BRL',
    splits: [],
    reason: null,
    bankAccount: null,
    ...changes,
  };
}

/** A payment whose card was charged. */
export function payment(changes: object = {}): object {
  return {
    id: 1,
    status: 'approved',
    status_detail: 'accredited',
    payment_method_id: 'master',
    payment_type_id: 'credit_card',
    currency_id: 'BRL',
    transaction_amount: 129.9,
    transaction_amount_refunded: 0,
    external_reference: REFERENCE,
    authorization_code: '301299',
    date_created: '2030-01-10T10:10:10.000-04:00',
    date_of_expiration: null,
    refunds: [],
    expanded: { gateway: { reference: { network_transaction_id: '999' } } },
    ...changes,
  };
}

export const PIX = {
  status: 'pending',
  status_detail: 'pending_waiting_transfer',
  payment_method_id: 'pix',
  payment_type_id: 'bank_transfer',
  authorization_code: null,
  expanded: null,
  date_of_expiration: '2030-01-11T10:10:10.000-04:00',
  point_of_interaction: { transaction_data: { qr_code: '00020126', ticket_url: 'https://example.com' } },
};

const BARCODE = '00196758600001026560000001149718606852452211';
export const BILLET = {
  status: 'pending',
  status_detail: 'pending_waiting_payment',
  payment_method_id: 'bolbradesco',
  payment_type_id: 'ticket',
  authorization_code: null,
  expanded: null,
  date_of_expiration: '2030-03-05T23:59:59.000-03:00',
  transaction_details: { external_resource_url: 'https://example.com/b', barcode: { content: BARCODE } },
};

export function refund(changes: object = {}): object {
  return { id: 7, payment_id: 1, amount: 129.9, status: 'approved', ...changes };
}
