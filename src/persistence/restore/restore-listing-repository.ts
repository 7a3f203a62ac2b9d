import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { Database } from '../sql/transaction';

/** A company's secret at a gateway, whose account's charges are to be listed. */
export interface ListedSecret {
  readonly id: string;
  readonly companyId: number;
  readonly fingerprint: string;
  readonly sealedValues: SealedValue;
  readonly clientId: string | null;
}

/** Owns `restore_listings`: how far the charges of each account were listed. */
export class RestoreListingRepository {
  constructor(private readonly db: Database) {}

  /** At most `limit` of the secrets with which charges may have been made, after this one, in the order of their ids. */
  async listSecrets(slug: GatewaySlug, after: string | null, limit: number): Promise<ListedSecret[]> {
    return this.db.query<ListedSecret>(
      `SELECT s.id, s.company_id::float8 AS "companyId", s.fingerprint, s.sealed_values AS "sealedValues", s.client_id AS "clientId"
         FROM gateway_secrets s
        WHERE s.gateway_slug = $1 AND s.sealed_values IS NOT NULL AND ($2::uuid IS NULL OR s.id > $2)
          AND (s.used_at IS NOT NULL OR EXISTS (SELECT FROM gateway_credentials c WHERE c.secret_id = s.id))
        ORDER BY s.id LIMIT $3`,
      [slug, after, limit],
    );
  }

  /** Where the listing of an account was interrupted; null if it was not. */
  async findCursor(restoreId: number, slug: GatewaySlug, account: string): Promise<string | null> {
    const row = await this.db.queryOne<{ cursor: string | null }>(
      'SELECT cursor FROM restore_listings WHERE restore_id = $1 AND gateway_slug = $2 AND account = $3',
      [restoreId, slug, account],
    );
    return row?.cursor ?? null;
  }

  /** Null when the listing has ended, so that the next one begins anew. */
  async saveCursor(
    restoreId: number,
    slug: GatewaySlug,
    account: string,
    cursor: string | null,
  ): Promise<void> {
    await this.db.query(
      `INSERT INTO restore_listings (restore_id, gateway_slug, account, cursor) VALUES ($1, $2, $3, $4)
       ON CONFLICT (restore_id, gateway_slug, account) DO UPDATE SET cursor = $4`,
      [restoreId, slug, account, cursor],
    );
  }
}
