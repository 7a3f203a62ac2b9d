import type { Customer } from '../../domain/customers/customer';
import { NO_CONTACT } from '../../domain/routing/required-data';
import type { RoutingRequirements } from '../../domain/routing/routing';
import { subscriptionNeeds } from '../../domain/routing/subscription-needs';
import type { Payer } from '../../domain/shared/purchase-details';
import type { CardOnFile } from '../../domain/subscriptions/stored-command';
import type { Plan } from '../../domain/subscriptions/plan';
import type { CheckoutClaim } from '../checkout/checkout-claim';
import type { SubscriptionRequest } from './subscription-request';

interface NewSubscription {
  readonly plan: Plan;
  readonly trialDays: number;
  readonly payer: Payer;
  readonly customer: Customer;
  readonly card: CardOnFile;
}

/** What a gateway must support to charge a subscription that is created now. */
export function newSubscriptionNeeds(
  { request, checkout }: { readonly request: SubscriptionRequest; readonly checkout?: CheckoutClaim },
  { plan, trialDays, payer, customer, card }: NewSubscription,
): RoutingRequirements {
  return subscriptionNeeds({
    currency: plan.currency,
    payer,
    // Nobody keeps the code of a saved card, and not that of a new one until a trial ends.
    hasCvv: card.card.token === null && trialDays === 0,
    customer: checkout?.isPublic === true ? NO_CONTACT : customer,
    billingAddress: request.billing_address ?? card.billingAddress,
    initiator: 'customer',
  });
}
