import type {
  AuthenticatedCompany,
  CompanyCredentials,
  CompanyDetails,
} from '../../domain/companies/company';
import type { Mode } from '../../domain/shared/mode';
import { newClientId } from '../../domain/shared/ids';
import type { CompanyRepository } from '../../persistence/companies/company-repository';
import type { Tx } from '../../persistence/sql/transaction';
import type { ApiKeys } from '../../security/api-keys';

export interface RegisterCompanyDeps {
  readonly companies: CompanyRepository;
  readonly apiKeys: ApiKeys;
  /** The deployment's mode: that of the company's row and of its first key. */
  readonly mode: Mode;
}

/** Creates a company and its key pair. The API key is returned only once: the database stores its keyed hash. */
export async function registerCompany(deps: RegisterCompanyDeps, name: string): Promise<CompanyCredentials> {
  return (await provisionCompany(deps, { name })).credentials;
}

export interface ProvisionedCompany {
  readonly company: AuthenticatedCompany;
  readonly credentials: CompanyCredentials;
}

/** Creates a company with its details, optionally inside a transaction that creates more. */
export async function provisionCompany(
  deps: RegisterCompanyDeps,
  { name, ...details }: CompanyDetails & { readonly name: string },
  tx?: Tx,
): Promise<ProvisionedCompany> {
  const { mode } = deps;
  const apiKey = deps.apiKeys.generate(mode);
  const clientId = newClientId();
  const { pepperId } = deps.apiKeys;
  const row = {
    ...details,
    mode,
    name: name.trim(),
    clientId,
    apiKeyHash: deps.apiKeys.hash(apiKey),
    pepperId,
  };
  return { company: await deps.companies.insert(row, tx), credentials: { clientId, apiKey } };
}
