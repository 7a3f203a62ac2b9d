import type { SimulatorResponse } from '../../replies';

/** https://docs.asaas.com/docs/api-limits-1: 25,000 requests per account in 12 hours from the first one. */
const QUOTA = 25_000;
const PERIOD_MS = 12 * 60 * 60 * 1000;
const MAX_ACCOUNTS = 10_000;

interface Used {
  readonly since: number;
  readonly count: number;
}

/** Counts the requests of each account. It is kept in memory, so a restart begins anew. */
export class AsaasQuota {
  private readonly accounts = new Map<string, Used>();

  /** Counts a request. `answer` adds the headers of its answer; a request that `isSpent` is refused. */
  take(
    account: string,
    now = Date.now(),
  ): { readonly isSpent: boolean; readonly answer: (response: SimulatorResponse) => SimulatorResponse } {
    const known = this.accounts.get(account);
    const used = known === undefined || known.since + PERIOD_MS <= now ? { since: now, count: 0 } : known;
    const count = used.count + 1;
    this.accounts.set(account, { ...used, count });
    const [oldest] = this.accounts.keys();
    if (this.accounts.size > MAX_ACCOUNTS && oldest !== undefined) this.accounts.delete(oldest);
    // The page above: the seconds until the limit is reset.
    const headers = {
      'RateLimit-Limit': String(QUOTA),
      'RateLimit-Remaining': String(Math.max(QUOTA - count, 0)),
      'RateLimit-Reset': String(Math.ceil((used.since + PERIOD_MS - now) / 1000)),
    };
    return { isSpent: count > QUOTA, answer: (response) => ({ ...response, headers }) };
  }
}
