import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api/client';
import type { Days } from './period';

export type Dashboard = Schema<'Dashboard'>;

export const dashboardQuery = (query: Days) =>
  queryOptions({
    queryKey: ['dashboard', query],
    queryFn: async () => (await answerOf(api.GET('/dashboard', { params: { query } }))).data,
    placeholderData: keepPreviousData,
  });

/** How many payments wait for a person. */
export const deskQuery = queryOptions({
  queryKey: ['payments', 'desk'],
  queryFn: async () => {
    const query = { stuck: true, per_page: 1 };
    return (await answerOf(api.GET('/user/payments', { params: { query } }))).meta.total;
  },
});
