import type { CompanyConfigs } from '../../application/companies/company-config';
import { auditActorOf } from '../../domain/companies/audit-actor';
import type { CompanyConfig } from '../../domain/companies/company-config';
import { presentCompanyConfig } from '../../presenters/company-config';
import type { OperationHandlers, OperationResponse } from '../server/operation';

export interface CompanyConfigOperationsDeps {
  readonly companyConfigs: CompanyConfigs;
  readonly publicBaseUrl: string;
}

export function companyConfigOperations({
  companyConfigs,
  publicBaseUrl,
}: CompanyConfigOperationsDeps): Pick<OperationHandlers, 'getCompanyConfig' | 'updateCompanyConfig'> {
  const answer = (config: CompanyConfig): OperationResponse => ({
    status: 200,
    body: { data: presentCompanyConfig(config, publicBaseUrl) },
  });
  return {
    getCompanyConfig: async ({ company }) => answer(await companyConfigs.show(company)),

    updateCompanyConfig: async (request) =>
      answer(await companyConfigs.change(request.company, request.body, auditActorOf(request))),
  };
}
