import { NO_PURCHASE_DETAILS, type Payer } from '../shared/purchase-details';
import { givenFields, type DataOfPayment } from './required-data';
import type { RoutingRequirements } from './routing';

interface SubscriptionCharge extends Pick<DataOfPayment, 'customer' | 'billingAddress' | 'initiator'> {
  readonly currency: string;
  readonly payer: Payer;
  /** Whether the next charge is made while the card's security code is at hand. */
  readonly hasCvv: boolean;
}

/** What a gateway must support to charge a subscription. */
export function subscriptionNeeds({
  currency,
  payer,
  hasCvv,
  ...data
}: SubscriptionCharge): RoutingRequirements {
  const purchase = { ...NO_PURCHASE_DETAILS, payer };
  return {
    paymentMethod: 'card',
    installments: 1,
    hasCvv,
    authorizeOnly: false,
    currency,
    splits: [],
    expiry: null,
    given: givenFields({ ...data, purchase, paymentMethod: 'card' }),
  };
}
