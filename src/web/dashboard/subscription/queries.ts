import { queryOptions } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';

export type UserSubscription = Schema<'UserSubscriptionResponse'>['data'];
export type Subscription = Schema<'Subscription'>;

/** Polling interval while a command is pending or the test clock advances. */
const REFETCH_INTERVAL_MS = 2_000;

export const subscriptionQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['subscriptions', 'one', uuid],
    queryFn: async () =>
      (await unwrapBody(api.GET('/user/subscriptions/{uuid}', { params: { path: { uuid } } }))).data,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isInProgress(data.subscription) ? REFETCH_INTERVAL_MS : false,
  });

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
