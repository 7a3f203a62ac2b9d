import { randomBytes } from 'node:crypto';
import type { KeyHolder } from '../../domain/companies/api-key';
import { ALL_SCOPES } from '../../domain/companies/api-key-scope';
import type { AuthenticatedCompany, CompanyDetails } from '../../domain/companies/company';
import { ownCompanyId, type Mode } from '../../domain/shared/mode';
import { slugCandidates } from '../../domain/checkout/slug';
import { CompanyModel } from '../models/company';
import type { Database, Tx } from '../sql/transaction';
import type { StoredApiKey } from './api-key-repository';
import { companyColumns } from './company-columns';
import { lockCompany } from './lock-company';

type CompanyKey = KeyHolder['apiKey'] & Pick<StoredApiKey, 'hash' | 'pepperId'>;

/** A company with the hashes of its valid API keys, each with the company in the key's mode, for authentication. */
export interface CompanyKeys {
  /** In the deployment's mode. */
  readonly company: AuthenticatedCompany;
  readonly keys: ReadonlyArray<CompanyKey & Pick<KeyHolder, 'company'>>;
}

export interface NewCompany extends CompanyDetails {
  /** The deployment's mode. */
  readonly mode: Mode;
  readonly name: string;
  readonly clientId: string;
  /** Of its first API key, which has every scope. */
  readonly apiKeyHash: string;
  /** Which pepper made the hash. */
  readonly pepperId?: string;
}

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
    const rows = await this.db.query<AuthenticatedCompany & { readonly keys: readonly CompanyKey[] }>(
      `SELECT ${companyColumns('c')}, COALESCE((
         SELECT jsonb_agg(jsonb_build_object('id', k.id, 'scopes', k.scopes, 'hash', k.key_hash, 'pepperId', k.pepper_id) ORDER BY k.id)
           FROM api_keys k WHERE k.company_id = c.id AND k.revoked_at IS NULL), '[]') AS keys
         FROM companies own JOIN companies c ON c.id IN (own.id, -own.id) WHERE own.client_id = $1`,
      [clientId],
    );
    const own = rows.find(({ id }) => id > 0);
    if (own === undefined) return null;
    const { keys: _, ...company } = own;
    return {
      company,
      keys: rows.flatMap(({ keys, ...company }) => keys.map((key) => ({ ...key, company }))),
    };
  }

  async getClientId(companyId: number): Promise<string> {
    const { clientId } = await CompanyModel.findByPk(ownCompanyId(companyId), {
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

  /** Adds the company's row of the other mode, with the company's details and settings, unless it exists. */
  async addMode(tx: Tx, companyId: number, mode: Mode): Promise<void> {
    const id = ownCompanyId(companyId);
    // Waits for a change of the settings, which changes both rows, before it copies them.
    await lockCompany(this.db, tx, id);
    await this.db.execute(
      `WITH added AS (
         INSERT INTO companies (id, mode, slug, name, timezone, pix_expires_in, billet_due_days, cnpj, financial_email, phone, referrer)
         OVERRIDING SYSTEM VALUE
         -- No other company has a slug with an underscore.
         SELECT -id, $2, $2 || '_' || slug, name, timezone, pix_expires_in, billet_due_days, cnpj, financial_email, phone, referrer
           FROM companies WHERE id = $1
         ON CONFLICT (id) DO NOTHING RETURNING id),
       logo AS (
         INSERT INTO company_logos (company_id, hash, content_type, bytes, source_url, created_at)
         SELECT added.id, hash, content_type, bytes, source_url, created_at
           FROM company_logos JOIN added ON company_id = -added.id)
       INSERT INTO company_configs
              (company_id, dunning_days, routing_rules, brand_name, brand_color, checkout_frame_origins, installments, updated_at)
       SELECT added.id, dunning_days, routing_rules, brand_name, brand_color, checkout_frame_origins, installments, updated_at
         FROM company_configs JOIN added ON company_id = -added.id`,
      [id, mode],
      tx,
    );
  }

  private async insertAs(slug: string, company: NewCompany, tx?: Tx): Promise<AuthenticatedCompany | null> {
    const { mode, name, clientId, apiKeyHash, pepperId } = company;
    const { cnpj = null, financialEmail = null, phone = null, referrer = null } = company;
    return this.db.queryOne<AuthenticatedCompany>(
      `WITH company AS (
         INSERT INTO companies (slug, name, client_id, cnpj, financial_email, phone, referrer, mode)
         VALUES ($1, $2, $3, $5, $6, $7, $8, $10)
         ON CONFLICT (slug) DO NOTHING
         RETURNING ${companyColumns('companies')}
       ), key AS (
         INSERT INTO api_keys (company_id, name, key_hash, scopes, pepper_id)
         SELECT id, '${FIRST_KEY_NAME}', $4, '{${ALL_SCOPES.join()}}', $9 FROM company
       )
       SELECT * FROM company`,
      [slug, name, clientId, apiKeyHash, cnpj, financialEmail, phone, referrer, pepperId ?? null, mode],
      tx,
    );
  }
}
