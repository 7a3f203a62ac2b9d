import type { ApiClient } from '../../api/support/api-client';
import { APPROVED_CARD, rawCard } from '../../support/fixtures/payments';

/** Declined with 05, which is soft, and with 41, which is hard. */
export const SOFT_DECLINE_CARD = rawCard('4000000000000002');
export const HARD_DECLINE_CARD = rawCard('4000000000009987');
/** Approved for the first charge, then declined with 51. */
export const DECLINED_ON_RENEWAL_CARD = rawCard('4000000000000341');
export const GOOD_CARD = rawCard(APPROVED_CARD);
export const OTHER_GOOD_CARD = rawCard('5555555555554444');

const ROUTES = {
  pause: 'pauseSubscription',
  resume: 'resumeSubscription',
  cancel: 'cancelSubscription',
  uncancel: 'uncancelSubscription',
  plan: 'changeSubscriptionPlan',
  card: 'changeSubscriptionCard',
  retry: 'retrySubscription',
} as const;

export type CommandName = keyof typeof ROUTES;

/** Sends a command to a subscription by its route. */
export function sendCommand(
  client: ApiClient,
  uuid: string,
  command: CommandName,
  body?: object,
  key?: string,
) {
  return client(ROUTES[command], {
    params: { uuid },
    ...(body !== undefined && { body }),
    ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
  });
}
