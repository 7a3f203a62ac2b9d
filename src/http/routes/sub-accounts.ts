import type { CreateSubAccount } from '../../application/companies/create-sub-account';
import type { SubAccounts } from '../../application/companies/sub-accounts';
import { presentPage } from '../../presenters/page';
import { presentSubAccount } from '../../presenters/sub-account';
import type { OperationHandlers } from '../server/operation';

export interface SubAccountOperationsDeps {
  readonly createSubAccount: CreateSubAccount;
  readonly subAccounts: SubAccounts;
}

export function subAccountOperations({
  createSubAccount,
  subAccounts,
}: SubAccountOperationsDeps): Pick<
  OperationHandlers,
  'createSubAccount' | 'listSubAccounts' | 'getSubAccount'
> {
  return {
    async createSubAccount({ company, body, idempotencyKey, receivedAt }) {
      const { answer, replayed } = await createSubAccount.execute({
        company,
        idempotencyKey,
        slug: body.gateway_slug,
        information: body.subaccount_information,
        receivedAt,
      });
      return {
        status: 201,
        body: answer,
        ...(replayed ? { headers: { 'Idempotency-Replayed': 'true' } } : {}),
      };
    },

    async listSubAccounts({ company, query }) {
      const page = { number: query.page, size: query.per_page };
      const found = await subAccounts.list(company.id, page);
      return { status: 200, body: presentPage(found, page, presentSubAccount) };
    },

    async getSubAccount({ company, params }) {
      const found = await subAccounts.get(company.id, params.id);
      return { status: 200, body: { data: presentSubAccount(found) } };
    },
  };
}
