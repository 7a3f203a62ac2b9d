import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DeliverySearch } from './delivery-search';
import { BROWSING, IN_PROGRESS, liveInterval } from '../shared/live';
import { unwrapBody, api, type Schema } from '../../api/client';

export type Endpoint = Schema<'WebhookEndpoint'>;
export type Delivery = Schema<'WebhookDelivery'>;

export const endpointsQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: async () => (await unwrapBody(api.GET('/user/company/webhooks'))).data,
  refetchInterval: liveInterval(() => BROWSING),
});

export const deliveriesQuery = (id: number, filter: Omit<DeliverySearch, 'page'>, page: number) =>
  queryOptions({
    queryKey: ['webhooks', 'deliveries', id, filter, page],
    queryFn: () =>
      unwrapBody(
        api.GET('/user/company/webhooks/{id}/deliveries', {
          params: { path: { id }, query: { ...filter, page } },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: liveInterval(({ data }) =>
      data.some(({ status, attempts }) => status === 'pending' && attempts.length === 0)
        ? IN_PROGRESS
        : BROWSING,
    ),
  });
