import type { PaymentLink } from '../../domain/checkout/payment-link';
import type { SearchText } from '../../domain/search/search-text';
import type { WebhookEventType } from '../../domain/webhooks/webhook-event';
import type { PaymentLinkRepository } from '../checkout/payment-link-repository';
import type { Database } from '../sql/transaction';
import type { SubscriptionRecord, SubscriptionRepository } from '../subscriptions/subscription-repository';
import { beginsWith } from './payment-search';

/** An event of a payment or a subscription. */
export interface FoundEvent {
  readonly id: number;
  readonly type: Exclude<WebhookEventType, 'webhook.test'>;
  readonly subjectType: 'payment' | 'subscription';
  readonly subjectId: string;
  readonly createdAt: Date;
}

/** The subscription with this id, and the newest ones of these customers. */
export async function findSubscriptions(
  db: Database,
  subscriptions: Pick<SubscriptionRepository, 'listByIds'>,
  {
    companyId,
    uuid,
    customerIds,
    limit,
  }: Pick<SearchText, 'uuid'> & {
    readonly companyId: number;
    readonly customerIds: readonly number[];
    readonly limit: number;
  },
): Promise<SubscriptionRecord[]> {
  if (uuid === null && customerIds.length === 0) return [];
  const rows = await db.query<{ id: number }>(
    `(SELECT id FROM subscriptions WHERE company_id = $1 AND uuid = $2)
     UNION
     (SELECT id FROM subscriptions WHERE company_id = $1 AND customer_id = ANY($3) ORDER BY created_at DESC, id DESC LIMIT $4)`,
    [companyId, uuid, customerIds, limit],
  );
  return rows.length === 0 ? [] : subscriptions.listByIds(rows.map(({ id }) => id));
}

/** By token, or by how the name or the address begins. */
export async function findLinks(
  db: Database,
  links: Pick<PaymentLinkRepository, 'listByIds'>,
  {
    companyId,
    text,
    limit,
  }: Pick<SearchText, 'text'> & { readonly companyId: number; readonly limit: number },
): Promise<PaymentLink[]> {
  const rows = await db.query<{ id: number }>(LINKS, [companyId, text, limit]);
  if (rows.length === 0) return [];
  const found = new Map((await links.listByIds(rows.map(({ id }) => id))).map((link) => [link.id, link]));
  return rows.flatMap(({ id }) => found.get(id) ?? []);
}

const [NAME, SLUG] = [`lower(name) COLLATE "C"`, `lower(slug) COLLATE "C"`];
const LINKS = `
  (SELECT id FROM payment_links WHERE company_id = $1 AND deleted_at IS NULL AND token = $2)
  UNION
  (SELECT id FROM payment_links WHERE company_id = $1 AND deleted_at IS NULL AND ${beginsWith(NAME, '$2')} ORDER BY ${NAME} LIMIT $3)
  UNION
  (SELECT id FROM payment_links WHERE company_id = $1 AND deleted_at IS NULL AND ${beginsWith(SLUG, '$2')} ORDER BY ${SLUG} LIMIT $3)
  ORDER BY id DESC LIMIT $3`;

/** By the event's id, or the id of one of its webhooks. */
export async function findEvent(
  db: Database,
  {
    companyId,
    eventId,
    deliveryId,
  }: Pick<SearchText, 'eventId' | 'deliveryId'> & { readonly companyId: number },
): Promise<FoundEvent | null> {
  if (eventId === null && deliveryId === null) return null;
  return db.queryOne<FoundEvent>(
    `SELECT id, type, subject_type AS "subjectType", subject_id AS "subjectId", created_at AS "createdAt"
       FROM events
      WHERE id = coalesce($2, (SELECT event_id FROM webhook_deliveries WHERE id = $3::uuid AND company_id = $1))
        AND company_id = $1 AND subject_type <> 'test'`,
    [companyId, eventId, deliveryId],
  );
}
