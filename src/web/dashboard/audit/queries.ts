import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api/client';
import type { AuditSearch } from './routes';

export type AuditEntry = Schema<'AuditEntry'>;

const PER_PAGE = 25;

export const auditQuery = (search: AuditSearch) =>
  queryOptions({
    queryKey: ['audit', search],
    queryFn: () => answerOf(api.GET('/user/audit', { params: { query: { ...search, per_page: PER_PAGE } } })),
    placeholderData: keepPreviousData,
    // Whatever was done a moment ago, on whichever page, is to be seen here.
    staleTime: 0,
  });
