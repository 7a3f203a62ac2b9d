import { needsDocument, type Buyer, type CheckoutSession } from '../../domain/checkout/checkout-session';
import type { CheckoutMethod } from '../../domain/checkout/payment-link';
import { canonicalDocument } from '../../domain/customers/document';
import type { BillingAddress } from '../../domain/shared/payment-snapshot';
import { findOption, type InstallmentOption } from '../../domain/checkout/installment-options';
import { validationError } from '../../domain/shared/errors';
import { newGuestId } from '../../domain/shared/ids';
import type { PayerRequest } from '../payments/payer-request';
import type { CardRequest, PaymentRequest } from '../payments/payment-request';

/** The body of a payment at a checkout, already validated against openapi.yaml. */
export interface CheckoutPayRequest {
  readonly payment_method?: CheckoutMethod | null;
  readonly card?: CardRequest | null;
  readonly billing_address?: BillingAddress | null;
  readonly installments: number;
  readonly customer?: BuyerRequest | null;
  readonly first_charge_amount?: number | null;
  readonly payer?: Pick<PayerRequest, 'phone'> | null;
}

/** What a buyer enters. */
export interface BuyerRequest extends Pick<Buyer, 'name' | 'email'> {
  /** Required in BRL. */
  readonly document?: string | null;
}

/** What a payment of a session consists of. */
export interface CheckoutPurchase {
  readonly session: CheckoutSession;
  readonly request: CheckoutPayRequest;
  readonly customer: PaymentRequest['customer'];
  readonly method: CheckoutMethod;
  /** How the card pays; null for a pix, which pays the price at once, and for a subscription. */
  readonly option: InstallmentOption | null;
  /** The IP address of the buyer. */
  readonly ip: string | null;
}

/**
 * A buyer at a link enters their details when the session is opened. In a company's session without a customer, each payment
 * request contains the buyer's details.
 *
 * @throws ApiError `validation_error` on `customer.document`: it is missing and the currency is BRL
 */
export function buyerIn(
  { customerId, link, buyer, currency }: CheckoutSession,
  { customer }: CheckoutPayRequest,
): Buyer | null {
  if (customerId !== null) return null;
  if (link !== null || !customer) return buyer;
  const { email, document } = customer;
  const name = customer.name.trim();
  if (document) return { name, email, document: canonicalDocument(document) };
  if (needsDocument(currency)) throw validationError({ 'customer.document': ['is required in BRL'] });
  // The same guest in each try of the session.
  return { name, email, document: null, guestId: buyer?.guestId ?? newGuestId() };
}

/**
 * The session's option for the requested number of installments. An earlier request with the key is answered whatever this one
 * asks for.
 *
 * @throws ApiError `validation_error` on `installments`: the session does not offer that number
 */
export function chooseOption(
  { installmentOptions: options }: CheckoutSession,
  { installments }: CheckoutPayRequest,
  isResent: boolean,
): InstallmentOption | null {
  const option = findOption(options, installments);
  if (option !== null || isResent || (options.length === 0 && installments === 1)) return option;
  const offered = options.length === 0 ? [1] : options.map((one) => one.installments);
  throw validationError({ installments: [`must be one of: ${offered.join(', ')}`] });
}

export function paymentRequest({
  session,
  request,
  customer,
  method,
  option,
  ip,
}: CheckoutPurchase): PaymentRequest {
  const { amountCents, currency, merchantOrderId, gatewayFirstTry, metadata } = session;
  return {
    merchant_order_id: merchantOrderId,
    amount: option?.totalCents ?? amountCents ?? 0,
    currency,
    payment_method: method,
    customer,
    gateway_first_try: gatewayFirstTry,
    capture: true,
    card: method === 'card' ? (request.card ?? null) : null,
    save_card: false,
    // The buyer is at the checkout.
    initiator: 'customer',
    billing_address: request.billing_address ?? null,
    installments: option?.installments ?? 1,
    metadata: metadata && { ...metadata },
    payer: payerOf({ request, ip }),
    description: session.link?.name ?? null,
    return_url: session.successUrl,
  };
}

export function payerOf({ request, ip }: Pick<CheckoutPurchase, 'request' | 'ip'>): PayerRequest {
  return { ip, phone: request.payer?.phone ?? null };
}
