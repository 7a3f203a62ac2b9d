import { DateTime } from 'luxon';
import { assertNever } from '../../domain/shared/assert-never';
import type { ChargeInitiation } from '../../domain/shared/charge-initiation';
import { BRASILIA } from '../../domain/time/timezone';
import { GatewayError } from '../errors';
import type { ChargeRequest, GatewayAddress, GatewayCard } from '../gateway';
import { requiredDocument } from '../customers/required-document';
import type { RequestParams } from './form';
import { stripeAmount } from './money';
import { REFERENCE_KEY } from './references';

/** What every answer about a PaymentIntent contains: the charge with its refunds. */
export const EXPAND = ['latest_charge.refunds'] as const;

/**
 * Prefix and suffix together have 22 characters, and the account's prefix up to 10, with `* ` between them.
 * https://docs.stripe.com/get-started/account/statement-descriptors
 */
const MAX_SUFFIX = 10;

/** Whose card it is. */
export type CardOwner = Pick<ChargeRequest, 'customer' | 'billingAddress'>;

/** `POST /v1/payment_methods`: https://docs.stripe.com/api/payment_methods/create. Card numbers are accepted only there. */
export function cardMethodParams(card: GatewayCard, { customer, billingAddress }: CardOwner): RequestParams {
  return {
    type: 'card',
    card: {
      number: card.number,
      exp_month: card.expireMonth,
      exp_year: card.expireYear,
      cvc: card.cvv,
    },
    billing_details: {
      name: card.holderName,
      email: customer.email,
      address: billingAddress && addressOf(billingAddress),
    },
  };
}

/** `POST /v1/payment_intents`, confirmed at once: https://docs.stripe.com/api/payment_intents/create */
export function cardIntentParams(
  request: ChargeRequest,
  methodId: string,
  manualCapture: boolean,
): RequestParams {
  const { initiation, softDescriptor } = request;
  return {
    ...commonParams(request, 'card'),
    capture_method: manualCapture ? 'manual' : 'automatic',
    payment_method: methodId,
    // Nobody could answer a challenge, so it fails the payment.
    error_on_requires_action: true,
    ...initiationParams(initiation),
    statement_descriptor_suffix: suffixOf(softDescriptor),
  };
}

/** `POST /v1/setup_intents`, confirmed at once and without a customer: https://docs.stripe.com/api/setup_intents/create */
export function setupIntentParams(reference: string, methodId: string): RequestParams {
  return {
    confirm: true,
    payment_method: methodId,
    payment_method_types: ['card'],
    usage: 'off_session',
    metadata: { [REFERENCE_KEY]: reference },
  };
}

/**
 * https://docs.stripe.com/payments/cits-and-mits. Stripe has no word for a customer who pays with a card that somebody else
 * saved, and no field for Mastercard's and Elo's own ids.
 */
function initiationParams(initiation: ChargeInitiation): RequestParams {
  switch (initiation.reason) {
    case 'one_off':
    case 'saved_card':
      return {};
    case 'first_saved':
    case 'first_recurring':
      return { setup_future_usage: 'off_session' };
    case 'recurring':
    case 'unscheduled': {
      const id = initiation.networkIds?.transactionId ?? null;
      return {
        off_session: initiation.reason === 'recurring' ? 'recurring' : true,
        payment_method_options:
          id === null ? null : { card: { mit_exemption: { network_transaction_id: id } } },
      };
    }
    default:
      return assertNever(initiation);
  }
}

/** https://docs.stripe.com/payments/pix/accept-a-payment */
export function pixParams(request: ChargeRequest): RequestParams {
  const { name, email } = request.customer;
  return {
    ...commonParams(request, 'pix'),
    payment_method_data: { type: 'pix', billing_details: { name, email } },
    payment_method_options: { pix: { expires_after_seconds: request.pix?.expiresInSeconds } },
  };
}

/**
 * https://docs.stripe.com/payments/boleto/accept-a-payment: the voucher can be paid until the end of the last day in
 * São Paulo, and needs the payer's tax id, name, email and address.
 *
 * @throws GatewayError `unsupported` without an address
 */
export function boletoParams(request: ChargeRequest, now: Date): RequestParams {
  const { customer, billingAddress, billet } = request;
  if (billet === null || billingAddress === null) {
    throw new GatewayError('unsupported', 'this gateway needs a billing address for a boleto');
  }
  return {
    ...commonParams(request, 'boleto'),
    payment_method_data: {
      type: 'boleto',
      boleto: { tax_id: requiredDocument(customer) },
      billing_details: { name: customer.name, email: customer.email, address: addressOf(billingAddress) },
    },
    payment_method_options: { boleto: { expires_after_days: daysUntil(billet.dueAt, now) } },
  };
}

function commonParams(request: ChargeRequest, type: 'card' | 'pix' | 'boleto'): RequestParams {
  return {
    amount: stripeAmount(request.amountCents, request.currency),
    currency: request.currency.toLowerCase(),
    confirm: true,
    description: request.purchase.description,
    payment_method_types: [type],
    metadata: { [REFERENCE_KEY]: request.reference },
    transfer_data: transferTo(request),
    expand: EXPAND,
  };
}

/** Without an application fee the whole payment is its recipient's: https://docs.stripe.com/connect/destination-charges */
function transferTo({ splits: [split] }: ChargeRequest): RequestParams | null {
  return split === undefined ? null : { destination: split.recipientId };
}

function addressOf(address: GatewayAddress): RequestParams {
  const { street, number, complementary, neighborhood } = address;
  return {
    line1: `${street}, ${number}`,
    line2: [complementary, neighborhood].filter(Boolean).join(', ') || null,
    city: address.city,
    state: address.state,
    postal_code: address.zip_code,
    country: address.country ?? 'BR',
  };
}

/** Latin letters, digits and spaces, with a letter; null if nothing is left. */
function suffixOf(softDescriptor: string | null): string | null {
  const plain = (softDescriptor ?? '').normalize('NFD').replace(/[^A-Za-z0-9 .-]/g, '');
  const suffix = plain.trim().slice(0, MAX_SUFFIX).trim();
  return /[A-Za-z]/.test(suffix) ? suffix : null;
}

/** Calendar days in São Paulo; 0 on the day itself. */
function daysUntil(dueAt: string, now: Date): number {
  const due = DateTime.fromISO(dueAt, { zone: BRASILIA });
  const today = DateTime.fromJSDate(now, { zone: BRASILIA }).startOf('day');
  return Math.max(0, Math.round(due.diff(today, 'days').days));
}
