import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { GatewaySecretId } from '../../domain/shared/ids';
import { LIMIT_HOLDS_HOURS, type AccountFeature } from '../../domain/routing/learned-limits';
import type { Database } from '../sql/transaction';

/** An answer that an account lacks a feature. */
export interface LimitAnswer {
  readonly companyId: number;
  readonly slug: GatewaySlug;
  /** The secret of the charge; null if it was sent with the platform's key. */
  readonly secretId: GatewaySecretId | null;
  readonly feature: AccountFeature;
  readonly message: string;
  /** When the charge was sent. Credentials that were saved later may belong to an account that has the feature. */
  readonly sentAt: Date;
}

/** A condition on a row `l` of `gateway_learned_limits`: it has not expired. */
export const LIMIT_HOLDS = `l.since > now() - interval '${LIMIT_HOLDS_HOURS} hours'`;

const MAX_MESSAGE = 500;

/** Owns `gateway_learned_limits`. Saving the credentials deletes the rows (`GatewayCredentialRepository.upsert`). */
export class GatewayLimitRepository {
  constructor(private readonly db: Database) {}

  /** An answer that repeats a known limit changes nothing. */
  async learn({ companyId, slug, secretId, feature, message, sentAt }: LimitAnswer): Promise<void> {
    await this.db.execute(
      `INSERT INTO gateway_learned_limits AS l (company_id, gateway_slug, account_id, feature, message)
       SELECT $1, $2, COALESCE((SELECT account_id FROM gateway_secrets WHERE id = $3), c.account_id), $4, left($5, ${MAX_MESSAGE})
         FROM (SELECT 1) AS one
         LEFT JOIN gateway_credentials c ON c.company_id = $1 AND c.gateway_slug = $2
        WHERE c.updated_at IS NULL OR c.updated_at <= $6
       ON CONFLICT (company_id, gateway_slug, account_id, feature) DO UPDATE
          SET message = EXCLUDED.message, since = EXCLUDED.since
        WHERE NOT (${LIMIT_HOLDS})`,
      [companyId, slug, secretId, feature, message, sentAt],
    );
  }
}
