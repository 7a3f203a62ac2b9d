import type { AuthenticatedCompany, CompanyDetails } from '../domain/company';
import { CompanyModel } from './models/company';
import type { Tx } from './transaction';

/** A company as the API-key check needs it. */
export interface CompanyKeyRow {
  readonly company: AuthenticatedCompany;
  readonly apiKeyHash: string;
}

export interface NewCompany extends CompanyDetails {
  readonly name: string;
  readonly clientId: string;
  readonly apiKeyHash: string;
}

/** The one owner of `companies`. */
export class CompanyRepository {
  async insert(company: NewCompany, tx?: Tx): Promise<AuthenticatedCompany> {
    const { cnpj = null, financialEmail = null, phone = null, referrer = null } = company;
    const row = { ...company, cnpj, financialEmail, phone, referrer };
    return toCompany(await CompanyModel.create(row, { transaction: tx ?? null }));
  }

  async findByClientId(clientId: string): Promise<CompanyKeyRow | null> {
    const found = await CompanyModel.findOne({ where: { clientId } });
    return found && { company: toCompany(found), apiKeyHash: found.apiKeyHash };
  }

  async clientIdOf(companyId: number): Promise<string> {
    const { clientId } = await CompanyModel.findByPk(companyId, {
      attributes: ['clientId'],
      rejectOnEmpty: true,
    });
    return clientId;
  }
}

function toCompany(row: CompanyModel): AuthenticatedCompany {
  const { id, clientId, timezone, pixExpiresIn: pixExpiresInSeconds, billetDueDays } = row;
  return { id, clientId, timezone, pixExpiresInSeconds, billetDueDays };
}
