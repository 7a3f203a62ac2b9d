import { LRUCache } from 'lru-cache';
import type { KeyHolder } from '../../domain/companies/api-key';
import type { ApiKeyRepository } from '../../persistence/companies/api-key-repository';
import type { CompanyKeys, CompanyRepository } from '../../persistence/companies/company-repository';
import type { ApiKeys } from '../../security/api-keys';

/** A busy company causes one query per interval instead of one per request. */
const CACHE_TTL_MS = 5_000;
const CACHE_SIZE = 5_000;
/** How exact `last_used_at` is: a busy key causes one update per interval. */
const USE_RECORDED_EVERY_MS = 60_000;

export interface CompanyAuthenticatorDeps {
  readonly companies: CompanyRepository;
  readonly storedKeys: Pick<ApiKeyRepository, 'recordUse' | 'replaceHash'>;
  readonly apiKeys: ApiKeys;
  /** Reports that a use was not recorded, after the request was authenticated. */
  readonly reportError: (error: unknown) => void;
}

/** Verifies pairs of client id and API key. */
export class CompanyAuthenticator {
  /** Concurrent requests of one company share one query. Unknown client ids are not cached. */
  private readonly rows: LRUCache<string, CompanyKeys>;
  /** The keys whose use this process has recorded in the interval. */
  private readonly recorded = new LRUCache<number, true>({ max: CACHE_SIZE, ttl: USE_RECORDED_EVERY_MS });

  constructor(private readonly deps: CompanyAuthenticatorDeps) {
    this.rows = new LRUCache<string, CompanyKeys>({
      max: CACHE_SIZE,
      ttl: CACHE_TTL_MS,
      // A request that waits for a fetch still gets its row if the entry is invalidated meanwhile.
      ignoreFetchAbort: true,
      fetchMethod: async (clientId) => (await deps.companies.findByClientId(clientId)) ?? undefined,
    });
  }

  /** Makes the company's next request read its row and keys again. Other processes do so within five seconds. */
  invalidate(clientId: string): void {
    this.rows.delete(clientId);
  }

  /** The holder of a key pair, or null. An unknown client id and a wrong key cost one query each, so timing reveals neither. */
  async authenticate(clientId: string, apiKey: string): Promise<KeyHolder | null> {
    const cached = this.rows.get(clientId);
    // A key that another process has just created is not in the cache.
    return (
      (cached && this.holderOf(apiKey, cached)) ??
      this.holderOf(apiKey, await this.rows.fetch(clientId, { forceRefresh: true }))
    );
  }

  private holderOf(apiKey: string, row: CompanyKeys | undefined): KeyHolder | null {
    const matching = this.deps.apiKeys.find(apiKey, row?.keys ?? []);
    if (matching === null) return null;
    const { id, scopes, company } = matching;
    this.recordUse(matching, apiKey);
    return { company, apiKey: { id, scopes } };
  }

  /** Does not delay the request, and a failure does not affect it. */
  private recordUse({ id, pepperId: madeWith }: CompanyKeys['keys'][number], apiKey: string): void {
    const { storedKeys, apiKeys, reportError } = this.deps;
    if (this.recorded.has(id)) return;
    this.recorded.set(id, true);
    storedKeys.recordUse(id).catch(reportError);
    const { pepperId } = apiKeys;
    // An older pepper can be removed once the API keys in use have hashes of the current one.
    if (madeWith !== pepperId)
      storedKeys.replaceHash({ id, hash: apiKeys.hash(apiKey), pepperId }).catch(reportError);
  }
}
