import { paymentExpiry } from '../../domain/routing/expiry-support';
import { givenFields, NO_CONTACT, type DataOfPayment } from '../../domain/routing/required-data';
import type { RoutingRequirements } from '../../domain/routing/routing';
import type { CheckoutClaim } from '../checkout/checkout-claim';
import type { PaymentRequest, ReadPaymentRequest } from './payment-request';

/** What is stored about who pays, and the cardholder's address. */
export type PayerContact = Pick<DataOfPayment, 'customer' | 'billingAddress'>;

/** A buyer at a public checkout must not learn what the company knows of a customer with the same document. */
export function payerContact(
  { customer, billingAddress }: PayerContact,
  checkout: CheckoutClaim | undefined,
): PayerContact {
  return { customer: checkout?.isPublic === true ? NO_CONTACT : customer, billingAddress };
}

/** What a gateway must support to take the payment that is requested at `now`. */
export function paymentNeeds(
  request: PaymentRequest,
  { splits, pending, purchase }: Pick<ReadPaymentRequest, 'splits' | 'pending' | 'purchase'>,
  contact: PayerContact,
  now: Date,
): RoutingRequirements {
  const { payment_method: paymentMethod, initiator } = request;
  return {
    paymentMethod,
    installments: request.installments,
    // A token names a saved card.
    hasCvv: (request.card?.token ?? null) === null,
    authorizeOnly: !request.capture,
    currency: request.currency,
    splits: splits ?? [],
    expiry: paymentExpiry({ ...pending, createdAt: now }),
    given: givenFields({ ...contact, purchase, paymentMethod, initiator }),
  };
}
