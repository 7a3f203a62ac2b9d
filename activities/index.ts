import type { DisputeDeps } from './disputes/dispute-deps';
import { createDisputeActivities } from './disputes/disputes';
import { createPaymentActivities } from './payments/payments';
import type { PaymentDeps } from './payments/payment-deps';
import type { RecipientDeps } from './recipients/recipient-deps';
import { createRecipientActivities } from './recipients/recipients';
import type { SettlementDeps } from './settlement/settlement-deps';
import { createSettlementActivities } from './settlement/settlements';
import type { SubscriptionDeps } from './subscriptions/subscription-deps';
import { createSubscriptionActivities } from './subscriptions/subscriptions';
import { createDeliveryActivities, type DeliveryDeps } from './webhooks/webhook-deliveries';

export type ActivityDeps = PaymentDeps &
  SubscriptionDeps &
  RecipientDeps &
  DisputeDeps &
  SettlementDeps &
  DeliveryDeps;

/** The activities of the payment, subscription, recipient, dispute and settlement workflows. */
export function createActivities(
  deps: PaymentDeps & SubscriptionDeps & RecipientDeps & DisputeDeps & SettlementDeps,
) {
  return {
    ...createPaymentActivities(deps),
    ...createSubscriptionActivities(deps),
    ...createRecipientActivities(deps),
    ...createDisputeActivities(deps),
    ...createSettlementActivities(deps),
  };
}

export { createDeliveryActivities };

export type Activities = ReturnType<typeof createActivities>;
export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;
