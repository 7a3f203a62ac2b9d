import type { PersonalDataCipher } from '../../domain/customers/personal-data';
import type { DeliveryId } from '../../domain/shared/ids';
import type { Mode } from '../../domain/shared/mode';
import type { SealedValue } from '../../domain/shared/sealed-value';
import {
  MAX_RECEIVED,
  RECEIVED_LIFETIME_MS,
  type ReceivedHeader,
  type SignatureCheck,
} from '../../domain/webhooks/received-webhook';
import type { EventSubject, WebhookEventType } from '../../domain/webhooks/webhook-event';
import type { StoredContent } from '../customers/personal-content';
import type { Database, Tx } from '../sql/transaction';
import { EVENT_CONTENT, openEvent } from './event-content';
import type { WebhookEndpoint } from './webhook-endpoint-repository';

/** A receiver as it checks signatures. */
export interface CheckingReceiver {
  readonly companyId: number;
  readonly endpointId: number;
  readonly sealedSecret: SealedValue;
  /** Rotated secrets, each of which signs too until its instant. */
  readonly olderSecrets: ReadonlyArray<{ readonly sealed: SealedValue; readonly until: string }>;
}

interface Received {
  readonly receivedAt: Date;
  readonly headers: readonly ReceivedHeader[];
  readonly bodyBytes: number;
  readonly signature: SignatureCheck;
  /** What its `webhook-id` names; null unless the signature is valid. */
  readonly deliveryId: DeliveryId | null;
}

/** The event that was delivered. */
interface DeliveredEvent {
  readonly id: number;
  readonly type: WebhookEventType;
  readonly mode: Mode;
  readonly subject: EventSubject;
  readonly sequence: number;
  readonly content: object;
}

export interface ReceivedWebhook extends Received {
  readonly id: number;
  /** Null without a valid signature, and once the event is deleted. */
  readonly event: DeliveredEvent | null;
}

type ReceiverEndpoint = Pick<WebhookEndpoint, 'id' | 'url' | 'enabled'>;

type MessageRow = Received & { readonly id: number } & StoredContent &
  (Omit<DeliveredEvent, 'id' | 'content'> & { readonly eventId: number | null });

/** Owns `webhook_receivers` and `received_webhooks`. */
export class WebhookReceiverRepository {
  constructor(
    private readonly db: Database,
    private readonly cipher: PersonalDataCipher,
  ) {}

  /** The endpoint of a company's receiver; null if there is none, or it was deleted. */
  async findEndpoint(companyId: number, tx?: Tx): Promise<ReceiverEndpoint | null> {
    return this.db.queryOne<ReceiverEndpoint>(
      `SELECT e.id, e.url, e.enabled FROM webhook_receivers r
         JOIN webhook_endpoints e ON e.id = r.endpoint_id AND e.deleted_at IS NULL WHERE r.company_id = $1`,
      [companyId],
      tx,
    );
  }

  /** Replaces the receiver whose endpoint was deleted. */
  async save(
    tx: Tx,
    receiver: { readonly companyId: number; readonly endpointId: number; readonly token: string },
    now: Date,
  ): Promise<void> {
    await this.db.execute(
      `INSERT INTO webhook_receivers (company_id, endpoint_id, token, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (company_id) DO UPDATE
          SET endpoint_id = EXCLUDED.endpoint_id, token = EXCLUDED.token, created_at = EXCLUDED.created_at`,
      [receiver.companyId, receiver.endpointId, receiver.token, now],
      tx,
    );
  }

  /** Null if no receiver has the token, or its endpoint was deleted. */
  async findByToken(token: string): Promise<CheckingReceiver | null> {
    return this.db.queryOne<CheckingReceiver>(
      `SELECT r.company_id AS "companyId", e.id AS "endpointId", e.sealed_secret AS "sealedSecret",
              e.older_secrets AS "olderSecrets"
         FROM webhook_receivers r JOIN webhook_endpoints e ON e.id = r.endpoint_id AND e.deleted_at IS NULL
        WHERE r.token = $1`,
      [token],
    );
  }

  /** Keeps a message, and deletes the company's oldest beyond `MAX_RECEIVED`. */
  async insert(companyId: number, message: Received): Promise<void> {
    const { receivedAt, headers, bodyBytes, signature, deliveryId } = message;
    await this.db.execute(
      `WITH added AS (
         INSERT INTO received_webhooks (company_id, received_at, headers, body_bytes, signature, delivery_id)
         VALUES ($1, $2, $3, $4, $5, $6))
       DELETE FROM received_webhooks WHERE company_id = $1 AND id <= (
         SELECT id FROM received_webhooks WHERE company_id = $1 ORDER BY id DESC OFFSET ${MAX_RECEIVED - 1} LIMIT 1)`,
      [companyId, receivedAt, JSON.stringify(headers), bodyBytes, signature, deliveryId],
    );
  }

  /** Newest first. */
  async list(companyId: number, now: Date): Promise<ReceivedWebhook[]> {
    const rows = await this.db.query<MessageRow>(
      `SELECT m.id, m.received_at AS "receivedAt", m.headers, m.body_bytes AS "bodyBytes", m.signature,
              d.id AS "deliveryId", e.id AS "eventId", e.type, ${EVENT_CONTENT}
         FROM received_webhooks m
         LEFT JOIN webhook_deliveries d ON d.id = m.delivery_id AND d.company_id = m.company_id
         LEFT JOIN events e ON e.id = d.event_id
        WHERE m.company_id = $1 AND m.received_at > $2 ORDER BY m.id DESC LIMIT ${MAX_RECEIVED}`,
      [companyId, expiryAt(now)],
    );
    return Promise.all(rows.map((row) => this.toReceived(row)));
  }

  /** Deletes at most `limit` messages that are older than `RECEIVED_LIFETIME_MS`; returns how many. */
  async deleteOld(limit: number, now: Date): Promise<number> {
    return this.db.execute(
      `DELETE FROM received_webhooks WHERE id IN (
         SELECT id FROM received_webhooks WHERE received_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [expiryAt(now), limit],
    );
  }

  private async toReceived(row: MessageRow): Promise<ReceivedWebhook> {
    const { id, receivedAt, headers, bodyBytes, signature, deliveryId, eventId } = row;
    const message = { id, receivedAt, headers, bodyBytes, signature, deliveryId };
    if (eventId === null) return { ...message, event: null };
    const { type, mode, subject, sequence, content } = await openEvent(this.cipher, row);
    return { ...message, event: { id: eventId, type, mode, subject, sequence, content } };
  }
}

function expiryAt(now: Date): Date {
  return new Date(now.getTime() - RECEIVED_LIFETIME_MS);
}
