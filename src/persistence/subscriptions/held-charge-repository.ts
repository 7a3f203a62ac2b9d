import type { Database } from '../sql/transaction';
import type { SubscriptionToStart } from '../../domain/subscriptions/subscription-start';
import { WAKE_COLUMNS } from './subscription-repository';

/** An arbitrary advisory lock key: one worker at a time releases charges, so that the limit holds for all of them together. */
const RELEASE_LOCK = 7_340_021;
/** A gateway works if it answered a charge in this time. Older answers cost a longer search and prove less. */
const ANSWER_WINDOW_MS = 5 * 60_000;
const RATE_WINDOW_MS = 60_000;
/** Time for the caller to signal the workflow itself before the sweeper does so again. */
const RECOVERY_DELAY_MS = 5_000;

/** Owns `hold_released_at` of the table `subscriptions`. */
export class HeldChargeRepository {
  constructor(private readonly db: Database) {}

  /**
   * Releases charges on hold of companies whose gateways answer again: an issuer answered one of their card payments after the
   * charge was last tried. At most `perMinute` for a company and `limit` in all, oldest first. The workflow of each then charges.
   */
  async release(limit: number, perMinute: number, now: Date): Promise<SubscriptionToStart[]> {
    return this.db.inTransaction(async (tx) => {
      const lock = await this.db.queryOne<{ locked: boolean }>(
        'SELECT pg_try_advisory_xact_lock($1) AS locked',
        [RELEASE_LOCK],
        tx,
      );
      if (lock?.locked !== true) return [];
      const since = new Date(+now - ANSWER_WINDOW_MS);
      const rateSince = new Date(+now - RATE_WINDOW_MS);
      const recoverAfter = new Date(+now + RECOVERY_DELAY_MS);
      return this.db.query<SubscriptionToStart>(
        RELEASE,
        [now, since, rateSince, perMinute, limit, recoverAfter],
        tx,
      );
    });
  }
}

const RELEASE = `
  WITH companies AS (SELECT DISTINCT company_id FROM subscriptions WHERE hold_checked_at IS NOT NULL),
  answered AS (
    SELECT c.company_id, p.created_at AS at,
           $4 - (SELECT count(*) FROM subscriptions r WHERE r.company_id = c.company_id AND r.hold_released_at > $3) AS room
      FROM companies c
     CROSS JOIN LATERAL (
       SELECT created_at FROM payments
        WHERE company_id = c.company_id AND created_at > $2 AND payment_method = 'card'
          AND (status IN ('approved', 'authorized', 'refunded') OR code = 'declined')
        ORDER BY created_at DESC LIMIT 1) p),
  ranked AS (
    SELECT s.id, a.room, row_number() OVER (PARTITION BY s.company_id ORDER BY s.hold_checked_at, s.id) AS place
      FROM subscriptions s JOIN answered a USING (company_id)
     WHERE s.hold_checked_at < a.at AND s.open_charge IS NULL AND s.status <> 'paused'
       AND (s.hold_released_at IS NULL OR s.hold_released_at < s.hold_checked_at)),
  claimed AS (
    SELECT id FROM subscriptions WHERE id IN (SELECT id FROM ranked WHERE place <= room)
     ORDER BY hold_checked_at LIMIT $5 FOR UPDATE SKIP LOCKED)
  UPDATE subscriptions s SET hold_released_at = $1, recover_after = $6
    FROM plans p WHERE p.id = s.plan_id AND s.id IN (SELECT id FROM claimed)
  RETURNING ${WAKE_COLUMNS}`;
