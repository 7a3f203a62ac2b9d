import { PURCHASE } from '../../../support/fixtures/purchase-data';
import type { ChargeRequest, FollowUp, GatewayContext } from '../../../../src/gateways/gateway';
import type { GatewayHttpRequest, GatewayHttpResponse } from '../../../../src/gateways/http';

/** What Pagar.me answers: a status with a body, or an error of the HTTP client. */
export type StubAnswer = { readonly status: number; readonly body: unknown } | Error;

export interface PagarmeStub {
  readonly ctx: GatewayContext;
  readonly sent: readonly GatewayHttpRequest[];
  /** As `POST orders`. */
  readonly paths: () => string[];
  readonly body: (index: number) => unknown;
}

export const SEND_BEFORE = 1_900_000_000_000;
const ORIGIN = 'http://pagarme.invalid/core/v5/';

/** A context whose requests are answered in this order; the last answer repeats. */
export function pagarmeStub(...answers: readonly StubAnswer[]): PagarmeStub {
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
    endpoints: { api: 'http://pagarme.invalid', keys: 'http://keys.invalid' },
    secretKey: 'sk_test_stub',
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
  return {
    ctx,
    sent,
    paths: () => sent.map(({ method, url }) => `${method} ${url.slice(ORIGIN.length)}`),
    body: (index) => JSON.parse(sent[index]?.body ?? 'null') as unknown,
  };
}

export const ok = (body: unknown): StubAnswer => ({ status: 200, body });
export const error = (status: number, message: string, more: object = {}): StubAnswer => ({
  status,
  body: { message, ...more },
});

export const REFERENCE = '0190a6f0-7e2c-7c3a-9b1a-2f5d1c3e4b5a-1';
export const AMOUNT = 12_990;

export function chargeRequest(changes: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    reference: REFERENCE,
    amountCents: AMOUNT,
    currency: 'BRL',
    paymentMethod: 'card',
    installments: 1,
    softDescriptor: null,
    customer: { name: 'Ana Lima', email: 'ana@example.com', document: '52998224725' },
    card: {
      number: '4000000000000010',
      cvv: '123',
      holderName: 'ANA LIMA',
      expireMonth: 3,
      expireYear: 2030,
      brand: 'visa',
    },
    billingAddress: null,
    purchase: { ...PURCHASE, payerPhone: '+5581991234567' },
    splits: [],
    pix: null,
    billet: null,
    initiation: { initiator: 'customer', reason: 'one_off' },
    ...changes,
  };
}

export const ADDRESS = {
  street: 'Rua A',
  number: '1',
  complementary: 'Apto 3',
  neighborhood: 'Centro',
  city: 'Recife',
  state: 'PE',
  zip_code: '50000-000',
};

export const PIX = {
  paymentMethod: 'pix',
  card: null,
  pix: { expiresInSeconds: 3_600, expiresAt: '2026-11-23T13:00:00.000Z', lastDay: null },
} as const;

export const BOLETO = {
  paymentMethod: 'billet',
  card: null,
  billingAddress: ADDRESS,
  // 20 September 2040 is a Thursday.
  billet: {
    dueAt: '2040-09-20',
    expiresAt: '2040-09-26T03:00:00.000Z',
    instructions: 'Não receber em cheque',
  },
} as const;

export const BANK_ACCOUNT = {
  holder_name: 'Ana Lima',
  holder_type: 'individual',
  holder_document: '52998224725',
  bank_code: '341',
  branch_number: '0001',
  account_number: '12345',
  account_check_digit: '6',
  type: 'checking',
} as const;

export function followUp(changes: Partial<FollowUp> = {}): FollowUp {
  return {
    reference: `${REFERENCE}-refund`,
    gatewayTransactionId: 'ch_1',
    amountCents: AMOUNT,
    currency: 'BRL',
    splits: [],
    reason: null,
    bankAccount: null,
    ...changes,
  };
}

/** A transaction of a card that was captured. */
export function transaction(changes: object = {}): object {
  return {
    id: 'tran_1',
    transaction_type: 'credit_card',
    operation_type: 'auth_and_capture',
    amount: AMOUNT,
    status: 'captured',
    success: true,
    created_at: '2026-11-23T12:00:00Z',
    acquirer_auth_code: '123456',
    acquirer_return_code: '00',
    gateway_response: { code: '201', errors: [] },
    antifraud_response: {},
    ...changes,
  };
}

/** A charge by card that is paid. */
export function charge(changes: object = {}): object {
  return {
    id: 'ch_1',
    code: REFERENCE,
    amount: AMOUNT,
    paid_amount: AMOUNT,
    status: 'paid',
    currency: 'BRL',
    payment_method: 'credit_card',
    created_at: '2026-11-23T12:00:00Z',
    last_transaction: transaction(),
    ...changes,
  };
}

/** As `GET /charges/{id}` shows it. */
export function shown(changes: object = {}): object {
  return { ...charge(changes), order: { id: 'or_1', code: REFERENCE } };
}

export function order(...charges: readonly object[]): object {
  return { id: 'or_1', code: REFERENCE, amount: AMOUNT, status: 'paid', charges };
}

export const listOf = (...data: readonly object[]): StubAnswer =>
  ok({ data, paging: { total: data.length } });
