import type { CreateSubAccount } from '../../application/companies/create-sub-account';
import type { SubAccounts } from '../../application/companies/sub-accounts';
import type { ConsentResult, ReceiveConsent } from '../../application/companies/receive-consent';
import { ApiError } from '../../domain/shared/errors';
import { presentPage } from '../../presenters/page';
import { presentSubAccount } from '../../presenters/sub-account';
import { consentPage } from '../pages/consent-page';
import type { RouteHandlers } from '../server/route';
import { pageRequest } from './page-request';
import { presentRecordedAnswer } from './recorded-answer';

export interface SubAccountRouteDeps {
  readonly createSubAccount: CreateSubAccount;
  readonly subAccounts: SubAccounts;
  readonly receiveConsent: ReceiveConsent;
}

export function subAccountRoutes({
  createSubAccount,
  subAccounts,
  receiveConsent,
}: SubAccountRouteDeps): Pick<
  RouteHandlers,
  'createSubAccount' | 'listSubAccounts' | 'getSubAccount' | 'receiveConsent'
> {
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

    async receiveConsent({ params, query, requestId, receivedAt }) {
      const { state, code = null } = query;
      try {
        const status = await receiveConsent.execute(params.gateway, { state, code }, receivedAt);
        return {
          status: 200,
          body: { status } satisfies { status: ConsentResult },
          page: consentPage(status),
        };
      } catch (error) {
        if (!(error instanceof ApiError) || !IS_OVER.has(error.code)) throw error;
        const body = { message: error.message, code: error.code, request_id: requestId };
        return { status: error.status, body, page: consentPage('over') };
      }
    },
  };
}

const IS_OVER: ReadonlySet<string> = new Set(['not_found', 'link_expired']);
