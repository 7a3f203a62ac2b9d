import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import type { PaymentLinkSearch } from './routes';

export type PaymentLink = Schema<'PaymentLink'>;

const PER_PAGE = 25;

const listLinks = (search: Omit<PaymentLinkSearch, 'link'>) =>
  unwrapBody(api.GET('/user/payment-links', { params: { query: { ...search, per_page: PER_PAGE } } }));

async function listOne(token: string) {
  const { data } = await unwrapBody(api.GET('/user/payment-links/{token}', { params: { path: { token } } }));
  return { data: [data], meta: { current_page: 1, per_page: 1, total: 1, last_page: 1 } };
}

export const paymentLinksQuery = ({ link, ...search }: PaymentLinkSearch) =>
  queryOptions({
    queryKey: ['payment-links', search, link],
    queryFn: () => (link === undefined ? listLinks(search) : listOne(link)),
    placeholderData: keepPreviousData,
  });
