import { createPaymentActivities } from './payments';
import type { PaymentDeps } from './payment-deps';
import { createRecipientActivities, type RecipientDeps } from './recipients';
import { createDeliveryActivities, type DeliveryDeps } from './webhook-deliveries';

export type ActivityDeps = PaymentDeps & RecipientDeps & DeliveryDeps;

/** Everything payments' and recipients' workflows may ask of this process. */
export function createActivities(deps: PaymentDeps & RecipientDeps) {
  return { ...createPaymentActivities(deps), ...createRecipientActivities(deps) };
}

export { createDeliveryActivities };

export type Activities = ReturnType<typeof createActivities>;
export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;
