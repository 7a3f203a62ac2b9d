import { LRUCache } from 'lru-cache';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { CompanyKeyRow, CompanyRepository } from '../../persistence/companies/company-repository';
import type { ApiKeys } from '../../security/api-keys';

/** How long a company's row is believed: a busy company costs no query per request. */
const REMEMBER_MS = 5_000;
const REMEMBER_COMPANIES = 5_000;

/** Checks API key pairs. */
export class CompanyAuthenticator {
  /** Concurrent requests of one company share one query. Companies that do not exist are not remembered. */
  private readonly rows: LRUCache<string, CompanyKeyRow>;

  constructor(
    companies: CompanyRepository,
    private readonly apiKeys: ApiKeys,
  ) {
    this.rows = new LRUCache<string, CompanyKeyRow>({
      max: REMEMBER_COMPANIES,
      ttl: REMEMBER_MS,
      // Whoever waits for a row that is forgotten meanwhile gets it all the same.
      ignoreFetchAbort: true,
      fetchMethod: async (clientId) => (await companies.findByClientId(clientId)) ?? undefined,
    });
  }

  /** Has its next request see what has changed. */
  forget(clientId: string): void {
    this.rows.delete(clientId);
  }

  /** The company of a key pair, or null; an unknown company and a wrong key are one answer, after the same work. */
  async authenticate(clientId: string, apiKey: string): Promise<AuthenticatedCompany | null> {
    const row = await this.rows.fetch(clientId);
    const matches = this.apiKeys.matches(apiKey, row?.apiKeyHash ?? null);
    return matches && row !== undefined ? row.company : null;
  }
}
