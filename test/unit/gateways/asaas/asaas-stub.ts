import { customerKey } from '../../../../src/gateways/asaas/customers';
import type { ChargeRequest, FollowUp, GatewayContext } from '../../../../src/gateways/gateway';
import type { GatewayHttpRequest, GatewayHttpResponse } from '../../../../src/gateways/http';

/** What Asaas answers: a status with a body, or an error of the HTTP client. */
export type StubAnswer = { readonly status: number; readonly body: unknown } | Error;

export interface AsaasStub {
  readonly ctx: GatewayContext;
  readonly sent: readonly GatewayHttpRequest[];
  /** As `POST payments`. */
  readonly paths: () => string[];
  /** The JSON of a request. */
  readonly body: (index: number) => unknown;
}

export const SEND_BEFORE = 1_900_000_000_000;
const ORIGIN = 'http://asaas.invalid/v3/';

/** A context whose requests are answered in this order; the last answer repeats. */
export function asaasStub(...answers: readonly StubAnswer[]): AsaasStub {
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
    gateway: 'gateway_2',
    endpoints: { api: 'http://asaas.invalid' },
    secretKey: '$aact_hmlg_stub',
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
    body: (index) => JSON.parse(sent[index]?.body ?? 'null') as unknown,
  };
}

export const ok = (body: unknown): StubAnswer => ({ status: 200, body });
export const error = (status: number, code: string, description = 'Erro.'): StubAnswer => ({
  status,
  body: { errors: [{ code, description }] },
});
export const list = (...data: readonly unknown[]): StubAnswer =>
  ok({ object: 'list', hasMore: false, totalCount: data.length, limit: 10, offset: 0, data });

export const REFERENCE = '0190a6f0-7e2c-7c3a-9b1a-2f5d1c3e4b5a-1';
const CUSTOMER = { name: 'Ana Lima', email: 'ana@example.com', document: '52998224725' };
/** The answer about a customer who is known. */
export const KNOWN_CUSTOMER = list(customer());

export function customer(changes: object = {}): object {
  const externalReference = customerKey(CUSTOMER);
  return { object: 'customer', id: 'cus_1', externalReference, deleted: false, ...changes };
}

export const ADDRESS = {
  street: 'Rua A',
  number: '1',
  complementary: 'Sala 2',
  neighborhood: 'Centro',
  city: 'Recife',
  state: 'PE',
  zip_code: '50000000',
};

export const PURCHASE: ChargeRequest['purchase'] = {
  payerIp: '203.0.113.10',
  payerPhone: '+5581998765432',
  description: 'Pedido 7',
  items: [],
  returnUrl: null,
  origin: 'api',
};

export function chargeRequest(changes: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    reference: REFERENCE,
    amountCents: 12_990,
    currency: 'BRL',
    paymentMethod: 'card',
    installments: 1,
    softDescriptor: null,
    customer: CUSTOMER,
    card: {
      number: '4242424242424242',
      cvv: '123',
      holderName: 'ANA LIMA',
      expireMonth: 3,
      expireYear: 2030,
      brand: 'visa',
    },
    billingAddress: ADDRESS,
    purchase: PURCHASE,
    splits: [],
    pix: null,
    billet: null,
    initiation: { initiator: 'customer', reason: 'one_off' },
    ...changes,
  };
}

export const pixRequest = (changes: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({
    paymentMethod: 'pix',
    card: null,
    pix: { expiresInSeconds: 3_600, expiresAt: '2026-06-11T02:59:59.000Z', lastDay: '2026-06-10' },
    ...changes,
  });

export const billetRequest = (changes: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({
    paymentMethod: 'billet',
    card: null,
    billet: { dueAt: '2026-06-10', expiresAt: '2026-06-16T03:00:00.000Z', instructions: null },
    ...changes,
  });

export function followUp(changes: Partial<FollowUp> = {}): FollowUp {
  return {
    reference: `${REFERENCE}-refund`,
    gatewayTransactionId: 'pay_1',
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
    object: 'payment',
    id: 'pay_1',
    dateCreated: '2026-06-08',
    customer: 'cus_1',
    value: 129.9,
    netValue: 125.53,
    originalValue: null,
    billingType: 'CREDIT_CARD',
    status: 'CONFIRMED',
    dueDate: '2026-06-10',
    originalDueDate: '2026-06-10',
    confirmedDate: '2026-06-08',
    clientPaymentDate: '2026-06-08',
    externalReference: REFERENCE,
    deleted: false,
    bankSlipUrl: null,
    pixTransaction: null,
    refunds: null,
    ...changes,
  };
}

const UNPAID = { status: 'PENDING', confirmedDate: undefined, clientPaymentDate: null };
export const pix = (changes: object = {}): object => payment({ billingType: 'PIX', ...UNPAID, ...changes });
export const billet = (changes: object = {}): object =>
  payment({ billingType: 'BOLETO', ...UNPAID, bankSlipUrl: 'https://www.asaas.com/b/pdf/1', ...changes });
export const authorized = (changes: object = {}): object =>
  payment({ status: 'AUTHORIZED', confirmedDate: null, clientPaymentDate: null, ...changes });

export function refund(changes: object = {}): object {
  return {
    dateCreated: '2026-06-09 10:28:40',
    status: 'DONE',
    value: 129.9,
    description: `${REFERENCE}-refund`,
    ...changes,
  };
}

export const QR_CODE = ok({
  encodedImage: 'aGk=',
  payload: '000201pix',
  expirationDate: '2027-06-10 23:59:59',
});
export const LINE = '99990000010000000000200000000003112340000012990';
export const BARCODE = '99993112340000012990000001000000000000000000';
export const BOLETO_LINE = ok({ identificationField: LINE, nossoNumero: '6543', barCode: BARCODE });
