import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrapBody, api } from '../../api/client';
import type { PageSearch } from '../shared/search-params';

const PER_PAGE = 25;

export const customersQuery = (search: PageSearch) =>
  queryOptions({
    queryKey: ['customers', 'list', search],
    queryFn: () =>
      unwrapBody(api.GET('/user/customers', { params: { query: { ...search, per_page: PER_PAGE } } })),
    placeholderData: keepPreviousData,
  });

export const customerQuery = (token: string) =>
  queryOptions({
    queryKey: ['customers', 'one', token],
    queryFn: async () =>
      (await unwrapBody(api.GET('/user/customers/{token}', { params: { path: { token } } }))).data,
  });
