import { TIMELINE_LIMIT } from '../../domain/timeline/payment-timeline';
import type { WebhookAttempt } from '../../domain/webhooks/webhook-attempt';
import type { PublishedEvent } from '../../domain/webhooks/webhook-event';
import { INQUIRED_DISPUTE } from '../payments/gateway-callback-repository';
import type { Database, Tx } from '../sql/transaction';
import type { DeliveryWithAttempts } from '../webhooks/webhook-delivery-repository';
import type { AuditedAction, ManualReviewPeriod, TimelineFacts } from '../../domain/timeline/timeline-types';

export interface PaymentEvent {
  readonly id: number;
  readonly type: PublishedEvent;
  readonly sequence: number;
  readonly createdAt: Date;
}

export interface PaymentDelivery extends Omit<DeliveryWithAttempts, 'attempts'> {
  /** The endpoint's current URL. */
  readonly url: string;
}

type Callback = TimelineFacts['callbacks'][number];
export type Send = TimelineFacts['sends'][number] & WebhookAttempt & { readonly deliveryId: string };

/** One more than is shown, to detect that there are more. */
const MAX_ROWS = TIMELINE_LIMIT + 1;

/** What other tables record about a payment. Each method returns the newest rows, oldest first. */
export class PaymentFacts {
  constructor(private readonly db: Database) {}

  /** Each with the payment's state at that time, from the event's payload. */
  listEvents(transactionId: string, tx: Tx): Promise<Array<PaymentEvent & TimelineFacts['events'][number]>> {
    return this.loadNewest(
      `SELECT e.id, e.type, e.sequence, e.created_at AS "createdAt", body.status, body.message, body.code,
         body.captured_amount AS "capturedAmountCents", body.refunded_amount AS "refundedAmountCents",
         body.paid_amount AS "paidAmountCents", body.capture_before AS "captureBefore"
       FROM events e, json_to_record(e.payload::json) AS body(status text, message text, code text,
         captured_amount bigint, refunded_amount bigint, paid_amount bigint, capture_before timestamptz)
       WHERE e.subject_type = 'payment' AND e.subject_id = $1 ORDER BY e.sequence DESC LIMIT $2`,
      [transactionId],
      tx,
    );
  }

  listCallbacks(paymentId: number, tx: Tx): Promise<Callback[]> {
    return this.loadNewest(
      `SELECT attempt_id AS "attemptId", gateway_slug AS "gatewaySlug", kind, trusted, received_at AS "receivedAt"
       FROM gateway_callbacks WHERE payment_id = $1 AND NOT starts_with(event_id, '${INQUIRED_DISPUTE}')
       ORDER BY received_at DESC, id DESC LIMIT $2`,
      [paymentId],
      tx,
    );
  }

  listManualReviewPeriods(paymentId: number, tx: Tx): Promise<ManualReviewPeriod[]> {
    return this.loadNewest(
      `SELECT started_at AS "startedAt", ended_at AS "endedAt"
       FROM manual_review_periods WHERE payment_id = $1 ORDER BY id DESC LIMIT $2`,
      [paymentId],
      tx,
    );
  }

  /** Actions of the company's users on the payment. */
  listAuditedActions(companyId: number, transactionId: string, tx: Tx): Promise<AuditedAction[]> {
    return this.loadNewest(
      `SELECT created_at AS at, action, user_email AS email, changes FROM audit_log
       WHERE company_id = $1 AND subject_type = 'payment' AND subject_id = $2
       ORDER BY created_at DESC, id DESC LIMIT $3`,
      [companyId, transactionId],
      tx,
    );
  }

  listDeliveries(transactionId: string, tx: Tx): Promise<PaymentDelivery[]> {
    return this.loadNewest(
      `SELECT d.id, e.type AS event, d.status, d.retry_count AS "retryCount", d.next_retry_at AS "nextRetryAt",
         d.endpoint_id AS "endpointId", d.event_id AS "eventId", p.url, d.created_at AS "createdAt", d.delivered_at AS "deliveredAt",
         d.subject_id AS "transactionId", NULL::uuid AS "subscriptionId"
       FROM webhook_deliveries d JOIN events e ON e.id = d.event_id JOIN webhook_endpoints p ON p.id = d.endpoint_id
       WHERE d.subject_id = $1 ORDER BY d.event_id DESC, d.endpoint_id DESC LIMIT $2`,
      [transactionId],
      tx,
    );
  }

  /** Attempts of all its deliveries. */
  listSends(transactionId: string, tx: Tx): Promise<Send[]> {
    return this.loadNewest(
      `SELECT a.delivery_id AS "deliveryId", e.type AS event, d.endpoint_id AS "endpointId", a.number,
         a.started_at AS "startedAt", a.duration_ms AS "durationMs", a.status_code AS "statusCode", a.error,
         a.response_excerpt AS "responseExcerpt"
       FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id JOIN events e ON e.id = d.event_id
       WHERE d.subject_id = $1 ORDER BY a.started_at DESC, a.delivery_id DESC, a.number DESC LIMIT $2`,
      [transactionId],
      tx,
    );
  }

  private async loadNewest<Row extends object>(
    sql: string,
    bind: readonly unknown[],
    tx: Tx,
  ): Promise<Row[]> {
    return (await this.db.query<Row>(sql, [...bind, MAX_ROWS], tx)).reverse();
  }
}
