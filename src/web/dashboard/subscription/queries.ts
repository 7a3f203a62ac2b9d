import { queryOptions } from '@tanstack/react-query';
import { BROWSING, IN_PROGRESS, liveInterval, SETTLED } from '../shared/live';
import { unwrapBody, api, type Schema } from '../../api/client';

export type UserSubscription = Schema<'UserSubscriptionResponse'>['data'];
export type Subscription = Schema<'Subscription'>;

export const subscriptionQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['subscriptions', 'one', uuid],
    queryFn: async () =>
      (await unwrapBody(api.GET('/user/subscriptions/{uuid}', { params: { path: { uuid } } }))).data,
    refetchInterval: liveInterval(({ subscription }) => paceOf(subscription)),
  });

function paceOf(subscription: Subscription) {
  if (isInProgress(subscription)) return IN_PROGRESS;
  return subscription.status === 'canceled' ? SETTLED : BROWSING;
}

/** A command is pending, or the test clock advances. */
function isInProgress({ pending_action: pending, clock }: Subscription): boolean {
  return pending !== null || clock?.reached === false;
}

/** `updated_at` is part of the key, so that the forecast is reloaded when the subscription changes. */
export const upcomingQuery = ({ id: uuid, updated_at: updatedAt }: Subscription) =>
  queryOptions({
    queryKey: ['subscriptions', 'upcoming', uuid, updatedAt],
    queryFn: async () => {
      const params = { path: { uuid }, query: { cycles: 12 } };
      return (await unwrapBody(api.GET('/user/subscriptions/{uuid}/upcoming', { params }))).data;
    },
  });
