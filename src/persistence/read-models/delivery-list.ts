import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type {
  DeliveryStatus,
  SubscribableEvent,
  WebhookEventType,
} from '../../domain/webhooks/webhook-event';
import type { Database } from '../sql/transaction';
import {
  DELIVERY_COLUMNS,
  type DeliveryWithAttempts,
  type WebhookDeliveryRepository,
} from '../webhooks/webhook-delivery-repository';

/** Which deliveries of an endpoint a list shows. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly event?: SubscribableEvent | WebhookEventType | undefined;
}

/** A delivery with the payment that its event is about. */
export interface ListedDelivery extends DeliveryWithAttempts {
  /** Null if the event is about no payment. */
  readonly payment: DeliveredPayment | null;
}

interface DeliveredPayment {
  readonly merchantOrderId: string;
  readonly amountCents: number;
  readonly currency: string;
}

const MATCHES = `d.endpoint_id = $1 AND ($2::text IS NULL OR d.status = $2) AND ($3::text IS NULL OR e.type = $3)`;

const PAYMENT = `CASE WHEN p.id IS NOT NULL THEN json_build_object(
  'merchantOrderId', p.merchant_order_id, 'amountCents', p.amount_cents, 'currency', p.currency) END AS payment`;

/** The deliveries to an endpoint with every attempt, newest first. */
export class DeliveryList {
  constructor(
    private readonly db: Database,
    private readonly deliveries: WebhookDeliveryRepository,
  ) {}

  async load(endpointId: number, filter: DeliveryFilter, page: PageRequest): Promise<Page<ListedDelivery>> {
    const { limit, offset } = pageBounds(page);
    const bind = [endpointId, filter.status ?? null, filter.event ?? null];
    const [rows, [counted]] = await Promise.all([
      this.db.query<Omit<ListedDelivery, 'attempts'>>(
        `SELECT ${DELIVERY_COLUMNS}, ${PAYMENT}
           FROM webhook_deliveries d JOIN events e ON e.id = d.event_id
           LEFT JOIN payments p ON e.subject_type = 'payment' AND p.transaction_id = d.subject_id
          WHERE ${MATCHES} ORDER BY d.id DESC LIMIT $4 OFFSET $5`,
        [...bind, limit, offset],
      ),
      this.db.query<{ count: number }>(
        `SELECT count(*) FROM webhook_deliveries d JOIN events e ON e.id = d.event_id WHERE ${MATCHES}`,
        bind,
      ),
    ]);
    return { rows: await this.deliveries.withAttempts(rows), total: counted?.count ?? 0 };
  }
}
