import type { SubscriptionRecord } from '../../persistence/subscriptions/subscription-repository';
import type { SubscriptionToStart } from '../../temporal/subscriptions';

/** The answer to the creation of a subscription or to a command. */
export type SubscriptionAnswer =
  /** The recorded answer of the idempotency key. */
  | { readonly kind: 'recorded'; readonly status: number; readonly body: unknown; readonly replayed: boolean }
  /** The current subscription. */
  | { readonly kind: 'subscription'; readonly status: number; readonly subscription: SubscriptionRecord };

export function toStart({ row, plan }: SubscriptionRecord): SubscriptionToStart {
  const { uuid, companyId, status } = row;
  const { name: planName, amountCents, currency, interval, intervalCount } = plan;
  return { uuid, companyId, status, planName, amountCents, currency, interval, intervalCount };
}
