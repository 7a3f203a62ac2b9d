import {
  DISPUTE_EVENTS,
  SUBSCRIPTION_EVENTS,
  TRANSACTION_EVENTS,
} from '../../../domain/webhooks/webhook-event';
import type { Schema } from '../../api/client';
import { oneOf, omitUndefined, wholeNumberOf, type RawSearch } from '../shared/search-params';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const satisfies ReadonlyArray<
  Schema<'WebhookDelivery'>['status']
>;
export const DELIVERED_EVENTS = [
  ...TRANSACTION_EVENTS,
  ...DISPUTE_EVENTS,
  ...SUBSCRIPTION_EVENTS,
  'webhook.test',
] as const;

/** Filters, named like the query parameters of the list, and stored in the URL. */
export interface DeliverySearch {
  readonly status?: (typeof DELIVERY_STATUSES)[number];
  readonly event?: (typeof DELIVERED_EVENTS)[number];
  readonly page?: number;
}

export function deliverySearchOf(search: RawSearch): DeliverySearch {
  return omitUndefined({
    status: oneOf(search, 'status', DELIVERY_STATUSES),
    event: oneOf(search, 'event', DELIVERED_EVENTS),
    page: wholeNumberOf(search, 'page', 2),
  });
}
