import { queryOptions } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';

export type UserPayment = Schema<'UserPayment'>;

/** Polling interval while the payment or one of its operations is in progress. */
const REFETCH_INTERVAL_MS = 3_000;
const IN_PROGRESS: ReadonlySet<string> = new Set(['requested', 'sent', 'unknown']);

export const paymentQuery = (id: string) =>
  queryOptions({
    queryKey: ['payments', 'one', id],
    queryFn: async () =>
      (await unwrapBody(api.GET('/user/payments/{id}', { params: { path: { id } } }))).data,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isInProgress(data) ? REFETCH_INTERVAL_MS : false,
  });

function isInProgress({ payment, attempts, deliveries }: UserPayment): boolean {
  return (
    payment.status === 'processing' ||
    attempts.some(({ status }) => IN_PROGRESS.has(status)) ||
    deliveries.some(({ status, retry_count: attemptCount }) => status === 'pending' && attemptCount === 0)
  );
}
