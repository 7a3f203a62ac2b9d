import type { Database } from '../sql/transaction';
import { isOpen } from './open-payments';
import type { RetentionBatch } from './retention-passes';

/**
 * An event is needed while its payment is open, or while one of its deliveries is pending. Deliveries are locked first: one
 * that is being resent is either pending here, or gone for the resend.
 */
const DELETE_OLD_EVENTS = `
  WITH seen AS MATERIALIZED (
    SELECT id, tx_id, company_id, type, subject_type, subject_id, created_at FROM events WHERE id > $1 ORDER BY id LIMIT $3),
  old AS MATERIALIZED (SELECT * FROM seen WHERE created_at < $2),
  closed AS MATERIALIZED (
    SELECT old.* FROM old WHERE NOT EXISTS (
      SELECT FROM payments p WHERE old.subject_type = 'payment' AND p.transaction_id = old.subject_id AND ${isOpen('p')})
      AND NOT EXISTS (
      SELECT FROM disputes d JOIN payments p ON p.id = d.payment_id
       WHERE old.subject_type = 'dispute' AND d.id = old.subject_id AND ${isOpen('p')})),
  deliveries AS MATERIALIZED (
    SELECT id, event_id, status FROM webhook_deliveries WHERE event_id IN (SELECT id FROM closed) FOR UPDATE),
  expired AS MATERIALIZED (
    SELECT * FROM closed WHERE NOT EXISTS (
      SELECT FROM deliveries d WHERE d.event_id = closed.id AND d.status = 'pending')),
  expired_deliveries AS MATERIALIZED (
    SELECT id FROM deliveries WHERE event_id IN (SELECT id FROM expired)),
  deleted_attempts AS (
    DELETE FROM webhook_attempts WHERE delivery_id IN (SELECT id FROM expired_deliveries)),
  deleted_deliveries AS (
    DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM expired_deliveries)),
  deleted AS (
    DELETE FROM events WHERE id IN (SELECT id FROM expired) RETURNING id),
  newest AS (
    INSERT INTO deleted_events AS known (company_id, type, tx_id, id)
    SELECT DISTINCT ON (company_id, type) company_id, type, tx_id, id FROM expired WHERE subject_type <> 'test'
     ORDER BY company_id, type, tx_id DESC, id DESC
    ON CONFLICT (company_id, type) DO UPDATE SET tx_id = EXCLUDED.tx_id, id = EXCLUDED.id
     WHERE (EXCLUDED.tx_id, EXCLUDED.id) > (known.tx_id, known.id))
  SELECT (SELECT max(id) FROM seen) AS position, (SELECT count(*) FROM old) AS old,
    (SELECT count(*) FROM deleted) AS deleted`;

/** Looks at the `limit` events after `position`, and deletes those that are older than `before` with their deliveries. */
export async function deleteOldEvents(
  db: Database,
  { position, before, limit }: { readonly position: number; readonly before: Date; readonly limit: number },
): Promise<RetentionBatch> {
  const batch = await db.queryOne<RetentionBatch>(DELETE_OLD_EVENTS, [position, before, limit]);
  if (batch === null) throw new Error('a select without a table returned no row');
  return batch;
}
