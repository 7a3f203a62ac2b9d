import type { CompanyConfigs } from '../../application/companies/company-config';
import { auditActorOf } from '../../domain/companies/audit-actor';
import type { CompanyConfig } from '../../domain/companies/company-config';
import { presentCompanyConfig } from '../../presenters/company-config';
import type { RouteHandlers, RouteResponse } from '../server/route';

export interface CompanyConfigRouteDeps {
  readonly companyConfigs: CompanyConfigs;
  readonly publicBaseUrl: string;
}

export function companyConfigRoutes({
  companyConfigs,
  publicBaseUrl,
}: CompanyConfigRouteDeps): Pick<RouteHandlers, 'getCompanyConfig' | 'updateCompanyConfig'> {
  const answer = (config: CompanyConfig): RouteResponse => ({
    status: 200,
    body: { data: presentCompanyConfig(config, publicBaseUrl) },
  });
  return {
    getCompanyConfig: async ({ company }) => answer(await companyConfigs.get(company)),

    updateCompanyConfig: async (request) =>
      answer(await companyConfigs.change(request.company, request.body, auditActorOf(request))),
  };
}
