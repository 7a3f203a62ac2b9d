import { NO_PURCHASE_DETAILS, type Payer } from '../shared/purchase-details';
import { givenFields, type DataOfPayment } from './required-data';
import type { RoutingRequirements } from './routing';

interface SubscriptionCharge extends Pick<DataOfPayment, 'customer' | 'billingAddress' | 'initiator'> {
  readonly currency: string;
  readonly payer: Payer;
}

/** What a gateway must support to charge a subscription. */
export function subscriptionNeeds({ currency, payer, ...data }: SubscriptionCharge): RoutingRequirements {
  const purchase = { ...NO_PURCHASE_DETAILS, payer };
  return {
    paymentMethod: 'card',
    installments: 1,
    // A gateway that cannot charge the renewals is none for a subscription.
    hasCvv: false,
    authorizeOnly: false,
    currency,
    splits: [],
    expiry: null,
    given: givenFields({ ...data, purchase, paymentMethod: 'card' }),
  };
}
