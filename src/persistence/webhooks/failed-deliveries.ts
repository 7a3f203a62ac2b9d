import type { SubscribableEvent } from '../../domain/webhooks/webhook-event';
import type { Database, Tx } from '../sql/transaction';
import { RESEND_RECOVERY_DELAY_MS, type DeliveryToStart } from './webhook-delivery-repository';

interface Choice {
  readonly endpointId: number;
  /** Null for all events. */
  readonly event: SubscribableEvent | null;
  /** The most deliveries to take. */
  readonly limit: number;
}

interface Requeued {
  readonly due: DeliveryToStart[];
  /** How many failed deliveries are left. */
  readonly remaining: number;
}

const FAILED = `d.endpoint_id = $1 AND d.status = 'failed' AND ($2::text IS NULL OR e.type = $2)`;

/** Makes an endpoint's oldest failed deliveries due now. Concurrent requests take different ones. */
export async function requeueFailed(
  db: Database,
  tx: Tx,
  { endpointId, event, limit }: Choice,
  now: Date,
): Promise<Requeued> {
  const recoverAfter = new Date(now.getTime() + RESEND_RECOVERY_DELAY_MS);
  const due = await db.query<DeliveryToStart>(
    `WITH chosen AS MATERIALIZED (
       SELECT d.id FROM webhook_deliveries d JOIN events e ON e.id = d.event_id
        WHERE ${FAILED} ORDER BY d.id LIMIT $3 FOR UPDATE OF d SKIP LOCKED)
     UPDATE webhook_deliveries d SET status = 'pending', next_retry_at = $4, recover_after = $5
       FROM chosen, events e
      WHERE d.id = chosen.id AND e.id = d.event_id
      RETURNING d.id, d.endpoint_id AS "endpointId", d.company_id AS "companyId", e.type AS event`,
    [endpointId, event, limit, now, recoverAfter],
    tx,
  );
  const left = await db.queryOne<{ count: number }>(
    `SELECT count(*) FROM webhook_deliveries d JOIN events e ON e.id = d.event_id WHERE ${FAILED}`,
    [endpointId, event],
    tx,
  );
  return { due, remaining: left?.count ?? 0 };
}
