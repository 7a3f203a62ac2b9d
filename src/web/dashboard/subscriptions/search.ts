import { oneOf, omitUndefined, textOf, wholeNumberOf, type RawSearch } from '../shared/search-params';
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from './status-labels';

/** Filters, named like the query parameters of `GET /user/subscriptions`. */
export interface SubscriptionSearch {
  readonly status?: SubscriptionStatus;
  readonly plan_id?: string;
  /** The customer's token. */
  readonly customer?: string;
  /** Only those whose charge is on hold. */
  readonly charge_on_hold?: boolean;
  readonly page?: number;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function subscriptionSearchOf(search: RawSearch): SubscriptionSearch {
  const plan = textOf(search, 'plan_id');
  return omitUndefined({
    status: oneOf(search, 'status', SUBSCRIPTION_STATUSES),
    plan_id: plan !== undefined && UUID.test(plan) ? plan : undefined,
    customer: textOf(search, 'customer', 100),
    charge_on_hold: search['charge_on_hold'] === true ? true : undefined,
    page: wholeNumberOf(search, 'page', 2),
  });
}

export function isFiltered({ page: _page, ...filters }: SubscriptionSearch): boolean {
  return Object.keys(filters).length > 0;
}
