import { CompanyAuthenticator } from './application/authenticate-company';
import { CustomerCards } from './application/customer-cards';
import { Customers } from './application/customers';
import type { Parts } from './compose';
import type { Config } from './config';
import type { CompanyOperationsDeps } from './http/routes/companies';
import type { CustomerOperationsDeps } from './http/routes/customers';
import { ApiKeys } from './security/api-keys';
import { RecipientWorkflows } from './temporal/recipients';

/** Companies with their key check, their gateways and their customers. */
export function composeCompanies(
  config: Config,
  parts: Parts,
): CompanyOperationsDeps & CustomerOperationsDeps & { readonly authenticator: CompanyAuthenticator } {
  const { companies } = parts;
  const apiKeys = new ApiKeys(config.secrets.apiKeyPepper);
  const customers = new Customers(parts.db, parts.customers);
  return {
    authenticator: new CompanyAuthenticator(companies, apiKeys),
    registration: { companies, apiKeys },
    gateways: {
      ...parts,
      recipients: new RecipientWorkflows(parts.temporal, config.temporal.taskQueue),
      fingerprintKey: config.secrets.fingerprintKey,
      syncTimeoutMs: config.payments.syncTimeoutMs,
    },
    customers,
    customerCards: new CustomerCards({
      db: parts.db,
      customers,
      cards: parts.customerCards,
      vault: parts.vault,
    }),
  };
}
