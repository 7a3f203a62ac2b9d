import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import type { AuditSearch } from './routes';

export type AuditEntry = Schema<'AuditEntry'>;

const PER_PAGE = 25;

export const auditQuery = (search: AuditSearch) =>
  queryOptions({
    queryKey: ['audit', search],
    queryFn: () =>
      unwrapBody(api.GET('/user/audit', { params: { query: { ...search, per_page: PER_PAGE } } })),
    placeholderData: keepPreviousData,
    // Actions from other pages must appear immediately.
    staleTime: 0,
  });
