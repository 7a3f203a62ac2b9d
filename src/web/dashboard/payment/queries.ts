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
  const paceOfEvents = paceOfDeliveries(detail);
  return paceOfEvents === SETTLED && isAwaited(detail) ? WAITING : paceOfEvents;
}

/** A customer, a gateway or an operator still has to do something. */
export function isAwaited({ payment, attempts, stuck_since: stuckSince }: UserPayment): boolean {
  return (
    payment.status === 'pending' ||
    payment.status === 'authorized' ||
    stuckSince !== null ||
    attempts.some(({ status }) => status === 'accepted')
  );
}

/** Whether deliveries of its events are under way, or wait for their next try. */
function paceOfDeliveries({ deliveries }: UserPayment) {
  const pending = deliveries.filter(({ status }) => status === 'pending');
  if (pending.length === 0) return SETTLED;
  return pending.some(({ retry_count: attemptCount }) => attemptCount === 0) ? IN_PROGRESS : WAITING;
}

/** A result is expected within seconds. */
export function isInProgress({ payment, attempts, inquiry }: UserPayment): boolean {
  return (
    payment.status === 'processing' ||
    attempts.some(({ status }) => UNFINISHED.has(status)) ||
    (inquiry !== null && inquiry.answered_at === null)
  );
}
