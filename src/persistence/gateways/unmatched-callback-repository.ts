import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { CompanySign } from '../../domain/shared/mode';
import type { UnmatchedCallbackKind, UnmatchedCallbacks } from '../../domain/routing/unrecognized-answer';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { Database } from '../sql/transaction';

interface UnmatchedCallback {
  readonly companyId: number | null;
  readonly gateway: GatewaySlug;
  readonly kind: UnmatchedCallbackKind;
}

interface WebhookSecretOf {
  readonly companyId: number;
  readonly sealedSecret: SealedValue;
}

/** Adds the rows of a query `unmatched` (company_id, gateway_slug, kind, seen_count, first_seen_at, last_seen_at) to the counts. */
export const ADD_UNMATCHED = `
  INSERT INTO unmatched_callbacks AS u (company_id, gateway_slug, kind, seen_count, first_seen_at, last_seen_at)
  SELECT company_id, gateway_slug, kind, seen_count, first_seen_at, last_seen_at FROM unmatched
  ON CONFLICT (company_id, gateway_slug, kind) DO UPDATE
     SET seen_count = u.seen_count + EXCLUDED.seen_count,
         last_seen_at = GREATEST(u.last_seen_at, EXCLUDED.last_seen_at)`;

/** The one owner of `unmatched_callbacks`. */
export class UnmatchedCallbackRepository {
  constructor(private readonly db: Database) {}

  /** `companyId`: whose secret verified it; null for the deployment's. */
  async count({ companyId, gateway, kind }: UnmatchedCallback, receivedAt: Date): Promise<void> {
    await this.db.execute(
      `WITH unmatched AS (
         SELECT $1::bigint AS company_id, $2::text AS gateway_slug, $3::text AS kind, 1 AS seen_count,
                $4::timestamptz AS first_seen_at, $4::timestamptz AS last_seen_at)
       ${ADD_UNMATCHED}`,
      [companyId, gateway, kind, receivedAt],
    );
  }

  async list(companyId: number, gateway: GatewaySlug): Promise<UnmatchedCallbacks[]> {
    return this.db.query<UnmatchedCallbacks>(
      `SELECT kind, seen_count AS "seenCount", first_seen_at AS "firstSeenAt", last_seen_at AS "lastSeenAt"
       FROM unmatched_callbacks WHERE company_id = $1 AND gateway_slug = $2 ORDER BY last_seen_at DESC, kind`,
      [companyId, gateway],
    );
  }

  /** The secrets of at most `limit` companies with this sign for the callbacks of a gateway, the latest first. */
  async listSecrets(gateway: GatewaySlug, sign: CompanySign, limit: number): Promise<WebhookSecretOf[]> {
    return this.db.query<WebhookSecretOf>(
      `SELECT c.company_id AS "companyId", a.sealed_webhook_secret AS "sealedSecret"
       FROM gateway_credentials c JOIN gateway_accounts a ON a.id = c.account_id
       WHERE c.gateway_slug = $1 AND a.sealed_webhook_secret IS NOT NULL
         AND ($3::int IS NULL OR sign(c.company_id) = $3)
       ORDER BY c.updated_at DESC, c.id DESC LIMIT $2`,
      [gateway, limit, sign],
    );
  }
}
