import { randomBytes } from 'node:crypto';
import cardType from 'credit-card-type';
import luhn from 'card-validator/dist/luhn-10';
import type { SimulatorResponse } from '../../replies';
import { errorResponse, invalidRequest, missing } from './errors';
import type { PaymentMethodParams } from './parameters';
import { type CardFacts, cardObject, paymentMethodObject } from './payment-method-object';
import type { StripeObject } from './refund-object';

export interface PaymentMethodRecord {
  readonly id: string;
  readonly params: PaymentMethodParams;
  /** Epoch seconds. */
  readonly created: number;
  /** A PaymentMethod without a customer pays once. */
  used: boolean;
}

/** The parameters that choose the PaymentMethod of a confirmation. */
interface ChosenMethod {
  readonly payment_method?: string | undefined;
  readonly payment_method_data?: PaymentMethodParams | undefined;
}

/** https://docs.stripe.com/error-codes */
export const UNEXPECTED_STATE = {
  PaymentIntent: 'payment_intent_unexpected_state',
  SetupIntent: 'setup_intent_unexpected_state',
} as const;

const MAX_STORED = 10_000;

/** PaymentMethods. They hold card numbers, so they stay in memory and end with the process. */
export class PaymentMethods {
  private readonly methods = new Map<string, PaymentMethodRecord>();

  create(params: PaymentMethodParams): PaymentMethodRecord {
    const id = `pm_${randomBytes(12).toString('hex')}`;
    const method = { id, params, created: Math.floor(Date.now() / 1000), used: false };
    this.methods.set(id, method);
    const [oldest] = this.methods.keys();
    if (this.methods.size > MAX_STORED && oldest !== undefined) this.methods.delete(oldest);
    return method;
  }

  find(id: string): PaymentMethodRecord | null {
    return this.methods.get(id) ?? null;
  }

  /** The PaymentMethod that a request names or gives, or what is wrong with it. `kind` is what the request confirms. */
  chosenBy(
    { payment_method: id, payment_method_data: data }: ChosenMethod,
    kind: 'PaymentIntent' | 'SetupIntent',
  ): PaymentMethodRecord | SimulatorResponse {
    if (data !== undefined) return methodProblem(data, new Date()) ?? this.create(data);
    if (id === undefined) {
      return invalidRequest(
        `You cannot confirm this ${kind} because it is missing a payment method. Update the ${kind} with a payment method and then confirm it again.`,
        { code: UNEXPECTED_STATE[kind], param: 'payment_method' },
      );
    }
    const method = this.find(id);
    if (method === null) return missing('PaymentMethod', id, 'payment_method', 400);
    return method.used
      ? invalidRequest(
          'This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.',
          { code: 'payment_method_unexpected_state' },
        )
      : method;
  }
}

/** The network of a card number, as Stripe names it. */
export function brandOf(number: string): string {
  const [first] = cardType(number);
  return (first?.type ?? 'unknown').replace('american-express', 'amex').replace('diners-club', 'diners');
}

/** What is wrong with the data of a payment method; null if nothing is. */
export function methodProblem(params: PaymentMethodParams, now: Date): SimulatorResponse | null {
  if (params.type === 'card') return cardProblem(params, now);
  return params.type === 'boleto' ? boletoProblem(params) : null;
}

/** https://docs.stripe.com/testing#declined-payments: the form of a card's data is checked when it is stored. */
function cardProblem({ card }: PaymentMethodParams, now: Date): SimulatorResponse | null {
  if (card === undefined) return required('card');
  const wrong = (code: string, param: string, message: string) =>
    errorResponse(402, { type: 'card_error', code, param, message });
  if (!/^\d{13,19}$/.test(card.number) || !luhn(card.number)) {
    return wrong('incorrect_number', 'number', 'Your card number is incorrect.');
  }
  if (card.exp_month < 1 || card.exp_month > 12) {
    return wrong('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.");
  }
  if (Date.UTC(card.exp_year, card.exp_month, 1) <= now.getTime()) {
    return wrong('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.");
  }
  if (card.cvc !== undefined && !/^\d{3,4}$/.test(card.cvc)) {
    return wrong('invalid_cvc', 'cvc', "Your card's security code is invalid.");
  }
  return null;
}

/** https://docs.stripe.com/payments/boleto/accept-a-payment: tax id, name, email and address are required. */
function boletoProblem({ boleto, billing_details: { name, email, address } }: PaymentMethodParams) {
  if (boleto === undefined) return required('boleto[tax_id]');
  if (name === undefined) return required('billing_details[name]');
  if (email === undefined) return required('billing_details[email]');
  const fields = ['line1', 'city', 'state', 'postal_code', 'country'] as const;
  const absent = fields.find((field) => address?.[field] === undefined);
  return absent === undefined ? null : required(`billing_details[address][${absent}]`);
}

function required(param: string): SimulatorResponse {
  return invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
}

export function storedMethodObject({ id, params, created }: PaymentMethodRecord): StripeObject {
  const { type, card, boleto = {}, metadata } = params;
  const details = card === undefined ? boleto : cardObject(cardFactsOf(card));
  return paymentMethodObject({ id, type, created, metadata, details });
}

/** What answers repeat of a card. */
export function cardFactsOf(card: NonNullable<PaymentMethodParams['card']>): CardFacts {
  const { number, exp_month, exp_year } = card;
  return { brand: brandOf(number), last4: number.slice(-4), exp_month, exp_year };
}
