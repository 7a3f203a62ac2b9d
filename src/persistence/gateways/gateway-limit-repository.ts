import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { GatewaySecretId } from '../../domain/shared/ids';
import { LIMIT_HOLDS_HOURS, type AccountFeature } from '../../domain/routing/learned-limits';
import type { Database } from '../sql/transaction';

/** The answer to a charge, that its account lacks a feature. */
export interface LimitAnswer {
  readonly companyId: number;
  readonly slug: GatewaySlug;
  /** The secret of the charge; null if it was sent with the platform's key. */
  readonly secretId: GatewaySecretId | null;
  /** When the charge was sent. Credentials that were saved later may belong to an account that has the feature. */
  readonly sentAt: Date;
  readonly feature: AccountFeature;
  readonly message: string;
}

/** A condition on a row `l` of `gateway_learned_limits`: it has not expired. */
export const LIMIT_HOLDS = `l.since > now() - interval '${LIMIT_HOLDS_HOURS} hours'`;

const MAX_MESSAGE = 500;

/** A charge of the feature $4 that was sent after $6 and accepted. A payment is charged soon after it is created. */
const ACCEPTED_LATER = `
  SELECT FROM payments p JOIN gateway_attempts a ON a.payment_id = p.id
   WHERE p.company_id = $1 AND p.created_at > $6::timestamptz - interval '1 hour'
     AND a.gateway_slug = $2 AND a.operation IN ('charge', 'authorize')
     AND a.status IN ('approved', 'authorized', 'pending') AND a.sent_at > $6::timestamptz
     AND CASE $4::text WHEN 'splits' THEN jsonb_typeof(a.splits) = 'array'
                       WHEN 'raw_cards' THEN p.payment_method = 'card' ELSE p.payment_method = $4::text END`;

/** Owns `gateway_learned_limits`. Saving the credentials deletes the rows (`GatewayCredentialRepository.upsert`). */
export class GatewayLimitRepository {
  constructor(private readonly db: Database) {}

  /**
   * An answer that repeats a known limit changes nothing, nor does one that is stale: a later charge of this feature was
   * accepted.
   */
  async learn({ companyId, slug, secretId, feature, message, sentAt }: LimitAnswer): Promise<void> {
    await this.db.execute(
      `INSERT INTO gateway_learned_limits AS l (company_id, gateway_slug, account_id, feature, message, since)
       SELECT $1, $2, COALESCE((SELECT account_id FROM gateway_secrets WHERE id = $3), c.account_id), $4::text,
              left($5, ${MAX_MESSAGE}), $6::timestamptz
         FROM (SELECT 1) AS one
         LEFT JOIN gateway_credentials c ON c.company_id = $1 AND c.gateway_slug = $2
        WHERE (c.updated_at IS NULL OR c.updated_at <= $6::timestamptz) AND NOT EXISTS (${ACCEPTED_LATER})
       ON CONFLICT (company_id, gateway_slug, account_id, feature) DO UPDATE
          SET message = EXCLUDED.message, since = EXCLUDED.since
        WHERE NOT (${LIMIT_HOLDS})`,
      [companyId, slug, secretId, feature, message, sentAt],
    );
  }
}
