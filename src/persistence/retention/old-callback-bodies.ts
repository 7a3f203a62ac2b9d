import type { Database } from '../sql/transaction';
import { isOpen } from './open-payments';
import type { RetentionBatch } from './retention-passes';

/** The row stays, with the body's hash: by it a repeated callback is recognized. */
const DELETE_OLD_BODIES = `
  WITH seen AS MATERIALIZED (
    SELECT id, payment_id, received_at, processed_at, raw_body IS NOT NULL AS has_body FROM gateway_callbacks
     WHERE id > $1 ORDER BY id LIMIT $3),
  old AS MATERIALIZED (SELECT * FROM seen WHERE received_at < $2),
  deleted AS (
    UPDATE gateway_callbacks SET raw_body = NULL, headers = NULL
     WHERE id IN (
       SELECT old.id FROM old JOIN payments p ON p.id = old.payment_id
        WHERE old.has_body AND old.processed_at IS NOT NULL AND NOT ${isOpen('p')})
     RETURNING id)
  SELECT (SELECT max(id) FROM seen) AS position, (SELECT count(*) FROM old) AS old,
    (SELECT count(*) FROM deleted) AS deleted`;

/** Looks at the `limit` callbacks after `position`, and deletes the bodies and headers of those received before `before`. */
export async function deleteOldCallbackBodies(
  db: Database,
  { position, before, limit }: { readonly position: number; readonly before: Date; readonly limit: number },
): Promise<RetentionBatch> {
  const batch = await db.queryOne<RetentionBatch>(DELETE_OLD_BODIES, [position, before, limit]);
  if (batch === null) throw new Error('a select without a table returned no row');
  return batch;
}
