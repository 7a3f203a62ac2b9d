import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import { BROWSING, liveInterval } from '../shared/live';
import type { Days } from './period';

export type Dashboard = Schema<'Dashboard'>;

export const dashboardQuery = (query: Partial<Days>) =>
  queryOptions({
    queryKey: ['dashboard', query],
    queryFn: async () => (await unwrapBody(api.GET('/dashboard', { params: { query } }))).data,
    placeholderData: keepPreviousData,
    refetchInterval: liveInterval(() => BROWSING),
  });

/** Number of payments that need manual review. */
export const manualReviewQuery = queryOptions({
  queryKey: ['payments', 'manual-review'],
  queryFn: async () => {
    const query = { stuck: true, per_page: 1 };
    return (await unwrapBody(api.GET('/user/payments', { params: { query } }))).meta.total;
  },
  refetchInterval: liveInterval(() => BROWSING),
});
