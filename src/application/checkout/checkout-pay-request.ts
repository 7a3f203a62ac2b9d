import type { Buyer, CheckoutSession } from '../../domain/checkout/checkout-session';
import type { CheckoutMethod } from '../../domain/checkout/payment-link';
import { canonicalDocument } from '../../domain/customers/document';
import type { BillingAddress } from '../../domain/shared/payment-snapshot';
import type { CardRequest } from '../payments/payment-request';

/** The body of a payment at a checkout, already validated against openapi.yaml. */
export interface CheckoutPayRequest {
  readonly payment_method?: CheckoutMethod | null;
  readonly card?: CardRequest | null;
  readonly billing_address?: BillingAddress | null;
  readonly installments: number;
  readonly customer?: Buyer | null;
  readonly first_charge_amount?: number | null;
}

/**
 * A buyer at a link enters their details when the session is opened. In a company's session without a customer, each payment
 * request contains the buyer's details.
 */
export function buyerIn(
  { customerId, link, buyer }: CheckoutSession,
  { customer }: CheckoutPayRequest,
): Buyer | null {
  if (customerId !== null) return null;
  if (link !== null || !customer) return buyer;
  const { name, email, document } = customer;
  return { name: name.trim(), email, document: canonicalDocument(document) };
}
