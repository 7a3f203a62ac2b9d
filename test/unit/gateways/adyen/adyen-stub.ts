import type { ChargeRequest, FollowUp, GatewayCard } from '../../../../src/gateways/gateway';
import { chargeReference, operationReference } from '../../../../src/gateways/adyen/references';
import { cardRequest, httpStub, refundRequest, REFERENCE, type StubAnswer } from '../http-stub';

export { ok, REFERENCE, SEND_BEFORE, type StubAnswer } from '../http-stub';

/** A context whose requests are answered in this order; the last answer repeats. */
export function adyenStub(...answers: readonly StubAnswer[]) {
  const stub = httpStub(answers, 'http://adyen.invalid/', {
    gateway: 'gateway_5',
    endpoints: { api: 'http://adyen.invalid' },
    secretKey: 'AQE-key-of-the-stub',
    credentials: { merchant_account: 'StubMerchant' },
  });
  return { ...stub, body: (index = 0) => stub.body(index) as Record<string, unknown> };
}

export const received = (body: object): StubAnswer => ({ status: 201, body });
export const error = (status: number, errorCode: string, errorType = 'validation'): StubAnswer => ({
  status,
  body: { status, errorCode, errorType, message: 'The card 4111111111111111 is wrong', pspReference: 'PSP1' },
});

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

export const CARD: GatewayCard = {
  number: '4111111111111111',
  cvv: '737',
  holderName: 'ANA LIMA',
  expireMonth: 3,
  expireYear: 2030,
  brand: 'visa',
};

export function chargeRequest(changes: Partial<ChargeRequest> = {}): ChargeRequest {
  return cardRequest({
    customer: { name: 'Ana Maria Lima', email: 'ana@example.com', document: '52998224725' },
    card: CARD,
    purchase: {
      payerIp: null,
      payerPhone: null,
      description: 'Pedido 1',
      items: [],
      returnUrl: null,
      origin: 'api',
    },
    ...changes,
  });
}

export const pixRequest = (changes: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({ paymentMethod: 'pix', card: null, pix: PIX_EXPIRY, ...changes });
export const billetRequest = (changes: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({
    ...{ paymentMethod: 'billet', card: null, billet: BILLET, billingAddress: ADDRESS },
    ...changes,
  });

export function followUp(changes: Partial<FollowUp> = {}): FollowUp {
  return refundRequest({ gatewayTransactionId: 'PSP1', ...changes });
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
