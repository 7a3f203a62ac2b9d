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

export interface StripeStub extends HttpStub {
  /** The parameters of a request, by the form's names. */
  readonly form: (index: number) => Record<string, string>;
}

/** A context whose requests are answered in this order; the last answer repeats. */
export function stripeStub(...answers: readonly StubAnswer[]): StripeStub {
  const stub = httpStub(answers, 'http://stripe.invalid/v1/', {
    gateway: 'gateway_4',
    endpoints: { api: 'http://stripe.invalid', files: 'http://stripe.invalid' },
    secretKey: 'sk_test_stub',
  });
  const form = (index: number) => Object.fromEntries(new URLSearchParams(stub.sent[index]?.body ?? ''));
  return { ...stub, form };
}

export const error = (status: number, fields: object): StubAnswer => ({ status, body: { error: fields } });

export const METHOD = ok({ id: 'pm_1', object: 'payment_method' });

export function chargeRequest(changes: Partial<ChargeRequest> = {}): ChargeRequest {
  return cardRequest({
    ...changes,
  });
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
  return refundRequest({ gatewayTransactionId: 'pi_1', ...changes });
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
