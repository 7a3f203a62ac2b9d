import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api/client';

export type UserPayment = Schema<'UserPayment'>;

/** While the payment or an operation on it is on its way. */
const LOOK_AGAIN_MS = 3_000;
const UNDER_WAY: ReadonlySet<string> = new Set(['requested', 'sent', 'unknown']);

export const paymentQuery = (id: string) =>
  queryOptions({
    queryKey: ['payments', 'one', id],
    queryFn: async () => (await answerOf(api.GET('/user/payments/{id}', { params: { path: { id } } }))).data,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isUnderWay(data) ? LOOK_AGAIN_MS : false,
  });

function isUnderWay({ payment, attempts, deliveries }: UserPayment): boolean {
  return (
    payment.status === 'processing' ||
    attempts.some(({ status }) => UNDER_WAY.has(status)) ||
    deliveries.some(({ status, retry_count: tries }) => status === 'pending' && tries === 0)
  );
}
