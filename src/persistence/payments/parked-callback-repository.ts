import { ADD_UNMATCHED } from '../gateways/unmatched-callback-repository';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { CompanySign } from '../../domain/shared/mode';
import type { Database, Tx } from '../sql/transaction';
import type { NewCallback } from './gateway-callback-repository';

/** What is kept of a callback that names a charge by a gateway's id that no charge has yet. */
export interface ParkedCallback {
  readonly gateway: GatewaySlug;
  /** Of the companies whose data it may be about. */
  readonly sign: CompanySign;
  readonly gatewayTransactionId: string;
  readonly eventId: string;
  readonly kind: NewCallback['kind'];
  /** SHA-256 of the body, in hex. */
  readonly bodyHash: string;
  readonly receivedAt: Date;
}

/** Who verified a callback. `companyId`: whose secret; null for the deployment's. */
export interface CallbackVerifier {
  readonly companyId: number | null;
}

/** Of each gateway. The account may serve other systems, and anyone can name any id. */
const MAX_PARKED = 2_000;
/** The answer to a charge, or the inquiry that stands in for it, brings the id much sooner. */
const LIFETIME_MS = 24 * 3_600_000;

/** What to count of the parked callbacks that have `ended`. */
const UNMATCHED = `unmatched AS (
  SELECT verified_company_id AS company_id, gateway_slug, kind, count(*) AS seen_count, min(received_at) AS first_seen_at,
         max(received_at) AS last_seen_at
    FROM ended WHERE verified GROUP BY verified_company_id, gateway_slug, kind)`;

/** The one owner of `parked_callbacks`. */
export class ParkedCallbackRepository {
  constructor(private readonly db: Database) {}

  /**
   * Does nothing if it is parked already. The gateway's oldest one gives way when too many are parked: an unverified one, as long as
   * there is any. `verifier` is null if nothing of it is verified.
   */
  async park(callback: ParkedCallback, verifier: CallbackVerifier | null): Promise<void> {
    const { gateway, sign, gatewayTransactionId, eventId, kind, bodyHash, receivedAt } = callback;
    await this.db.execute(
      `WITH parked AS (
         INSERT INTO parked_callbacks (gateway_slug, gateway_transaction_id, event_id, kind, body_hash, received_at, verified,
           verified_company_id, company_sign)
         VALUES ($1, $2, $3, $4, $5, $6, $8, $9, $10)
         ON CONFLICT DO NOTHING RETURNING id),
       ended AS (
         DELETE FROM parked_callbacks WHERE id IN (
           SELECT id FROM parked_callbacks WHERE gateway_slug = $1 AND EXISTS (SELECT FROM parked)
            ORDER BY verified DESC, id DESC OFFSET $7)
         RETURNING *),
       ${UNMATCHED}
       ${ADD_UNMATCHED}`,
      // The inserted row is not among those that the second part sees.
      [
        gateway,
        gatewayTransactionId,
        eventId,
        kind,
        bodyHash,
        receivedAt,
        MAX_PARKED - 1,
        verifier !== null,
        verifier?.companyId ?? null,
        sign,
      ],
    );
  }

  /** Removes at most `limit` whose charge is known by now, and returns them. */
  async takeKnown(limit: number, tx: Tx): Promise<ParkedCallback[]> {
    return this.db.query<ParkedCallback>(
      `DELETE FROM parked_callbacks WHERE id IN (
         SELECT id FROM parked_callbacks parked
          WHERE EXISTS (SELECT FROM gateway_attempts a WHERE a.gateway_slug = parked.gateway_slug
                           AND a.gateway_transaction_id = parked.gateway_transaction_id
                           AND a.operation IN ('charge', 'authorize')
                           AND (parked.company_sign IS NULL OR sign(a.company_id) = parked.company_sign))
          ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING gateway_slug AS gateway, company_sign AS sign, gateway_transaction_id AS "gatewayTransactionId", event_id AS "eventId", kind,
         body_hash AS "bodyHash", received_at AS "receivedAt"`,
      [limit],
      tx,
    );
  }

  /** Those that were verified belong to no payment, and are counted. */
  async deleteExpired(limit: number, now: Date): Promise<void> {
    await this.db.execute(
      `WITH ended AS (
         DELETE FROM parked_callbacks WHERE id IN (
           SELECT id FROM parked_callbacks WHERE received_at < $1 ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING *),
       ${UNMATCHED}
       ${ADD_UNMATCHED}`,
      [new Date(now.getTime() - LIFETIME_MS), limit],
    );
  }
}
