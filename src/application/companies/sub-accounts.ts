import { notFound } from '../../domain/shared/errors';
import { parseSubAccountId } from '../../domain/shared/ids';
import type { Page, PageRequest } from '../../domain/shared/page';
import type {
  SubAccountRepository,
  SubAccountSummary,
} from '../../persistence/gateways/sub-account-repository';

/** A company's sub-accounts, however they were asked for. */
export class SubAccounts {
  constructor(private readonly subAccounts: SubAccountRepository) {}

  /** @throws ApiError `not_found`, the same for another company's sub-account and for one that never was */
  async get(companyId: number, id: string): Promise<SubAccountSummary> {
    const subAccountId = parseSubAccountId(id);
    const found = subAccountId && (await this.subAccounts.find(companyId, subAccountId));
    if (!found) throw notFound();
    return found;
  }

  async list(companyId: number, page: PageRequest): Promise<Page<SubAccountSummary>> {
    return this.subAccounts.list(companyId, page);
  }
}
