import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import type { PaymentLinkSearch } from './routes';

export type PaymentLink = Schema<'PaymentLink'>;

const PER_PAGE = 25;

export const paymentLinksQuery = (search: PaymentLinkSearch) =>
  queryOptions({
    queryKey: ['payment-links', search],
    queryFn: () =>
      unwrapBody(api.GET('/user/payment-links', { params: { query: { ...search, per_page: PER_PAGE } } })),
    placeholderData: keepPreviousData,
  });
