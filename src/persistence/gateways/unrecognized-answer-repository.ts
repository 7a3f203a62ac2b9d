import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { KeptAnswer, UnrecognizedAnswer } from '../../domain/routing/unrecognized-answer';
import type { Database } from '../sql/transaction';

/** Shapes of a company at a gateway. Beyond that, the one seen longest ago is deleted. */
const MAX_SHAPES = 50;

/** The one owner of `unrecognized_answers`. */
export class UnrecognizedAnswerRepository {
  constructor(private readonly db: Database) {}

  /** Counts `count` answers of one shape, of which `answer` is the latest. */
  async count(answer: UnrecognizedAnswer, count: number): Promise<void> {
    const { companyId, gateway, operation, fingerprint } = answer;
    const { vendor, status, contentType, shape, at, attemptId } = answer;
    await this.db.execute(
      `WITH counted AS (
         INSERT INTO unrecognized_answers AS u (company_id, gateway_slug, operation, fingerprint, vendor, http_status, content_type,
           shape, seen_count, first_seen_at, last_seen_at, last_attempt_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11)
         ON CONFLICT (company_id, gateway_slug, operation, fingerprint) DO UPDATE
            SET seen_count = u.seen_count + EXCLUDED.seen_count, vendor = EXCLUDED.vendor,
                last_seen_at = GREATEST(u.last_seen_at, EXCLUDED.last_seen_at),
                last_attempt_id = COALESCE(EXCLUDED.last_attempt_id, u.last_attempt_id)
         RETURNING id)
       DELETE FROM unrecognized_answers WHERE id IN (
         SELECT id FROM unrecognized_answers
          WHERE company_id = $1 AND gateway_slug = $2 AND id NOT IN (SELECT id FROM counted)
          ORDER BY last_seen_at DESC, id DESC OFFSET $12)`,
      // The counted row is not among those of the second part.
      [
        ...[companyId, gateway, operation, fingerprint, vendor, status, contentType],
        ...[shape, count, at, attemptId, MAX_SHAPES - 1],
      ],
    );
  }

  /** The latest first. */
  async list(companyId: number, gateway: GatewaySlug): Promise<KeptAnswer[]> {
    return this.db.query<KeptAnswer>(
      `SELECT u.vendor, u.operation, u.http_status AS status, u.content_type AS "contentType", u.shape, u.fingerprint,
         u.seen_count AS "seenCount", u.first_seen_at AS "firstSeenAt", u.last_seen_at AS "lastSeenAt",
         p.transaction_id AS "lastTransactionId"
       FROM unrecognized_answers u
       LEFT JOIN gateway_attempts a ON a.id = u.last_attempt_id AND a.company_id = u.company_id
       LEFT JOIN payments p ON p.id = a.payment_id
       WHERE u.company_id = $1 AND u.gateway_slug = $2
       ORDER BY u.last_seen_at DESC, u.id DESC LIMIT ${MAX_SHAPES}`,
      [companyId, gateway],
    );
  }
}
