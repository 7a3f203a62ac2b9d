import type { StoredContent } from '../customers/personal-content';
import type { PersonalContent, PersonalDataCipher } from '../../domain/customers/personal-data';
import type { EventSubject, PublishedEvent, WebhookEventType } from '../../domain/webhooks/webhook-event';
import type { Mode } from '../../domain/shared/mode';
import { EVENT_CONTENT, openEvent, sealEvent } from './event-content';
import type { DeliverySummary } from './webhook-delivery-repository';
import { assertChanged, jointCounts, jointTables, type JointChange } from '../sql/joint-changes';
import type { Database, Tx } from '../sql/transaction';

export interface NewEvent {
  readonly companyId: number;
  readonly subject: EventSubject;
  /** From 1, without gaps within one subject. */
  readonly sequence: number;
  readonly type: WebhookEventType;
  /** What the body shows of the subject. */
  readonly content: object;
  /** Whose personal data that includes; null if nobody's. */
  readonly personal: PersonalContent | null;
  readonly createdAt: Date;
}

/** A new delivery. Its first attempt is due at once. */
export interface NewDelivery extends DeliverySummary {
  readonly companyId: number;
  readonly endpointId: number;
  readonly eventId: number;
}

export interface ListedEvent extends Omit<NewEvent, 'companyId' | 'personal'> {
  readonly id: number;
  readonly txId: string;
  readonly mode: Mode;
  readonly type: PublishedEvent;
}

/** The last event that a reader of the list has seen. */
export interface EventCursor {
  readonly txId: string;
  readonly id: number;
}

interface PublishedRow {
  readonly counts: number[];
  readonly deliveries: ReadonlyArray<Pick<NewDelivery, 'id' | 'endpointId' | 'eventId'>>;
}

/** The parts of the statement that publishes an event. Their parameters are its first ones. */
const EVENT = `event AS (
         INSERT INTO events (company_id, subject_type, subject_id, sequence, type, payload, created_at, customer_id,
           personal_data)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $10, $11) RETURNING id, company_id, subject_id, type, created_at)`;
const DELIVERY = `delivery AS (
         INSERT INTO webhook_deliveries (id, event_id, endpoint_id, company_id, subject_id, next_retry_at, recover_after, created_at)
         SELECT uuidv7(), event.id, endpoint.id, event.company_id, event.subject_id, event.created_at, $8, event.created_at
           FROM event JOIN webhook_endpoints endpoint ON endpoint.company_id = event.company_id
          WHERE endpoint.enabled
            AND CASE WHEN $9::bigint IS NULL THEN event.type = ANY(endpoint.events) ELSE endpoint.id = $9 END
         RETURNING id, endpoint_id AS "endpointId", event_id AS "eventId")`;

/** How long the sweeper waits for the process that committed the event to start the deliveries' workflows. */
const DELIVERY_RECOVERY_DELAY_MS = 5_000;

/** Owns `events`. */
export class EventRepository {
  constructor(
    private readonly db: Database,
    private readonly cipher: PersonalDataCipher,
  ) {}

  /**
   * Inserts an event and a delivery for each enabled endpoint subscribed to it; for a test event, one for `endpointId`
   * only. Runs in the transaction of the change that the event reports (transactional outbox). `changes` are those that the
   * event reports, made by the same statement.
   *
   * @throws the error of the first of `changes` that did not change its row
   */
  async publish(
    tx: Tx,
    event: NewEvent,
    {
      endpointId = null,
      changes = [],
    }: { endpointId?: number | null; changes?: readonly JointChange[] } = {},
  ): Promise<NewDelivery[]> {
    const { companyId, subject, sequence, type, createdAt } = event;
    const sealed = await sealEvent(this.cipher, event);
    const values: unknown[] = [
      companyId,
      subject.type,
      subject.id,
      sequence,
      type,
      sealed.content,
      createdAt,
      new Date(createdAt.getTime() + DELIVERY_RECOVERY_DELAY_MS),
      endpointId,
      sealed.customerId,
      sealed.personalData,
    ];
    const tables = [...jointTables(changes, values), EVENT, DELIVERY];
    const published = await this.db.queryOne<PublishedRow>(
      `WITH ${tables.join(', ')}
       SELECT ${jointCounts(changes)} AS counts,
         COALESCE((SELECT json_agg(delivery ORDER BY "endpointId") FROM delivery), '[]') AS deliveries`,
      values,
      tx,
    );
    if (published === null) throw new Error('a select without a table returned no row');
    assertChanged(changes, published.counts);
    return published.deliveries.map((delivery) => ({
      ...delivery,
      companyId,
      event: type,
      status: 'pending',
      retryCount: 0,
      nextRetryAt: createdAt,
    }));
  }

  /** The newest events of a subscription, newest first. */
  async listNewest(
    companyId: number,
    subjectId: string,
    limit: number,
  ): Promise<Pick<ListedEvent, 'id' | 'sequence' | 'type' | 'createdAt'>[]> {
    return this.db.query(
      `SELECT id, sequence, type, created_at AS "createdAt" FROM events
        WHERE company_id = $1 AND subject_type = 'subscription' AND subject_id = $2
        ORDER BY sequence DESC LIMIT $3`,
      [companyId, subjectId, limit],
    );
  }

  /**
   * A company's published events after `after`, oldest first. Ids are assigned before their transactions commit, so the
   * order is by transaction id, and the list ends before the oldest open transaction: no event appears behind a cursor.
   */
  async list(
    companyId: number,
    { after, type, limit }: { after: EventCursor | null; type: PublishedEvent | null; limit: number },
  ): Promise<ListedEvent[]> {
    const rows = await this.db.query<Omit<ListedEvent, 'content'> & StoredContent>(
      `SELECT id, tx_id::text AS "txId", type, created_at AS "createdAt", ${EVENT_CONTENT} FROM events e
        WHERE company_id = $1 AND (tx_id, id) > ($2::xid8, $3::bigint)
          AND tx_id < pg_snapshot_xmin(pg_current_snapshot())
          AND subject_type <> 'test' AND ($4::text IS NULL OR type = $4)
        ORDER BY tx_id, id LIMIT $5`,
      [companyId, after?.txId ?? '0', after?.id ?? 0, type, limit],
    );
    return Promise.all(rows.map((row) => openEvent(this.cipher, row)));
  }

  /** Whether an event of the list after the cursor was deleted. */
  async isDeletedAfter(companyId: number, after: EventCursor, type: PublishedEvent | null): Promise<boolean> {
    const row = await this.db.queryOne(
      `SELECT FROM deleted_events
        WHERE company_id = $1 AND (tx_id, id) > ($2::xid8, $3::bigint) AND ($4::text IS NULL OR type = $4) LIMIT 1`,
      [companyId, after.txId, after.id, type],
    );
    return row !== null;
  }
}
