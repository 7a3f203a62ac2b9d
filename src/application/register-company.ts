import type { CompanyCredentials } from '../domain/company';
import { newClientId } from '../domain/ids';
import type { CompanyRepository } from '../persistence/company-repository';
import type { ApiKeys } from '../security/api-keys';

export interface RegisterCompanyDeps {
  readonly companies: CompanyRepository;
  readonly apiKeys: ApiKeys;
}

/** Creates a company and its key pair. The key is returned here and nowhere again: only its keyed hash is kept. */
export async function registerCompany(deps: RegisterCompanyDeps, name: string): Promise<CompanyCredentials> {
  const apiKey = deps.apiKeys.generate();
  const { clientId } = await deps.companies.insert({
    name: name.trim(),
    clientId: newClientId(),
    apiKeyHash: deps.apiKeys.hash(apiKey),
  });
  return { clientId, apiKey };
}
