import { queryOptions } from '@tanstack/react-query';
import { IN_PROGRESS, liveInterval, SETTLED, WAITING } from '../shared/live';
import { unwrapBody, api, type Schema } from '../../api/client';

export type UserPayment = Schema<'UserPayment'>;

const UNFINISHED: ReadonlySet<string> = new Set(['requested', 'sent', 'unknown']);

export const paymentQuery = (id: string) =>
  queryOptions({
    queryKey: ['payments', 'one', id],
    queryFn: async () =>
      (await unwrapBody(api.GET('/user/payments/{id}', { params: { path: { id } } }))).data,
    refetchInterval: liveInterval(paceOf),
  });

function paceOf(detail: UserPayment) {
  if (isInProgress(detail)) return IN_PROGRESS;
  return isAwaited(detail) ? WAITING : SETTLED;
}

/** A customer, a gateway, an operator or a receiver of webhooks still has to do something. */
function isAwaited({ payment, attempts, deliveries, stuck_since: stuckSince }: UserPayment): boolean {
  return (
    payment.status === 'pending' ||
    payment.status === 'authorized' ||
    stuckSince !== null ||
    attempts.some(({ status }) => status === 'accepted') ||
    deliveries.some(({ status }) => status === 'pending')
  );
}

function isInProgress({ payment, attempts, deliveries }: UserPayment): boolean {
  return (
    payment.status === 'processing' ||
    attempts.some(({ status }) => UNFINISHED.has(status)) ||
    deliveries.some(({ status, retry_count: attemptCount }) => status === 'pending' && attemptCount === 0)
  );
}
