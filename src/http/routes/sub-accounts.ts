import type { CreateSubAccount } from '../../application/companies/create-sub-account';
import type { SubAccounts } from '../../application/companies/sub-accounts';
import { presentPage } from '../../presenters/page';
import { presentSubAccount } from '../../presenters/sub-account';
import type { RouteHandlers } from '../server/route';
import { pageRequest } from './page-request';
import { presentRecordedAnswer } from './recorded-answer';

export interface SubAccountRouteDeps {
  readonly createSubAccount: CreateSubAccount;
  readonly subAccounts: SubAccounts;
}

export function subAccountRoutes({
  createSubAccount,
  subAccounts,
}: SubAccountRouteDeps): Pick<RouteHandlers, 'createSubAccount' | 'listSubAccounts' | 'getSubAccount'> {
  return {
    async createSubAccount({ company, body, idempotencyKey, receivedAt }) {
      const { body: answer, replayed } = await createSubAccount.execute({
        company,
        idempotencyKey,
        slug: body.gateway_slug,
        information: body.subaccount_information,
        receivedAt,
      });
      return presentRecordedAnswer({ status: 201, body: answer, replayed });
    },

    async listSubAccounts({ company, query }) {
      const page = pageRequest(query);
      const found = await subAccounts.list(company.id, page);
      return { status: 200, body: presentPage(found, page, presentSubAccount) };
    },

    async getSubAccount({ company, params }) {
      const found = await subAccounts.get(company.id, params.id);
      return { status: 200, body: { data: presentSubAccount(found) } };
    },
  };
}
