import { toCompactReference } from '../../../../src/gateways/compact-reference';
import type { ChargeRequest, FollowUp, GatewayCard } from '../../../../src/gateways/gateway';
import {
  cardRequest,
  httpStub,
  refundRequest,
  REFERENCE,
  type StubAnswer,
  type HttpStub,
} from '../http-stub';

export { ok, REFERENCE, type StubAnswer } from '../http-stub';

/** A context whose requests are answered in this order; the last answer repeats. */
export function cieloStub(...answers: readonly StubAnswer[]): HttpStub {
  const stub = httpStub(answers, '', {
    gateway: 'gateway_4',
    endpoints: { api: 'http://api.invalid', query: 'http://query.invalid' },
    secretKey: 'A'.repeat(40),
    clientId: 'c1e10000-0000-4000-8000-000000000001',
  });
  /** As `PUT api sales/..`. */
  const paths = () =>
    stub.sent.map(({ method, url }) => `${method} ${url.replace(/^http:\/\/(\w+)\.invalid\/1\//, '$1 ')}`);
  return { ...stub, paths };
}

export const created = (body: unknown): StubAnswer => ({ status: 201, body });
export const error = (status: number, Code: number | string, Message = 'Error'): StubAnswer => ({
  status,
  body: [{ Code, Message }],
});
/** A 401 or 404 has no body. */
export const empty = (status: number): StubAnswer => ({ status, body: '' });

export const ORDER_ID = toCompactReference(REFERENCE);
export const PAYMENT_ID = '24bc8366-fc31-4d6c-8555-17049a836a07';

export const CARD: GatewayCard = {
  number: '4242424242424242',
  cvv: '123',
  holderName: 'ANA LIMA',
  expireMonth: 3,
  expireYear: 2030,
  brand: 'visa',
};

export function chargeRequest(changes: Partial<ChargeRequest> = {}): ChargeRequest {
  return cardRequest({
    card: CARD,
    purchase: {
      payerIp: null,
      payerPhone: null,
      description: 'Pedido 7',
      items: [],
      returnUrl: null,
      origin: 'api',
    },
    ...changes,
  });
}

export const pixRequest = (): ChargeRequest =>
  chargeRequest({
    paymentMethod: 'pix',
    card: null,
    pix: { expiresInSeconds: 7_200, expiresAt: '2026-06-11T02:59:59.000Z', lastDay: null },
  });

export const billetRequest = (changes: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({
    paymentMethod: 'billet',
    card: null,
    billingAddress: {
      street: 'Rua das Flores',
      number: '10',
      complementary: null,
      neighborhood: 'Centro',
      city: 'São Paulo',
      state: 'SP',
      zip_code: '01001000',
    },
    billet: { dueAt: '2026-06-13', expiresAt: '2026-06-17T02:59:59.000Z', instructions: 'Até o vencimento' },
    ...changes,
  });

export function followUp(changes: Partial<FollowUp> = {}): FollowUp {
  return refundRequest({ gatewayTransactionId: PAYMENT_ID, ...changes });
}

/** A sale whose card was charged. */
export function sale(changes: object = {}, MerchantOrderId = ORDER_ID): object {
  return {
    MerchantOrderId,
    Customer: { Name: 'Ana Lima' },
    Payment: {
      PaymentId: PAYMENT_ID,
      Type: 'CreditCard',
      Amount: 12_990,
      ReceivedDate: '2026-06-10 12:00:00',
      CapturedAmount: 12_990,
      AuthorizationCode: '123456',
      Status: 2,
      ReturnCode: '6',
      ReturnMessage: 'Operation Successful',
      ...changes,
    },
  };
}

export const authorized = (changes: object = {}): object =>
  sale({ Status: 1, CapturedAmount: undefined, ReturnCode: '4', ...changes });
export const pix = (changes: object = {}): object =>
  sale({
    Type: 'Pix',
    Status: 12,
    CapturedAmount: undefined,
    AuthorizationCode: undefined,
    ReturnCode: '0',
    QrCodeString: '000201pix',
    ...changes,
  });
export const paidPix = (changes: object = {}): object =>
  pix({ Status: 2, EndToEndId: 'E99999999202606101201abcdefghijk', ...changes });

/** A boleto of R$ 129.90, unpaid. */
export const boleto = (changes: object = {}): object =>
  sale({
    Type: 'Boleto',
    Status: 1,
    CapturedAmount: undefined,
    AuthorizationCode: undefined,
    ReturnCode: undefined,
    ReturnMessage: undefined,
    ExpirationDate: '2026-06-13',
    Url: 'https://transaction.invalid/boleto',
    BarCodeNumber: '23798149800000129901234567890123456789012345',
    DigitableLine: '23791.23454 67890.123457 67890.123457 8 14980000012990',
    ...changes,
  });

/** The answer to a capture or void. */
export function changed(Status: number, ReturnCode: string, id = PAYMENT_ID): object {
  const Href = `https://apiquerysandbox.cieloecommerce.cielo.com.br/1/sales/${id}`;
  return { Status, ReturnCode, ReturnMessage: 'message', Links: [{ Method: 'GET', Rel: 'self', Href }] };
}

/** Sent by the manual's text, but by none of its samples. */
const WITHOUT_SAMPLE = new Set(['InitiatedTransactionIndicator', 'IssuerTransactionId']);
/** The fields of a request that a sample lacks or has with another type. The samples write booleans as texts, too. */
export function unknownFields(request: unknown, sample: unknown, path = ''): string[] {
  if (typeof request !== 'object' || request === null) {
    const types = [typeof request, typeof sample];
    const isFlag = types[0] === 'boolean' && (sample === 'true' || sample === 'false');
    return types[0] === types[1] || isFlag ? [] : [`${path} is ${types.join(', not ')}`];
  }
  const known = (sample ?? {}) as Record<string, unknown>;
  return Object.entries(request).flatMap(([name, value]) => {
    if (WITHOUT_SAMPLE.has(name)) return [];
    const here = path === '' ? name : `${path}.${name}`;
    return name in known ? unknownFields(value, known[name], here) : [`${here} is unknown`];
  });
}
