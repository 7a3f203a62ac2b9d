import type { DeliveryId } from '../../domain/shared/ids';
import type { PublishedEvent, WebhookEventType } from '../../domain/webhooks/webhook-event';
import type { DeliverySummary } from './webhook-delivery-repository';
import type { Database, Tx } from '../sql/transaction';

export interface NewEvent {
  readonly companyId: number;
  readonly resourceType: 'payment' | 'subscription' | 'test';
  readonly resourceId: string;
  /** From 1, without gaps within one resource. */
  readonly sequence: number;
  readonly type: WebhookEventType;
  /** The body as it will be sent. */
  readonly payload: string;
  readonly createdAt: Date;
}

/** A delivery as it is born: its first attempt is due at once. */
export interface NewDelivery extends DeliverySummary {
  readonly companyId: number;
  readonly endpointId: number;
}

export interface ListedEvent {
  readonly id: number;
  readonly txId: string;
  readonly type: PublishedEvent;
  readonly payload: string;
  readonly createdAt: Date;
}

/** Where a reader of the list stands: after this event of this transaction. */
export interface EventCursor {
  readonly txId: string;
  readonly id: number;
}

/** Long enough for whoever committed the event to start its deliveries' workflows. */
const DELIVERY_RECOVERY_DELAY_MS = 5_000;

/** The one owner of `events`. */
export class EventRepository {
  constructor(private readonly db: Database) {}

  /**
   * Keeps an event and makes its deliveries, one for each endpoint that wants it now; for a test event, one for
   * `endpointId` alone. In the transaction that makes the event true, so that neither is without the other.
   */
  async publish(tx: Tx, event: NewEvent, endpointId: number | null = null): Promise<NewDelivery[]> {
    const { companyId, resourceType, resourceId, sequence, type, payload, createdAt } = event;
    const born = await this.db.query<{ id: DeliveryId; endpointId: number }>(
      `WITH event AS (
         INSERT INTO events (company_id, resource_type, resource_id, sequence, type, payload, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id, company_id, resource_id, type, created_at)
       INSERT INTO webhook_deliveries (id, event_id, endpoint_id, company_id, resource_id, next_retry_at, recover_after, created_at)
       SELECT uuidv7(), event.id, endpoint.id, event.company_id, event.resource_id, event.created_at, $8, event.created_at
         FROM event JOIN webhook_endpoints endpoint ON endpoint.company_id = event.company_id
        WHERE endpoint.enabled
          AND CASE WHEN $9::bigint IS NULL THEN event.type = ANY(endpoint.events) ELSE endpoint.id = $9 END
       RETURNING id, endpoint_id AS "endpointId"`,
      [
        companyId,
        resourceType,
        resourceId,
        sequence,
        type,
        payload,
        createdAt,
        new Date(createdAt.getTime() + DELIVERY_RECOVERY_DELAY_MS),
        endpointId,
      ],
      tx,
    );
    return born.map((delivery) => ({
      ...delivery,
      companyId,
      event: type,
      status: 'pending',
      retryCount: 0,
      nextRetryAt: createdAt,
    }));
  }

  /** What was told of one resource, the newest first. */
  async newestOf(
    companyId: number,
    resourceId: string,
    limit: number,
  ): Promise<{ readonly sequence: number; readonly type: PublishedEvent; readonly createdAt: Date }[]> {
    return this.db.query(
      `SELECT sequence, type, created_at AS "createdAt" FROM events
        WHERE company_id = $1 AND resource_type = 'subscription' AND resource_id = $2
        ORDER BY sequence DESC LIMIT $3`,
      [companyId, resourceId, limit],
    );
  }

  /**
   * A company's published events after `after`, oldest first. Ids are given out before transactions commit, so that the
   * order is by transaction, and only what is older than every open one is listed: nothing can appear behind a cursor.
   */
  async list(
    companyId: number,
    { after, type, limit }: { after: EventCursor | null; type: PublishedEvent | null; limit: number },
  ): Promise<ListedEvent[]> {
    return this.db.query<ListedEvent>(
      `SELECT id, tx_id::text AS "txId", type, payload, created_at AS "createdAt" FROM events
        WHERE company_id = $1 AND (tx_id, id) > ($2::xid8, $3::bigint)
          AND tx_id < pg_snapshot_xmin(pg_current_snapshot())
          AND resource_type <> 'test' AND ($4::text IS NULL OR type = $4)
        ORDER BY tx_id, id LIMIT $5`,
      [companyId, after?.txId ?? '0', after?.id ?? 0, type, limit],
    );
  }
}
