import { PURCHASE } from '../../../support/fixtures/purchase-data';
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

export { ok, REFERENCE, SEND_BEFORE, type StubAnswer } from '../http-stub';

const ORIGIN = 'http://pagarme.invalid/core/v5/';

/** A context whose requests are answered in this order; the last answer repeats. */
export function pagarmeStub(...answers: readonly StubAnswer[]): HttpStub {
  const stub = httpStub(answers, ORIGIN, {
    gateway: 'gateway_1',
    endpoints: { api: 'http://pagarme.invalid', keys: 'http://keys.invalid' },
    secretKey: 'sk_test_stub',
  });
  // With the query.
  const paths = () => stub.sent.map(({ method, url }) => `${method} ${url.slice(ORIGIN.length)}`);
  return { ...stub, paths };
}

export const error = (status: number, message: string, more: object = {}): StubAnswer => ({
  status,
  body: { message, ...more },
});

export const AMOUNT = 12_990;

export function chargeRequest(changes: Partial<ChargeRequest> = {}): ChargeRequest {
  return cardRequest({
    card: {
      number: '4000000000000010',
      cvv: '123',
      holderName: 'ANA LIMA',
      expireMonth: 3,
      expireYear: 2030,
      brand: 'visa',
    },
    purchase: { ...PURCHASE, payerPhone: '+5581991234567' },
    ...changes,
  });
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
  return refundRequest({ gatewayTransactionId: 'ch_1', ...changes });
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
