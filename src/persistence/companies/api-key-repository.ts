import type { ApiKey, ApiKeyScope } from '../../domain/companies/api-key';
import type { Database, Tx } from '../sql/transaction';

export interface NewApiKey {
  readonly companyId: number;
  readonly name: string;
  readonly hash: string;
  readonly scopes: readonly ApiKeyScope[];
}

const COLUMNS = `id, name, scopes, created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

/** Owns `api_keys`; `company-repository.ts` reads them for authentication. */
export class ApiKeyRepository {
  constructor(private readonly db: Database) {}

  async insert(tx: Tx, { companyId, name, hash, scopes }: NewApiKey): Promise<ApiKey> {
    const inserted = await this.db.queryOne<ApiKey>(
      `INSERT INTO api_keys (company_id, name, key_hash, scopes) VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`,
      [companyId, name, hash, scopes],
      tx,
    );
    if (inserted === null) throw new Error('the API key was not inserted');
    return inserted;
  }

  /** Records that a request was authenticated with the key just now. */
  async recordUse(id: number): Promise<void> {
    await this.db.execute('UPDATE api_keys SET last_used_at = now() WHERE id = $1', [id]);
  }
}
