import type { ApiKey } from '../../domain/companies/api-key';
import type { ApiKeyScope } from '../../domain/companies/api-key-scope';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import { lockCompany } from './lock-company';
import type { Database, Tx } from '../sql/transaction';

/** What of an API key is stored, so that it is recognized. */
export interface StoredApiKey {
  readonly id: number;
  readonly hash: string;
  /** Which pepper made the hash; null if that was not recorded. */
  readonly pepperId: string | null;
}

export interface NewApiKey {
  readonly companyId: number;
  readonly name: string;
  readonly hash: string;
  /** Which pepper made the hash. */
  readonly pepperId?: string;
  readonly scopes: readonly ApiKeyScope[];
}

export interface PepperUse extends Pick<StoredApiKey, 'pepperId'> {
  readonly count: number;
}

const COLUMNS = `id, name, (SELECT mode FROM companies WHERE companies.id = company_id) AS mode, scopes, created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

/** Owns `api_keys`; `company-repository.ts` reads them for authentication. */
export class ApiKeyRepository {
  constructor(private readonly db: Database) {}

  async insert(tx: Tx, { companyId, name, hash, pepperId, scopes }: NewApiKey): Promise<ApiKey> {
    const inserted = await this.db.queryOne<ApiKey>(
      `INSERT INTO api_keys (company_id, name, key_hash, scopes, pepper_id) VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`,
      [companyId, name, hash, scopes, pepperId ?? null],
      tx,
    );
    if (inserted === null) throw new Error('the API key was not inserted');
    return inserted;
  }

  /** The company's valid keys, newest first. */
  async list(companyId: number, page: PageRequest): Promise<Page<ApiKey>> {
    const { limit, offset } = pageBounds(page);
    const [rows, total] = await Promise.all([
      this.db.query<ApiKey>(
        `SELECT ${COLUMNS} FROM api_keys WHERE company_id = $1 AND revoked_at IS NULL
          ORDER BY id DESC LIMIT $2 OFFSET $3`,
        [companyId, limit, offset],
      ),
      this.count(companyId),
    ]);
    return { rows, total };
  }

  /** How many valid keys the company has. Locks the company's row, so that none is added until `tx` ends. */
  async lockCount(tx: Tx, companyId: number): Promise<number> {
    await lockCompany(this.db, tx, companyId);
    return this.count(companyId, tx);
  }

  /** Null if the company has no such valid key. */
  async revoke(tx: Tx, companyId: number, id: number): Promise<ApiKey | null> {
    return this.db.queryOne<ApiKey>(
      `UPDATE api_keys SET revoked_at = now() WHERE company_id = $1 AND id = $2 AND revoked_at IS NULL
       RETURNING ${COLUMNS}`,
      [companyId, id],
      tx,
    );
  }

  async isValid(tx: Tx, companyId: number, id: number): Promise<boolean> {
    const row = await this.db.queryOne(
      'SELECT 1 FROM api_keys WHERE company_id = $1 AND id = $2 AND revoked_at IS NULL',
      [companyId, id],
      tx,
    );
    return row !== null;
  }

  /** Revokes every valid key of the company and returns them. */
  async revokeAll(tx: Tx, companyId: number): Promise<ApiKey[]> {
    return this.db.query<ApiKey>(
      `UPDATE api_keys SET revoked_at = now() WHERE company_id = $1 AND revoked_at IS NULL RETURNING ${COLUMNS}`,
      [companyId],
      tx,
    );
  }

  /** Records that a request was authenticated with the key just now. */
  async recordUse(id: number): Promise<void> {
    await this.db.execute('UPDATE api_keys SET last_used_at = now() WHERE id = $1', [id]);
  }

  /** Replaces the hash by one that the current pepper made of the same API key. */
  async replaceHash({ id, hash, pepperId }: StoredApiKey): Promise<void> {
    await this.db.execute('UPDATE api_keys SET key_hash = $2, pepper_id = $3 WHERE id = $1', [
      id,
      hash,
      pepperId,
    ]);
  }

  /** The valid keys of all companies by the pepper of their hash. */
  async countByPepper(): Promise<PepperUse[]> {
    return this.db.query<PepperUse>(
      'SELECT pepper_id AS "pepperId", count(*) FROM api_keys WHERE revoked_at IS NULL GROUP BY pepper_id',
    );
  }

  private async count(companyId: number, tx?: Tx): Promise<number> {
    const row = await this.db.queryOne<{ count: number }>(
      'SELECT count(*) FROM api_keys WHERE company_id = $1 AND revoked_at IS NULL',
      [companyId],
      tx,
    );
    return row?.count ?? 0;
  }
}
