import type { Express } from 'express';
import { CompanyAuthenticator } from './application/authenticate-company';
import { CreatePayment } from './application/create-payment';
import { CustomerCards } from './application/customer-cards';
import { Customers } from './application/customers';
import { FindPayment } from './application/find-payment';
import type { Parts } from './compose';
import type { Config } from './config';
import { createApp } from './http/app';
import { codecEndpoint } from './http/codec-endpoint';
import type { OperationHandlers } from './http/operation';
import { companyOperations, type CompanyOperationsDeps } from './http/routes/companies';
import { customerOperations } from './http/routes/customers';
import { paymentOperations, type PaymentRouteDeps } from './http/routes/payments';
import type { Logger } from './log';
import { openapiPath } from './paths';
import { PaymentList } from './persistence/read-models/payment-list';
import { ApiKeys } from './security/api-keys';
import { checkTemporal } from './temporal/client';
import { EncryptionCodec } from './temporal/codec';
import { PaymentWorkflows } from './temporal/payments';
import { RecipientWorkflows } from './temporal/recipients';

const HEALTH_TIMEOUT_MS = 1_500;

/** The HTTP side of the service with everything behind it. */
export function composeApp(
  config: Config,
  parts: Parts,
  options: { readonly logger: Logger; readonly validateResponses?: boolean },
): Promise<Express> {
  const { open, allowedOrigin } = config.codecEndpoint;
  const authenticator = new CompanyAuthenticator(parts.companies, apiKeys(config));
  return createApp({
    contractPath: openapiPath,
    operations: composeOperations(config, parts),
    authenticate: (clientId, apiKey) => authenticator.authenticate(clientId, apiKey),
    healthChecks: {
      postgres: async () => void (await parts.db.query('SELECT 1')),
      temporal: () => checkTemporal(parts.temporal, HEALTH_TIMEOUT_MS),
    },
    rateLimits: config.rateLimits,
    publicBaseUrl: config.publicBaseUrl,
    ...(open ? { codec: codecEndpoint(new EncryptionCodec(config.secrets.codecKeys), allowedOrigin) } : {}),
    ...options,
  });
}

function composeOperations(config: Config, parts: Parts): OperationHandlers {
  const customers = new Customers(parts.db, parts.customers);
  const customerCards = new CustomerCards({ ...parts, customers, cards: parts.customerCards });
  return {
    ...companyOperations(composeCompanies(config, parts)),
    ...customerOperations({ customers, customerCards }),
    ...paymentOperations(composePayments(config, parts)),
  };
}

export function composeCompanies(config: Config, parts: Parts): CompanyOperationsDeps {
  return {
    registration: { companies: parts.companies, apiKeys: apiKeys(config) },
    gateways: {
      ...parts,
      recipients: new RecipientWorkflows(parts.temporal, config.temporal.taskQueue),
      fingerprintKey: config.secrets.fingerprintKey,
      syncTimeoutMs: config.payments.syncTimeoutMs,
    },
  };
}

export function composePayments(
  config: Config,
  parts: Parts,
  workflows: Pick<PaymentWorkflows, 'awaitResult'> = new PaymentWorkflows(
    parts.temporal,
    config.temporal.taskQueue,
  ),
): PaymentRouteDeps {
  const findPayment = new FindPayment(parts.payments, parts.attempts);
  return {
    findPayment,
    paymentList: new PaymentList(parts.db, parts.attempts),
    createPayment: new CreatePayment({
      ...parts,
      findPayment,
      workflows,
      requestHashKey: config.secrets.requestHashKey,
      syncTimeoutMs: config.payments.syncTimeoutMs,
    }),
  };
}

function apiKeys(config: Config): ApiKeys {
  return new ApiKeys(config.secrets.apiKeyPepper);
}
