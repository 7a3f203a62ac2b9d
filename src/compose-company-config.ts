import { CompanyConfigs } from './application/company-config';
import type { Parts } from './compose';
import type { Config } from './config';
import type { CompanyConfigOperationsDeps } from './http/routes/company-config';
import { presentCompanyConfig } from './presenters/company-config';
import { SafeFetch } from './security/safe-fetch';

/** `forget`: has this process ask for the company anew. */
export function composeCompanyConfig(
  { production, publicBaseUrl, webhooks }: Config,
  parts: Parts,
  forget: (clientId: string) => void,
): CompanyConfigOperationsDeps {
  const companyConfigs = new CompanyConfigs({
    ...parts,
    safeFetch: new SafeFetch({ allowLoopback: webhooks.allowLoopback }),
    present: (config) => ({ ...presentCompanyConfig(config, publicBaseUrl) }),
    forget,
    publicBaseUrl,
    sandbox: !production,
  });
  return { companyConfigs, publicBaseUrl };
}
