import type { ReportedCharge } from '../../domain/payments/restored/reported-charge';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type {
  ListedSecret,
  RestoreListingRepository,
} from '../../persistence/restore/restore-listing-repository';
import type { ImportCharges } from './import-charges';

interface Page {
  readonly charges: readonly ReportedCharge[];
  readonly nextCursor: string | null;
}

export interface FetchChargesDeps {
  readonly listings: RestoreListingRepository;
  readonly importCharges: Pick<ImportCharges, 'execute'>;
  /** One page of an account's changed charges; `null` is the platform's account. */
  readonly listPage: (
    slug: GatewaySlug,
    secret: ListedSecret | null,
    query: { readonly since: Date; readonly cursor: string | null },
  ) => Promise<Page>;
}

const SECRETS_AT_ONCE = 100;
const PLATFORM = 'platform';

/**
 * Imports the charges of all accounts at a gateway that were changed since a moment, page by page. If it is interrupted, the next one goes
 * on where it was; a charge that is imported again is compared again.
 */
export class FetchCharges {
  constructor(private readonly deps: FetchChargesDeps) {}

  /** Returns how many charges were imported. */
  async execute(
    restoreId: number,
    slug: GatewaySlug,
    { since, hasPlatform }: { readonly since: Date; readonly hasPlatform: boolean },
  ): Promise<number> {
    let count = hasPlatform ? await this.fetchAccount(restoreId, slug, null, since) : 0;
    let secrets = await this.deps.listings.listSecrets(slug, null, SECRETS_AT_ONCE);
    while (secrets.length > 0) {
      for (const secret of secrets) count += await this.fetchAccount(restoreId, slug, secret, since);
      secrets = await this.deps.listings.listSecrets(slug, secrets.at(-1)?.id ?? null, SECRETS_AT_ONCE);
    }
    return count;
  }

  private async fetchAccount(
    restoreId: number,
    slug: GatewaySlug,
    secret: ListedSecret | null,
    since: Date,
  ): Promise<number> {
    const { listings, importCharges, listPage } = this.deps;
    const account = secret?.id ?? PLATFORM;
    let cursor = await listings.findCursor(restoreId, slug, account);
    let count = 0;
    do {
      const page = await listPage(slug, secret, { since, cursor });
      for (const charge of page.charges) await importCharges.execute(restoreId, { gateway: slug, ...charge });
      count += page.charges.length;
      cursor = page.nextCursor;
      await listings.saveCursor(restoreId, slug, account, cursor);
    } while (cursor !== null);
    return count;
  }
}
