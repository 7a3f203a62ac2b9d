import type { ChargeRequest, FollowUp, GatewayContext } from '../../../../src/gateways/gateway';
import type { GatewayHttpRequest, GatewayHttpResponse } from '../../../../src/gateways/http';
import { chargeReference, operationReference } from '../../../../src/gateways/adyen/references';

/** What Adyen answers: a status with a body, or an error of the HTTP client. */
export type StubAnswer = { readonly status: number; readonly body: unknown } | Error;

export const SEND_BEFORE = 1_900_000_000_000;

/** A context whose requests are answered in this order; the last answer repeats. */
export function adyenStub(...answers: readonly StubAnswer[]) {
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
    gateway: 'gateway_5',
    endpoints: { api: 'http://adyen.invalid' },
    secretKey: 'AQE-key-of-the-stub',
    clientId: null,
    credentials: { merchant_account: 'StubMerchant' },
    idempotencyKey: 'key',
    sendBefore: SEND_BEFORE,
    http: { send },
    accessTokens: {
      get: (_, request) => request().then(({ value }) => value),
      forget: () => Promise.resolve(),
    },
    takeInquiry: () => true,
  };
  return {
    ctx,
    sent,
    body: (index = 0) => JSON.parse(sent[index]?.body ?? '{}') as Record<string, unknown>,
  };
}

export const ok = (body: object): StubAnswer => ({ status: 200, body });
export const received = (body: object): StubAnswer => ({ status: 201, body });
export const error = (status: number, errorCode: string, errorType = 'validation'): StubAnswer => ({
  status,
  body: { status, errorCode, errorType, message: 'The card 4111111111111111 is wrong', pspReference: 'PSP1' },
});

export const REFERENCE = '0190a6f0-7e2c-7c3a-9b1a-2f5d1c3e4b5a-1';
export const SALE = chargeReference(REFERENCE, 'sale');
export const REFUND = `${REFERENCE}-refund`;
export const PIX_EXPIRY = {
  expiresInSeconds: 600,
  expiresAt: '2026-05-04T12:10:00.000Z',
  lastDay: null,
} as const;

export const ADDRESS = {
  street: 'Rua A',
  number: '1',
  complementary: 'Apto 3',
  neighborhood: 'Centro',
  city: 'Recife',
  state: 'PE',
  zip_code: '50000000',
};
export const BILLET = { dueAt: '2026-05-10', expiresAt: '2026-05-13T00:00:00Z', instructions: 'Não receber' };

export function chargeRequest(changes: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    reference: REFERENCE,
    amountCents: 12_990,
    currency: 'BRL',
    paymentMethod: 'card',
    installments: 1,
    softDescriptor: null,
    customer: { name: 'Ana Maria Lima', email: 'ana@example.com', document: '52998224725' },
    card: {
      number: '4111111111111111',
      cvv: '737',
      holderName: 'ANA LIMA',
      expireMonth: 3,
      expireYear: 2030,
      brand: 'visa',
    },
    billingAddress: null,
    purchase: {
      payerIp: null,
      payerPhone: null,
      description: 'Pedido 1',
      items: [],
      returnUrl: null,
      origin: 'api',
    },
    splits: [],
    pix: null,
    billet: null,
    initiation: { initiator: 'customer', reason: 'one_off' },
    ...changes,
  };
}

export const pixRequest = (changes: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({ paymentMethod: 'pix', card: null, pix: PIX_EXPIRY, ...changes });
export const billetRequest = (changes: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({
    ...{ paymentMethod: 'billet', card: null, billet: BILLET, billingAddress: ADDRESS },
    ...changes,
  });

export function followUp(changes: Partial<FollowUp> = {}): FollowUp {
  return {
    reference: REFUND,
    gatewayTransactionId: 'PSP1',
    amountCents: 12_990,
    currency: 'BRL',
    splits: [],
    reason: null,
    bankAccount: null,
    ...changes,
  };
}

/** The answer to a card that was charged. */
export function payment(changes: object = {}): object {
  return {
    resultCode: 'Authorised',
    pspReference: 'PSP1',
    merchantReference: SALE,
    amount: { value: 12_990, currency: 'BRL' },
    additionalData: {
      authCode: '044925',
      networkTxReference: '858478648165984',
      transactionLinkId: 'link-1',
    },
    ...changes,
  };
}

/** The answer to a capture, cancel or refund. */
export function modification(changes: object = {}): object {
  return {
    merchantAccount: 'StubMerchant',
    paymentPspReference: 'PSP1',
    pspReference: 'PSP2',
    status: 'received',
    reference: operationReference(REFUND),
    amount: { value: 12_990, currency: 'BRL' },
    ...changes,
  };
}
