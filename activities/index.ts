import { createPaymentActivities } from './payments';
import type { PaymentDeps } from './payment-deps';
import { createRecipientActivities, type RecipientDeps } from './recipients';

export type ActivityDeps = PaymentDeps & RecipientDeps;

/** Everything workflows may ask of this process. */
export function createActivities(deps: ActivityDeps) {
  return { ...createPaymentActivities(deps), ...createRecipientActivities(deps) };
}

export type Activities = ReturnType<typeof createActivities>;
