import { randomBytes } from 'node:crypto';
import type { AuthenticatedCompany, CompanyDetails } from '../../domain/companies/company';
import { slugCandidates } from '../../domain/checkout/slug';
import { CompanyModel } from '../models/company';
import type { Database, Tx } from '../sql/transaction';

/** A company with its API key's hash, for authentication. */
export interface CompanyKeyRow {
  readonly company: AuthenticatedCompany;
  readonly apiKeyHash: string;
}

export interface NewCompany extends CompanyDetails {
  readonly name: string;
  readonly clientId: string;
  readonly apiKeyHash: string;
}

/** Owns `companies`. */
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

  async findByClientId(clientId: string): Promise<CompanyKeyRow | null> {
    const found = await CompanyModel.findOne({ where: { clientId } });
    return found && { company: toCompany(found), apiKeyHash: found.apiKeyHash };
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

  private async insertAs(slug: string, company: NewCompany, tx?: Tx): Promise<AuthenticatedCompany | null> {
    const { name, clientId, apiKeyHash } = company;
    const { cnpj = null, financialEmail = null, phone = null, referrer = null } = company;
    return this.db.queryOne<AuthenticatedCompany>(
      `INSERT INTO companies (slug, name, client_id, api_key_hash, cnpj, financial_email, phone, referrer)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (slug) DO NOTHING
       RETURNING id, client_id AS "clientId", timezone, pix_expires_in AS "pixExpiresInSeconds",
         billet_due_days AS "billetDueDays"`,
      [slug, name, clientId, apiKeyHash, cnpj, financialEmail, phone, referrer],
      tx,
    );
  }
}

function toCompany(row: CompanyModel): AuthenticatedCompany {
  const { id, clientId, timezone, pixExpiresIn: pixExpiresInSeconds, billetDueDays } = row;
  return { id, clientId, timezone, pixExpiresInSeconds, billetDueDays };
}
