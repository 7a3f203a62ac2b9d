import { LRUCache } from 'lru-cache';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { CompanyKeyRow, CompanyRepository } from '../../persistence/companies/company-repository';
import type { ApiKeys } from '../../security/api-keys';

/** A busy company causes one query per interval instead of one per request. */
const CACHE_TTL_MS = 5_000;
const CACHE_SIZE = 5_000;

/** Verifies pairs of client id and API key. */
export class CompanyAuthenticator {
  /** Concurrent requests of one company share one query. Unknown client ids are not cached. */
  private readonly rows: LRUCache<string, CompanyKeyRow>;

  constructor(
    companies: CompanyRepository,
    private readonly apiKeys: ApiKeys,
  ) {
    this.rows = new LRUCache<string, CompanyKeyRow>({
      max: CACHE_SIZE,
      ttl: CACHE_TTL_MS,
      // A request that waits for a fetch still gets its row if the entry is invalidated meanwhile.
      ignoreFetchAbort: true,
      fetchMethod: async (clientId) => (await companies.findByClientId(clientId)) ?? undefined,
    });
  }

  /** Makes the company's next request read its row again. */
  invalidate(clientId: string): void {
    this.rows.delete(clientId);
  }

  /** The company of a key pair, or null. An unknown client id and a wrong key take the same work, so timing reveals neither. */
  async authenticate(clientId: string, apiKey: string): Promise<AuthenticatedCompany | null> {
    const row = await this.rows.fetch(clientId);
    const matches = this.apiKeys.matches(apiKey, row?.apiKeyHash ?? null);
    return matches && row !== undefined ? row.company : null;
  }
}
