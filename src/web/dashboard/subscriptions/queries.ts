import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api/client';
import type { SubscriptionSearch } from './search';

export type Subscription = Schema<'Subscription'>;

const PER_PAGE = 25;

export const subscriptionsQuery = (search: SubscriptionSearch) =>
  queryOptions({
    queryKey: ['subscriptions', 'list', search],
    queryFn: () =>
      answerOf(api.GET('/user/subscriptions', { params: { query: { ...search, per_page: PER_PAGE } } })),
    placeholderData: keepPreviousData,
  });
