import type { Express } from 'express';
import { CreatePayment, type CreatePaymentDeps } from './application/create-payment';
import { FindPayment } from './application/find-payment';
import type { Parts } from './compose';
import { composeCompanies } from './compose-companies';
import type { Config } from './config';
import { createApp } from './http/app';
import { codecEndpoint } from './http/codec-endpoint';
import { companyOperations } from './http/routes/companies';
import { customerOperations } from './http/routes/customers';
import { paymentOperations, type PaymentRouteDeps } from './http/routes/payments';
import type { Logger } from './log';
import { openapiPath } from './paths';
import { PaymentList } from './persistence/read-models/payment-list';
import { checkTemporal } from './temporal/client';
import { EncryptionCodec } from './temporal/codec';
import { PaymentWorkflows } from './temporal/payments';

const HEALTH_TIMEOUT_MS = 1_500;

/** The HTTP side of the service with everything behind it. */
export function composeApp(
  config: Config,
  parts: Parts,
  options: { readonly logger: Logger; readonly validateResponses?: boolean },
): Promise<Express> {
  const { open, allowedOrigin } = config.codecEndpoint;
  const companies = composeCompanies(config, parts);
  return createApp({
    contractPath: openapiPath,
    operations: {
      ...companyOperations(companies),
      ...customerOperations(companies),
      ...paymentOperations(
        composePayments(config, parts, (transactionId, error) => {
          options.logger.error({ transaction_id: transactionId, err: error }, 'no answer after the commit');
        }),
      ),
    },
    authenticate: (clientId, apiKey) => companies.authenticator.authenticate(clientId, apiKey),
    healthChecks: {
      postgres: async () => void (await parts.db.query('SELECT 1')),
      temporal: () => checkTemporal(parts.temporal, HEALTH_TIMEOUT_MS),
    },
    rateLimits: config.rateLimits,
    publicBaseUrl: config.publicBaseUrl,
    trustedProxies: config.trustedProxies,
    ...(open ? { codec: codecEndpoint(new EncryptionCodec(config.secrets.codecKeys), allowedOrigin) } : {}),
    ...options,
  });
}

export function composePayments(
  config: Config,
  parts: Parts,
  reportError: CreatePaymentDeps['reportError'],
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
      reportError,
      requestHashKey: config.secrets.requestHashKey,
      syncTimeoutMs: config.payments.syncTimeoutMs,
    }),
  };
}
