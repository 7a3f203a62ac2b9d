import type { ChargeRequest, FollowUp } from '../../../../src/gateways/gateway';
import { cardRequest, httpStub, refundRequest, REFERENCE, type StubAnswer } from '../http-stub';

export { ok, REFERENCE, SEND_BEFORE, type StubAnswer } from '../http-stub';

/** A context whose requests are answered in this order; the last answer repeats. */
export function mercadoPagoStub(...answers: readonly StubAnswer[]) {
  const stub = httpStub(answers, 'http://mercadopago.invalid/v1/', {
    gateway: 'gateway_1',
    endpoints: { api: 'http://mercadopago.invalid' },
    secretKey: 'TEST-stub',
  });
  return { ...stub, body: (index = 0) => stub.body(index) as Record<string, unknown> };
}

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
  return cardRequest({
    card: {
      number: '5031433215406351',
      cvv: '123',
      holderName: 'ANA LIMA',
      expireMonth: 3,
      expireYear: 2030,
      brand: 'mastercard',
    },
    ...changes,
  });
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
  return refundRequest({ gatewayTransactionId: '1', ...changes });
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
