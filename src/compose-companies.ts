import { CompanyAuthenticator } from './application/authenticate-company';
import { CustomerCards } from './application/customer-cards';
import { CreateSubAccount } from './application/create-sub-account';
import { Customers } from './application/customers';
import { SubAccounts } from './application/sub-accounts';
import type { Parts } from './compose';
import type { Config } from './config';
import type { CompanyOperationsDeps } from './http/routes/companies';
import type { CustomerOperationsDeps } from './http/routes/customers';
import type { SubAccountOperationsDeps } from './http/routes/sub-accounts';
import { presentSubAccount } from './presenters/sub-account';
import { ApiKeys } from './security/api-keys';
import { RecipientWorkflows } from './temporal/recipients';

type CompaniesDeps = CompanyOperationsDeps & CustomerOperationsDeps & SubAccountOperationsDeps;

/** Companies with their key check, their gateways, sub-accounts and customers. */
export function composeCompanies(
  config: Config,
  parts: Parts,
): CompaniesDeps & { readonly authenticator: CompanyAuthenticator } {
  const { companies } = parts;
  const apiKeys = new ApiKeys(config.secrets.apiKeyPepper);
  const customers = new Customers(parts.db, parts.customers);
  const recipients = {
    ...parts,
    recipients: new RecipientWorkflows(parts.temporal, config.temporal.taskQueue),
    fingerprintKey: config.secrets.fingerprintKey,
    syncTimeoutMs: config.payments.syncTimeoutMs,
  };
  return {
    authenticator: new CompanyAuthenticator(companies, apiKeys),
    registration: { companies, apiKeys },
    gateways: recipients,
    subAccounts: new SubAccounts(parts.subAccounts),
    createSubAccount: new CreateSubAccount({
      ...recipients,
      requestHashKey: config.secrets.requestHashKey,
      present: (subAccount) => ({ data: presentSubAccount(subAccount) }),
    }),
    customers,
    customerCards: new CustomerCards({
      db: parts.db,
      customers,
      cards: parts.customerCards,
      vault: parts.vault,
    }),
  };
}
