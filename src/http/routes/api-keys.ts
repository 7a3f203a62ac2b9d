import type { CompanyApiKeys } from '../../application/companies/company-api-keys';
import type { CreateOnce } from '../../application/shared/create-once';
import { auditActorOf } from '../../domain/companies/audit-actor';
import { presentApiKey, presentCreatedApiKey } from '../../presenters/api-key';
import { presentPage } from '../../presenters/page';
import type { RouteHandlers } from '../server/route';
import { API_KEY_WARNING } from './companies';
import { answerSecretCreation } from './creation';
import { pageRequest } from './page-request';

export interface ApiKeyRouteDeps {
  readonly companyApiKeys: CompanyApiKeys;
  readonly createOnce: CreateOnce;
}

/** A company's API keys, for its users. */
export function apiKeyRoutes({
  companyApiKeys,
  createOnce,
}: ApiKeyRouteDeps): Pick<RouteHandlers, 'listApiKeys' | 'createApiKey' | 'revokeApiKey'> {
  return {
    listApiKeys: async ({ company, query }) => {
      const page = pageRequest(query);
      const found = await companyApiKeys.list(company.id, page);
      return { status: 200, body: presentPage(found, page, presentApiKey) };
    },

    createApiKey: (request) => {
      const create = () => companyApiKeys.create(auditActorOf(request), request.company, request.body);
      return answerSecretCreation(createOnce, request, create, {
        status: 201,
        present: (created) => ({ data: presentCreatedApiKey(created, API_KEY_WARNING) }),
        idOf: ({ apiKey }) => apiKey.id,
      });
    },

    revokeApiKey: async (request) => {
      // Express passes path parameters as text, although the contract declares an integer.
      const id = Number(request.params.id);
      await companyApiKeys.revoke(auditActorOf(request), request.company, id);
      return { status: 204 };
    },
  };
}
