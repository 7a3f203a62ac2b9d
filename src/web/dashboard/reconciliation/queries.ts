import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import { BROWSING, IN_PROGRESS, liveInterval, SETTLED } from '../shared/live';
import type { DifferenceSearch, StatementSearch } from './routes';

export type Statement = Schema<'Settlement'>;
export type Difference = Schema<'SettlementItem'>;
export type DifferenceDetail = Schema<'SettlementItemDetailResponse'>['data'];
export type StatementLine = Schema<'StatementLine'>;

const PER_PAGE = 25;

export const statementsQuery = (search: StatementSearch) =>
  queryOptions({
    queryKey: ['reconciliation', 'statements', search],
    queryFn: () =>
      unwrapBody(api.GET('/user/settlements', { params: { query: { ...search, per_page: PER_PAGE } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: liveInterval(({ data }) => (data.some(isUnderWay) ? IN_PROGRESS : SETTLED)),
  });

export const statementQuery = (id: string) =>
  queryOptions({
    queryKey: ['reconciliation', 'statement', id],
    queryFn: async () =>
      (await unwrapBody(api.GET('/user/settlements/{id}', { params: { path: { id } } }))).data,
    refetchInterval: liveInterval((statement) => (isUnderWay(statement) ? IN_PROGRESS : SETTLED)),
  });

/** Until when the company is reconciled, and how many differences are open; null without a statement. */
export const reconciledQuery = queryOptions({
  queryKey: ['reconciliation', 'until'],
  queryFn: async () => {
    const query = { per_page: 1 };
    const { meta, ...rest } = await unwrapBody(api.GET('/user/settlements', { params: { query } }));
    return meta.total === 0 ? null : { until: rest.reconciled_until, open: rest.open_items };
  },
  refetchInterval: liveInterval(() => BROWSING),
});

/** `version`: changes when there may be others. */
export const differencesQuery = (search: DifferenceSearch, version = '') =>
  queryOptions({
    queryKey: ['reconciliation', 'differences', search, version],
    queryFn: () =>
      unwrapBody(
        api.GET('/user/settlements/items', { params: { query: { ...search, per_page: PER_PAGE } } }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const differenceQuery = (id: string) =>
  queryOptions({
    queryKey: ['reconciliation', 'difference', id],
    queryFn: async () =>
      (await unwrapBody(api.GET('/user/settlements/items/{id}', { params: { path: { id } } }))).data,
  });

export const reportQuery = (month: string) =>
  queryOptions({
    queryKey: ['reconciliation', 'report', month],
    queryFn: async () =>
      (await unwrapBody(api.GET('/user/reports/monthly', { params: { query: { month } } }))).data,
    placeholderData: keepPreviousData,
  });

function isUnderWay({ status }: Statement): boolean {
  return status !== 'done' && status !== 'failed';
}
