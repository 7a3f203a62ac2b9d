import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';

export type ApiKey = Schema<'ApiKey'>;
export type Scope = Schema<'ApiKeyScope'>;

/** The scopes that allow to change one kind of data. */
export const WRITE_SCOPES = [
  'payments:write',
  'subscriptions:write',
  'catalog:write',
  'customers:write',
  'gateways:write',
] as const satisfies readonly Scope[];

const PER_PAGE = 25;

export const apiKeysQuery = (page: number) =>
  queryOptions({
    queryKey: ['api-keys', page],
    queryFn: () =>
      unwrapBody(api.GET('/user/company/api-keys', { params: { query: { page, per_page: PER_PAGE } } })),
    placeholderData: keepPreviousData,
  });
