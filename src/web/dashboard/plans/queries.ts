import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api/client';

export type Plan = Schema<'Plan'>;

const PER_PAGE = 25;

/** As many as a choice can offer. */
const MOST_CHOICES = 100;

/** All plans, to choose from and to tell names by. */
export const planChoicesQuery = queryOptions({
  queryKey: ['plans', 'choices'],
  queryFn: async () =>
    (await answerOf(api.GET('/user/plans', { params: { query: { per_page: MOST_CHOICES } } }))).data,
});

export const plansQuery = (page: number) =>
  queryOptions({
    queryKey: ['plans', page],
    queryFn: () => answerOf(api.GET('/user/plans', { params: { query: { page, per_page: PER_PAGE } } })),
    placeholderData: keepPreviousData,
  });
