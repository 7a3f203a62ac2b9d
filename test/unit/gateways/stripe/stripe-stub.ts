import { PURCHASE } from '../../../support/fixtures/purchase-data';
import type { ChargeRequest, FollowUp, GatewayContext } from '../../../../src/gateways/gateway';
import type { GatewayHttpRequest, GatewayHttpResponse } from '../../../../src/gateways/http';

/** What Stripe answers: a status with a body, or an error of the HTTP client. */
export type StubAnswer = { readonly status: number; readonly body: unknown } | Error;

export interface StripeStub {
  readonly ctx: GatewayContext;
  readonly sent: readonly GatewayHttpRequest[];
  /** As `POST payment_intents`. */
  readonly paths: () => string[];
  /** The parameters of a request, by the form's names. */
  readonly form: (index: number) => Record<string, string>;
}

export const SEND_BEFORE = 1_900_000_000_000;
const ORIGIN = 'http://stripe.invalid/v1/';

/** A context whose requests are answered in this order; the last answer repeats. */
export function stripeStub(...answers: readonly StubAnswer[]): StripeStub {
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
    gateway: 'gateway_4',
    endpoints: { api: 'http://stripe.invalid' },
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
  const pathOf = (url: string): string => url.slice(ORIGIN.length).split('?')[0] ?? '';
  return {
    ctx,
    sent,
    paths: () => sent.map(({ method, url }) => `${method} ${pathOf(url)}`),
    form: (index) => Object.fromEntries(new URLSearchParams(sent[index]?.body ?? '')),
  };
}

export const ok = (body: unknown): StubAnswer => ({ status: 200, body });
export const error = (status: number, fields: object): StubAnswer => ({ status, body: { error: fields } });

export const REFERENCE = '0190a6f0-7e2c-7c3a-9b1a-2f5d1c3e4b5a-1';
export const METHOD = ok({ id: 'pm_1', object: 'payment_method' });

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
      number: '4242424242424242',
      cvv: '123',
      holderName: 'ANA LIMA',
      expireMonth: 3,
      expireYear: 2030,
      brand: 'visa',
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

export const ADDRESS = {
  street: 'Rua A',
  number: '1',
  neighborhood: 'Centro',
  city: 'Recife',
  state: 'PE',
  zip_code: '50000000',
};

export function followUp(changes: Partial<FollowUp> = {}): FollowUp {
  return {
    reference: `${REFERENCE}-refund`,
    gatewayTransactionId: 'pi_1',
    amountCents: 12_990,
    currency: 'BRL',
    splits: [],
    reason: null,
    bankAccount: null,
    ...changes,
  };
}

/** A charge of a card that succeeded. */
export function charge(changes: object = {}): object {
  return {
    id: 'ch_1',
    object: 'charge',
    status: 'succeeded',
    amount: 12_990,
    amount_captured: 12_990,
    amount_refunded: 0,
    currency: 'brl',
    payment_intent: 'pi_1',
    metadata: { reference: REFERENCE },
    outcome: { reason: null },
    failure_code: null,
    payment_method_details: {
      type: 'card',
      card: { authorization_code: '123456', network_transaction_id: '999', capture_before: 1_790_000_000 },
    },
    refunds: { data: [], has_more: false },
    ...changes,
  };
}

/** A PaymentIntent whose card was charged. */
export function intent(changes: object = {}): object {
  return {
    id: 'pi_1',
    object: 'payment_intent',
    status: 'succeeded',
    amount: 12_990,
    amount_received: 12_990,
    currency: 'brl',
    created: 1_780_000_000,
    cancellation_reason: null,
    payment_method_types: ['card'],
    metadata: { reference: REFERENCE },
    last_payment_error: null,
    latest_charge: charge(),
    next_action: null,
    ...changes,
  };
}

export function refund(changes: object = {}): object {
  return {
    id: 're_1',
    object: 'refund',
    amount: 12_990,
    currency: 'brl',
    status: 'succeeded',
    balance_transaction: 'txn_1',
    payment_intent: 'pi_1',
    metadata: { reference: `${REFERENCE}-refund` },
    ...changes,
  };
}
