import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrapBody, api } from '../../api/client';
import { BROWSING, liveInterval } from '../shared/live';
import type { SubscriptionSearch } from './search';

const PER_PAGE = 25;

export const subscriptionsQuery = (search: SubscriptionSearch) =>
  queryOptions({
    queryKey: ['subscriptions', 'list', search],
    queryFn: () =>
      unwrapBody(api.GET('/user/subscriptions', { params: { query: { ...search, per_page: PER_PAGE } } })),
    placeholderData: keepPreviousData,
    refetchInterval: liveInterval(() => BROWSING),
  });
