import type { AuthenticatedCompany } from '../domain/company';
import { CompanyModel } from './models/company';

/** A company as the API-key check needs it. */
export interface CompanyKeyRow {
  readonly company: AuthenticatedCompany;
  readonly apiKeyHash: string;
}

/** The one owner of `companies`. */
export class CompanyRepository {
  async insert(row: { name: string; clientId: string; apiKeyHash: string }): Promise<AuthenticatedCompany> {
    return toCompany(await CompanyModel.create(row));
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

function toCompany({ id, clientId, timezone }: CompanyModel): AuthenticatedCompany {
  return { id, clientId, timezone };
}
