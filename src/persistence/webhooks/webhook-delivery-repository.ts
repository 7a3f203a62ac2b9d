import type { Mode } from '../../domain/shared/mode';
import type { PersonalDataCipher } from '../../domain/customers/personal-data';
import type { DeliveryId } from '../../domain/shared/ids';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { WebhookAttempt } from '../../domain/webhooks/webhook-attempt';
import type { DeliveryStatus, EventSubject, WebhookEventType } from '../../domain/webhooks/webhook-event';
import type { StoredContent } from '../customers/personal-content';
import { EVENT_CONTENT, openEvent } from './event-content';
import type { DisabledReason } from './webhook-endpoint-repository';
import type { Database, Tx } from '../sql/transaction';

/** The delivery of one event to one endpoint. */
export interface DeliverySummary {
  readonly id: DeliveryId;
  readonly event: WebhookEventType;
  readonly status: DeliveryStatus;
  /** Number of attempts. */
  readonly retryCount: number;
  readonly nextRetryAt: Date | null;
}

export interface DeliveryWithAttempts extends DeliverySummary {
  readonly endpointId: number;
  readonly eventId: number;
  /** Set for an event of a payment. */
  readonly transactionId: string | null;
  /** Set for an event of a subscription. */
  readonly subscriptionId: string | null;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
  readonly attempts: readonly WebhookAttempt[];
}

/** A delivery with what an attempt needs. */
export interface DeliveryToSend extends DeliverySummary {
  readonly companyId: number;
  readonly endpointId: number;
  readonly eventId: number;
  readonly mode: Mode;
  readonly subject: EventSubject;
  readonly sequence: number;
  readonly content: object;
  readonly url: string;
  readonly endpointEnabled: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly disabledNotifiedAt: Date | null;
  readonly failingSince: Date | null;
  readonly sealedSecret: SealedValue;
  /** Rotated secrets, each of which signs too until its instant. */
  readonly olderSecrets: ReadonlyArray<{ readonly sealed: SealedValue; readonly until: string }>;
}

/** A delivery's state after an attempt. */
export interface DeliveryChange {
  readonly status: DeliveryStatus;
  readonly nextRetryAt: Date | null;
}

/** A delivery as needed to start its workflow. */
export interface DeliveryToStart {
  readonly id: DeliveryId;
  readonly endpointId: number;
  readonly companyId: number;
  readonly event: WebhookEventType;
}

/** How long after an attempt is due the sweeper starts the workflow. */
const ATTEMPT_RECOVERY_DELAY_MS = 120_000;
/** How long the sweeper waits for a resend request to start the workflow. */
export const RESEND_RECOVERY_DELAY_MS = 5_000;

const SUMMARY = `d.id, e.type AS event, d.status, d.retry_count AS "retryCount", d.next_retry_at AS "nextRetryAt"`;

/** Owns `webhook_deliveries` and `webhook_attempts`; `event-repository.ts` inserts the deliveries. */
export class WebhookDeliveryRepository {
  constructor(
    private readonly db: Database,
    private readonly cipher: PersonalDataCipher,
  ) {}

  async getToSend(id: DeliveryId): Promise<DeliveryToSend> {
    const row = await this.db.queryOne<Omit<DeliveryToSend, 'content'> & StoredContent>(
      `SELECT ${SUMMARY}, d.company_id AS "companyId", d.endpoint_id AS "endpointId",
         d.event_id AS "eventId", ${EVENT_CONTENT}, p.url,
         p.enabled AS "endpointEnabled", p.disabled_reason AS "disabledReason", p.disabled_notified_at AS "disabledNotifiedAt",
         p.failing_since AS "failingSince", p.sealed_secret AS "sealedSecret", p.older_secrets AS "olderSecrets"
       FROM webhook_deliveries d
       JOIN events e ON e.id = d.event_id
       JOIN webhook_endpoints p ON p.id = d.endpoint_id
       WHERE d.id = $1`,
      [id],
    );
    if (row === null) throw new Error('the delivery does not exist');
    return openEvent(this.cipher, row);
  }

  /**
   * Records an attempt and the delivery's new state, and returns the state it has then. An attempt that is recorded
   * already changes nothing. A delivery that was ended or requeued during the attempt keeps its state, unless the attempt
   * was delivered. What the receiver answered is not kept if the customer is erased: it may be what was sent.
   */
  async recordAttempt(
    { id, nextRetryAt: dueAt }: Pick<DeliverySummary, 'id' | 'nextRetryAt'>,
    attempt: WebhookAttempt,
    change: DeliveryChange,
    now: Date,
    tx?: Tx,
  ): Promise<DeliveryChange> {
    const { status, nextRetryAt } = change;
    const recoverAfter = nextRetryAt && new Date(nextRetryAt.getTime() + ATTEMPT_RECOVERY_DELAY_MS);
    const updated = await this.db.queryOne<DeliveryChange>(
      `WITH updated AS (
         UPDATE webhook_deliveries
            SET retry_count = $2,
              status = CASE WHEN next_retry_at = $12 OR $8 = 'delivered' THEN $8 ELSE status END,
              next_retry_at = CASE WHEN next_retry_at = $12 THEN $9::timestamptz WHEN $8 <> 'delivered' THEN next_retry_at END,
              recover_after = CASE WHEN next_retry_at = $12 THEN $10::timestamptz WHEN $8 <> 'delivered' THEN recover_after END,
              delivered_at = CASE WHEN $8 = 'delivered' THEN $11 ELSE delivered_at END
          WHERE id = $1 AND retry_count = $2 - 1 RETURNING id, status, next_retry_at),
       -- Locked, so that the customer is erased either before, or with this answer.
       customer AS (
         SELECT c.erased_at FROM customers c WHERE $7::text <> '' AND c.id = (
           SELECT COALESCE(e.customer_id, s.customer_id)
             FROM webhook_deliveries d JOIN events e ON e.id = d.event_id
             LEFT JOIN subscriptions s ON s.uuid = d.subject_id WHERE d.id = $1) FOR KEY SHARE),
       inserted AS (
         INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status_code, error, response_excerpt)
         SELECT id, $2, $3, $4, $5, $6, CASE WHEN (SELECT erased_at FROM customer) IS NULL THEN $7::text END FROM updated)
       SELECT status, next_retry_at AS "nextRetryAt" FROM updated`,
      [
        id,
        attempt.number,
        attempt.startedAt,
        attempt.durationMs,
        attempt.statusCode,
        attempt.error,
        attempt.responseExcerpt,
        status,
        nextRetryAt,
        recoverAfter,
        now,
        dueAt,
      ],
      tx,
    );
    return updated ?? change;
  }

  /** Whether an attempt at the endpoint started in `[from, to)`. */
  async hasAttempts(endpointId: number, from: Date, to: Date): Promise<boolean> {
    const row = await this.db.queryOne(
      `SELECT 1 FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
        WHERE d.endpoint_id = $1 AND a.started_at >= $2 AND a.started_at < $3 LIMIT 1`,
      [endpointId, from, to],
    );
    return row !== null;
  }

  /** For a delivery that can no longer be sent. */
  async markFailed(id: DeliveryId): Promise<void> {
    await this.db.execute(
      `UPDATE webhook_deliveries SET status = 'failed', next_retry_at = NULL, recover_after = NULL
       WHERE id = $1 AND status = 'pending'`,
      [id],
    );
  }

  /** Marks all pending deliveries of an endpoint as failed, when it is disabled or deleted. */
  async markPendingFailed(tx: Tx, endpointId: number): Promise<void> {
    await this.db.execute(
      `UPDATE webhook_deliveries SET status = 'failed', next_retry_at = NULL, recover_after = NULL
       WHERE endpoint_id = $1 AND status = 'pending'`,
      [endpointId],
      tx,
    );
  }

  /** Makes a delivery due now, whatever its status. Null if the endpoint has no such delivery. */
  async requeue(tx: Tx, endpointId: number, id: DeliveryId, now: Date): Promise<DeliveryToStart | null> {
    const recoverAfter = new Date(now.getTime() + RESEND_RECOVERY_DELAY_MS);
    return this.db.queryOne<DeliveryToStart>(
      `UPDATE webhook_deliveries d SET status = 'pending', next_retry_at = $3, recover_after = $4
         FROM events e
        WHERE d.id = $2 AND d.endpoint_id = $1 AND e.id = d.event_id
        RETURNING d.id, d.endpoint_id AS "endpointId", d.company_id AS "companyId", e.type AS event`,
      [endpointId, id, now, recoverAfter],
      tx,
    );
  }

  /** Oldest event first. */
  async listBySubject(subjectId: string, tx?: Tx): Promise<DeliverySummary[]> {
    return this.db.query<DeliverySummary>(
      `SELECT ${SUMMARY} FROM webhook_deliveries d JOIN events e ON e.id = d.event_id
        WHERE d.subject_id = $1 ORDER BY d.event_id, d.endpoint_id`,
      [subjectId],
      tx,
    );
  }

  /** Grouped by subject; each group is in the order of `listBySubject`. */
  async listBySubjects(subjectIds: readonly string[]): Promise<ReadonlyMap<string, DeliverySummary[]>> {
    const rows = await this.db.query<DeliverySummary & { subjectId: string }>(
      `SELECT d.subject_id AS "subjectId", ${SUMMARY} FROM webhook_deliveries d JOIN events e ON e.id = d.event_id
        WHERE d.subject_id = ANY($1::uuid[]) ORDER BY d.event_id, d.endpoint_id`,
      [subjectIds],
    );
    const bySubject = new Map<string, DeliverySummary[]>();
    for (const { subjectId, ...delivery } of rows) {
      bySubject.set(subjectId, [...(bySubject.get(subjectId) ?? []), delivery]);
    }
    return bySubject;
  }

  /** Null if the endpoint has no such delivery. */
  async find(endpointId: number, id: DeliveryId): Promise<DeliveryWithAttempts | null> {
    const found = await this.db.query<Omit<DeliveryWithAttempts, 'attempts'>>(
      `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries d JOIN events e ON e.id = d.event_id
        WHERE d.endpoint_id = $1 AND d.id = $2`,
      [endpointId, id],
    );
    return (await this.withAttempts(found))[0] ?? null;
  }

  /**
   * Returns at most `limit` deliveries past `recover_after` and postpones it by the delivery's age (15 s to an hour): no
   * other sweeper claims it meanwhile, and one that waits for a busy endpoint is retried less and less often.
   */
  async claimOverdue(limit: number, now: Date): Promise<DeliveryToStart[]> {
    return this.db.query<DeliveryToStart>(
      `WITH overdue AS MATERIALIZED (
         SELECT id FROM webhook_deliveries WHERE recover_after <= $1 ORDER BY recover_after LIMIT $2 FOR UPDATE SKIP LOCKED)
       UPDATE webhook_deliveries d
          SET recover_after = $1::timestamptz + LEAST(GREATEST($1 - d.next_retry_at, interval '15 seconds'), interval '1 hour')
         FROM overdue, events e
        WHERE d.id = overdue.id AND e.id = d.event_id
        RETURNING d.id, d.endpoint_id AS "endpointId", d.company_id AS "companyId", e.type AS event`,
      [now, limit],
    );
  }

  /** Adds the attempts of each delivery, in order. */
  async withAttempts<Delivery extends Pick<DeliveryWithAttempts, 'id'>>(
    deliveries: readonly Delivery[],
  ): Promise<Array<Delivery & Pick<DeliveryWithAttempts, 'attempts'>>> {
    if (deliveries.length === 0) return [];
    const attempts = await this.db.query<WebhookAttempt & { deliveryId: DeliveryId }>(
      `SELECT delivery_id AS "deliveryId", number, started_at AS "startedAt", duration_ms AS "durationMs",
         status_code AS "statusCode", error, response_excerpt AS "responseExcerpt"
       FROM webhook_attempts WHERE delivery_id = ANY($1::uuid[]) ORDER BY delivery_id, number`,
      [deliveries.map(({ id }) => id)],
    );
    return deliveries.map((delivery) => ({
      ...delivery,
      attempts: attempts
        .filter(({ deliveryId }) => deliveryId === delivery.id)
        .map(({ deliveryId: _, ...attempt }) => attempt),
    }));
  }
}

/** Of `webhook_deliveries d` and its event `e`. */
export const DELIVERY_COLUMNS = `${SUMMARY}, d.endpoint_id AS "endpointId", d.event_id AS "eventId", d.created_at AS "createdAt", d.delivered_at AS "deliveredAt",
  CASE WHEN e.subject_type = 'payment' THEN d.subject_id END AS "transactionId",
  CASE WHEN e.subject_type = 'subscription' THEN d.subject_id END AS "subscriptionId"`;
