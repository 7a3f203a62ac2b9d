import type { ApiClient } from '../../api/support/api-client';
import { APPROVED_CARD, rawCard } from '../../support/fixtures/payments';

/** Refused with 05, a soft decline; refused with 41, a hard one. */
export const REFUSED_CARD = rawCard('4000000000000002');
export const LOST_CARD = rawCard('4000000000009987');
/** Good for the first charge, refused with 51 from then on. */
export const RUNS_DRY = rawCard('4000000000000341');
export const GOOD_CARD = rawCard(APPROVED_CARD);
export const OTHER_GOOD_CARD = rawCard('5555555555554444');

const OPERATIONS = {
  pause: 'pauseSubscription',
  resume: 'resumeSubscription',
  cancel: 'cancelSubscription',
  uncancel: 'uncancelSubscription',
  plan: 'changeSubscriptionPlan',
  card: 'changeSubscriptionCard',
  retry: 'retrySubscription',
} as const;

export type Asked = keyof typeof OPERATIONS;

/** Asks something of a subscription by its route. */
export function ask(client: ApiClient, uuid: string, asked: Asked, body?: object, key?: string) {
  return client(OPERATIONS[asked], {
    params: { uuid },
    ...(body !== undefined && { body }),
    ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
  });
}
