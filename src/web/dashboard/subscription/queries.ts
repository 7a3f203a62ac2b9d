import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api/client';

export type UserSubscription = Schema<'UserSubscriptionResponse'>['data'];
export type Subscription = Schema<'Subscription'>;

/** While something asked of it waits, or its own clock moves. */
const LOOK_AGAIN_MS = 2_000;

export const subscriptionQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['subscriptions', 'one', uuid],
    queryFn: async () =>
      (await answerOf(api.GET('/user/subscriptions/{uuid}', { params: { path: { uuid } } }))).data,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isMoving(data.subscription) ? LOOK_AGAIN_MS : false,
  });

function isMoving({ pending_action: asked, clock }: Subscription): boolean {
  return asked !== null || clock?.reached === false;
}

/** What changes with the subscription is forecast anew: it is part of the key when it last changed. */
export const upcomingQuery = ({ id: uuid, updated_at: updatedAt }: Subscription) =>
  queryOptions({
    queryKey: ['subscriptions', 'upcoming', uuid, updatedAt],
    queryFn: async () => {
      const params = { path: { uuid }, query: { cycles: 12 } };
      return (await answerOf(api.GET('/user/subscriptions/{uuid}/upcoming', { params }))).data;
    },
  });
