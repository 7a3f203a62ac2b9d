import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api/client';

export type Endpoint = Schema<'WebhookEndpoint'>;
export type Delivery = Schema<'WebhookDelivery'>;

export const endpointsQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: async () => (await answerOf(api.GET('/user/company/webhooks'))).data,
});

/** While the first attempt is on its way. */
const LOOK_AGAIN_MS = 2_000;

export const deliveriesQuery = (id: number, page: number) =>
  queryOptions({
    queryKey: ['webhooks', 'deliveries', id, page],
    queryFn: () =>
      answerOf(
        api.GET('/user/company/webhooks/{id}/deliveries', { params: { path: { id }, query: { page } } }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ status, attempts }) => status === 'pending' && attempts.length === 0) === true
        ? LOOK_AGAIN_MS
        : false,
  });
