import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';

export type Endpoint = Schema<'WebhookEndpoint'>;
export type Delivery = Schema<'WebhookDelivery'>;

export const endpointsQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: async () => (await unwrapBody(api.GET('/user/company/webhooks'))).data,
});

/** Polling interval until the first attempt has finished. */
const REFETCH_INTERVAL_MS = 2_000;

export const deliveriesQuery = (id: number, page: number) =>
  queryOptions({
    queryKey: ['webhooks', 'deliveries', id, page],
    queryFn: () =>
      unwrapBody(
        api.GET('/user/company/webhooks/{id}/deliveries', { params: { path: { id }, query: { page } } }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ status, attempts }) => status === 'pending' && attempts.length === 0) === true
        ? REFETCH_INTERVAL_MS
        : false,
  });
