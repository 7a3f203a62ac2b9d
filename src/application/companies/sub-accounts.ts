import { notFound } from '../../domain/shared/errors';
import { parseSubAccountId } from '../../domain/shared/ids';
import type { Page, PageRequest } from '../../domain/shared/page';
import type {
  SubAccountRepository,
  SubAccountSummary,
} from '../../persistence/gateways/sub-account-repository';

/** A company's sub-accounts from both `POST /sub-accounts` and `PUT /company/gateways`. */
export class SubAccounts {
  constructor(private readonly subAccounts: SubAccountRepository) {}

  /** @throws ApiError `not_found`, also for another company's sub-account */
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
