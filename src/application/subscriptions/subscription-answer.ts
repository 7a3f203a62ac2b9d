import type { SubscriptionRecord } from '../../persistence/subscriptions/subscription-repository';
import type { RecordedAnswer } from '../shared/idempotency';
import type { SubscriptionToStart } from '../../domain/subscriptions/subscription-start';

/** The answer to the creation of a subscription or to a command. */
export type SubscriptionAnswer =
  | RecordedAnswer
  /** The current subscription. */
  | { readonly kind: 'subscription'; readonly status: number; readonly subscription: SubscriptionRecord };

export function toStart({ row, plan }: SubscriptionRecord): SubscriptionToStart {
  const { uuid, companyId, status } = row;
  const { name: planName, amountCents, currency, interval, intervalCount } = plan;
  return { uuid, companyId, status, planName, amountCents, currency, interval, intervalCount };
}
