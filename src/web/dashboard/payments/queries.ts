import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import { BROWSING, liveInterval } from '../shared/live';
import type { PaymentSearch } from './search';

export type ListedPayment = Schema<'UserPaymentListItem'>;

const PER_PAGE = 25;

export const paymentsQuery = (search: PaymentSearch) =>
  queryOptions({
    queryKey: ['payments', 'list', search],
    queryFn: () =>
      unwrapBody(api.GET('/user/payments', { params: { query: { ...search, per_page: PER_PAGE } } })),
    placeholderData: keepPreviousData,
    refetchInterval: liveInterval(() => BROWSING),
  });
