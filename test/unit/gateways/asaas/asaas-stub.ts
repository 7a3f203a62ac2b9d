import { customerKey } from '../../../../src/gateways/asaas/customers';
import type { ChargeRequest, FollowUp } from '../../../../src/gateways/gateway';
import {
  cardRequest,
  httpStub,
  refundRequest,
  ok,
  REFERENCE,
  type StubAnswer,
  type HttpStub,
} from '../http-stub';

export { ok, REFERENCE, type StubAnswer } from '../http-stub';

/** A context whose requests are answered in this order; the last answer repeats. */
export function asaasStub(...answers: readonly StubAnswer[]): HttpStub {
  return httpStub(answers, 'http://asaas.invalid/v3/', {
    gateway: 'gateway_2',
    endpoints: { api: 'http://asaas.invalid' },
    secretKey: '$aact_hmlg_stub',
  });
}

export const error = (status: number, code: string, description = 'Erro.'): StubAnswer => ({
  status,
  body: { errors: [{ code, description }] },
});
export const list = (...data: readonly unknown[]): StubAnswer =>
  ok({ object: 'list', hasMore: false, totalCount: data.length, limit: 10, offset: 0, data });

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
  return cardRequest({
    customer: CUSTOMER,
    billingAddress: ADDRESS,
    purchase: PURCHASE,
    ...changes,
  });
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
  return refundRequest({ gatewayTransactionId: 'pay_1', ...changes });
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
