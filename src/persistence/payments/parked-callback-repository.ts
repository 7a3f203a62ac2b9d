import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { Database, Tx } from '../sql/transaction';
import type { NewCallback } from './gateway-callback-repository';

/** What is kept of a callback that names a charge by a gateway's id that no charge has yet. */
export interface ParkedCallback {
  readonly gateway: GatewaySlug;
  readonly gatewayTransactionId: string;
  readonly eventId: string;
  readonly kind: NewCallback['kind'];
  /** SHA-256 of the body, in hex. */
  readonly bodyHash: string;
  readonly receivedAt: Date;
}

/** Of each gateway. The account may serve other systems, and anyone can name any id. */
const MAX_PARKED = 2_000;
/** The answer to a charge, or the inquiry that stands in for it, brings the id much sooner. */
const LIFETIME_MS = 24 * 3_600_000;

/** The one owner of `parked_callbacks`. */
export class ParkedCallbackRepository {
  constructor(private readonly db: Database) {}

  /** Does nothing if it is parked already. The gateway's oldest one gives way when too many are parked. */
  async park(callback: ParkedCallback): Promise<void> {
    const { gateway, gatewayTransactionId, eventId, kind, bodyHash, receivedAt } = callback;
    await this.db.execute(
      `WITH parked AS (
         INSERT INTO parked_callbacks (gateway_slug, gateway_transaction_id, event_id, kind, body_hash, received_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT DO NOTHING RETURNING id)
       DELETE FROM parked_callbacks WHERE id IN (
         SELECT id FROM parked_callbacks WHERE gateway_slug = $1 AND EXISTS (SELECT FROM parked)
          ORDER BY id DESC OFFSET $7)`,
      // The inserted row is not among those that the second part sees.
      [gateway, gatewayTransactionId, eventId, kind, bodyHash, receivedAt, MAX_PARKED - 1],
    );
  }

  /** Removes at most `limit` whose charge is known by now, and returns them. */
  async takeKnown(limit: number, tx: Tx): Promise<ParkedCallback[]> {
    return this.db.query<ParkedCallback>(
      `DELETE FROM parked_callbacks WHERE id IN (
         SELECT id FROM parked_callbacks parked
          WHERE EXISTS (SELECT FROM gateway_attempts a WHERE a.gateway_slug = parked.gateway_slug
                           AND a.gateway_transaction_id = parked.gateway_transaction_id
                           AND a.operation IN ('charge', 'authorize'))
          ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING gateway_slug AS gateway, gateway_transaction_id AS "gatewayTransactionId", event_id AS "eventId", kind,
         body_hash AS "bodyHash", received_at AS "receivedAt"`,
      [limit],
      tx,
    );
  }

  async deleteExpired(limit: number, now: Date): Promise<void> {
    await this.db.execute(
      `DELETE FROM parked_callbacks WHERE id IN (
         SELECT id FROM parked_callbacks WHERE received_at < $1 ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [new Date(now.getTime() - LIFETIME_MS), limit],
    );
  }
}
