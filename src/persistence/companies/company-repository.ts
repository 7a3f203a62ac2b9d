import { randomBytes } from 'node:crypto';
import type { KeyHolder } from '../../domain/companies/api-key';
import { ALL_SCOPES } from '../../domain/companies/api-key-scope';
import type { AuthenticatedCompany, CompanyDetails } from '../../domain/companies/company';
import { slugCandidates } from '../../domain/checkout/slug';
import { CompanyModel } from '../models/company';
import type { Database, Tx } from '../sql/transaction';
import type { StoredApiKey } from './api-key-repository';

/** A company with the hashes of its valid API keys, for authentication. */
export interface CompanyKeys {
  readonly company: AuthenticatedCompany;
  readonly keys: ReadonlyArray<KeyHolder['apiKey'] & Pick<StoredApiKey, 'hash' | 'pepperId'>>;
}

export interface NewCompany extends CompanyDetails {
  readonly name: string;
  readonly clientId: string;
  /** Of its first API key, which has every scope. */
  readonly apiKeyHash: string;
  /** Which pepper made the hash. */
  readonly pepperId?: string;
}

const COMPANY_COLUMNS = `companies.id, client_id AS "clientId", timezone, pix_expires_in AS "pixExpiresInSeconds",
  billet_due_days AS "billetDueDays"`;

/** The name of the key that a registration returns. */
const FIRST_KEY_NAME = 'Registration';

/** Owns `companies`. A company is inserted with its first API key; `api-key-repository.ts` owns the others. */
export class CompanyRepository {
  constructor(private readonly db: Database) {}

  /** The slug is derived from the name, with a random suffix if another company uses it. */
  async insert(company: NewCompany, tx?: Tx): Promise<AuthenticatedCompany> {
    for (const slug of slugCandidates(company.name, randomBytes(8).toString('hex'), 'c-')) {
      const inserted = await this.insertAs(slug, company, tx);
      if (inserted !== null) return inserted;
    }
    throw new Error('no slug is free');
  }

  async findByClientId(clientId: string): Promise<CompanyKeys | null> {
    const row = await this.db.queryOne<AuthenticatedCompany & Pick<CompanyKeys, 'keys'>>(
      `SELECT ${COMPANY_COLUMNS}, COALESCE((
         SELECT jsonb_agg(jsonb_build_object('id', k.id, 'scopes', k.scopes, 'hash', k.key_hash, 'pepperId', k.pepper_id) ORDER BY k.id)
           FROM api_keys k WHERE k.company_id = companies.id AND k.revoked_at IS NULL), '[]') AS keys
         FROM companies WHERE client_id = $1`,
      [clientId],
    );
    if (row === null) return null;
    const { keys, ...company } = row;
    return { company, keys };
  }

  async getClientId(companyId: number): Promise<string> {
    const { clientId } = await CompanyModel.findByPk(companyId, {
      attributes: ['clientId'],
      rejectOnEmpty: true,
    });
    return clientId;
  }

  async getName(companyId: number): Promise<string> {
    const { name } = await CompanyModel.findByPk(companyId, { attributes: ['name'], rejectOnEmpty: true });
    return name;
  }

  /**
   * Gives the company its details and marks it as claimed, once. False if it has a user, or if another registration has
   * claimed it.
   */
  async claim(
    tx: Tx,
    companyId: number,
    details: CompanyDetails & { readonly name: string },
  ): Promise<boolean> {
    const { name, cnpj = null, financialEmail = null, phone = null } = details;
    const claimed = await this.db.execute(
      `UPDATE companies SET claimed_at = now(), updated_at = now(), name = $2, cnpj = $3, financial_email = $4, phone = $5
        WHERE id = $1 AND claimed_at IS NULL AND NOT EXISTS (SELECT 1 FROM users WHERE company_id = $1)`,
      [companyId, name, cnpj, financialEmail, phone],
      tx,
    );
    return claimed === 1;
  }

  private async insertAs(slug: string, company: NewCompany, tx?: Tx): Promise<AuthenticatedCompany | null> {
    const { name, clientId, apiKeyHash, pepperId } = company;
    const { cnpj = null, financialEmail = null, phone = null, referrer = null } = company;
    return this.db.queryOne<AuthenticatedCompany>(
      `WITH company AS (
         INSERT INTO companies (slug, name, client_id, cnpj, financial_email, phone, referrer)
         VALUES ($1, $2, $3, $5, $6, $7, $8)
         ON CONFLICT (slug) DO NOTHING
         RETURNING ${COMPANY_COLUMNS}
       ), key AS (
         INSERT INTO api_keys (company_id, name, key_hash, scopes, pepper_id)
         SELECT id, '${FIRST_KEY_NAME}', $4, '{${ALL_SCOPES.join()}}', $9 FROM company
       )
       SELECT * FROM company`,
      [slug, name, clientId, apiKeyHash, cnpj, financialEmail, phone, referrer, pepperId ?? null],
      tx,
    );
  }
}
