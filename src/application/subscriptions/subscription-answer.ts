import type { SubscriptionRecord } from '../../persistence/subscriptions/subscription-repository';
import type { SubscriptionToStart } from '../../temporal/subscriptions';

/** What the caller of a subscription, or of something asked of one, is answered. */
export type SubscriptionAnswer =
  /** The recorded answer of this key, the same for every request that carries it. */
  | { readonly kind: 'recorded'; readonly status: number; readonly body: unknown; readonly replayed: boolean }
  /** The subscription as it stands. */
  | { readonly kind: 'subscription'; readonly status: number; readonly subscription: SubscriptionRecord };

export function toStart({ row, plan }: SubscriptionRecord): SubscriptionToStart {
  const { uuid, companyId, status } = row;
  const { name: planName, amountCents, currency, interval, intervalCount } = plan;
  return { uuid, companyId, status, planName, amountCents, currency, interval, intervalCount };
}
