import type { CompanyApiKeys } from '../../application/companies/company-api-keys';
import { auditActorOf } from '../../domain/companies/audit-actor';
import { presentApiKey, presentCreatedApiKey } from '../../presenters/api-key';
import { presentPage } from '../../presenters/page';
import type { RouteHandlers } from '../server/route';
import { API_KEY_WARNING } from './companies';
import { pageRequest } from './page-request';

export interface ApiKeyRouteDeps {
  readonly companyApiKeys: CompanyApiKeys;
}

/** A company's API keys, for its users. */
export function apiKeyRoutes({
  companyApiKeys,
}: ApiKeyRouteDeps): Pick<RouteHandlers, 'listApiKeys' | 'createApiKey' | 'revokeApiKey'> {
  return {
    listApiKeys: async ({ company, query }) => {
      const page = pageRequest(query);
      const found = await companyApiKeys.list(company.id, page);
      return { status: 200, body: presentPage(found, page, presentApiKey) };
    },

    createApiKey: async (request) => {
      const created = await companyApiKeys.create(auditActorOf(request), request.body);
      return { status: 201, body: { data: presentCreatedApiKey(created, API_KEY_WARNING) } };
    },

    revokeApiKey: async (request) => {
      // Express passes path parameters as text, although the contract declares an integer.
      const id = Number(request.params.id);
      await companyApiKeys.revoke(auditActorOf(request), request.company, id);
      return { status: 204 };
    },
  };
}
