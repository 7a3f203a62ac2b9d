import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';

export type Plan = Schema<'Plan'>;

const PER_PAGE = 25;

/** The API's largest page size. */
const MAX_PER_PAGE = 100;

/** All plans, for selection lists and to look up names. */
export const planChoicesQuery = queryOptions({
  queryKey: ['plans', 'choices'],
  queryFn: async () =>
    (await unwrapBody(api.GET('/user/plans', { params: { query: { per_page: MAX_PER_PAGE } } }))).data,
});

export const plansQuery = (page: number) =>
  queryOptions({
    queryKey: ['plans', page],
    queryFn: () => unwrapBody(api.GET('/user/plans', { params: { query: { page, per_page: PER_PAGE } } })),
    placeholderData: keepPreviousData,
  });
