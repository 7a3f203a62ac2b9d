import type { Router } from 'express';
import { ReceiveCallback } from '../application/payments/receive-callback';
import type { Config } from '../config';
import { supportOnly } from '../http/auth/support-only';
import { codecEndpoint } from '../http/pages/codec-endpoint';
import { callbackOperations } from '../http/routes/callbacks';
import { checkoutOperations } from '../http/routes/checkout';
import { companyOperations } from '../http/routes/companies';
import { companyConfigOperations } from '../http/routes/company-config';
import { couponOperations } from '../http/routes/coupons';
import { customerOperations } from '../http/routes/customers';
import { dashboardOperations } from '../http/routes/dashboard';
import { gatewaysAndAudit } from '../http/routes/gateways-and-audit';
import { paymentCommands } from '../http/routes/payment-commands';
import { paymentLinkOperations } from '../http/routes/payment-links';
import { paymentOperations } from '../http/routes/payments';
import { planOperations } from '../http/routes/plans';
import { subAccountOperations } from '../http/routes/sub-accounts';
import { userSubscriptions, subscriptionOperations } from '../http/routes/subscriptions';
import { userPayments } from '../http/routes/user-payments';
import { userPaymentReads } from '../http/routes/user-payments-read';
import { type UserOperationsDeps, userOperations } from '../http/routes/users';
import { webhookOperations } from '../http/routes/webhooks';
import { type App, type AppDeps, createApp } from '../http/server/app';
import { loadContract } from '../http/server/contract';
import type { Logger } from '../log';
import { openapiPath, webBuildPath } from '../paths';
import { DashboardReader } from '../persistence/read-models/dashboard';
import { checkTemporal } from '../temporal/client';
import { EncryptionCodec } from '../temporal/codec';
import { PaymentWorkflows } from '../temporal/payments';
import { createCompanies, createCompanyConfig, createUsers, createWebhooks } from './api-companies';
import { createAdministration, createPaymentDetails, createPayments } from './api-payments';
import { createCatalog, createCheckout, createSubscriptions } from './api-subscriptions';
import type { AppContext } from './app-context';

const HEALTH_TIMEOUT_MS = 1_500;

/** The HTTP side of the service with everything behind it. */
export function createApiApp(
  config: Config,
  parts: AppContext,
  {
    logger,
    contract = loadContract(openapiPath, { sandbox: !config.production }),
  }: { readonly logger: Logger } & Partial<Pick<AppDeps, 'contract'>>,
): App {
  const companies = createCompanies(config, parts);
  const companyConfig = createCompanyConfig(config, parts, (clientId) =>
    companies.authenticator.forget(clientId),
  );
  const users = createUsers(config, parts, logger);
  const payments = createPayments(config, parts, (transactionId, error) => {
    logger.error({ transaction_id: transactionId, err: error }, 'no answer after the commit');
  });
  const catalog = createCatalog(parts);
  const subscriptions = createSubscriptions(config, parts, logger);
  const checkout = createCheckout(config, parts, { ...payments, ...subscriptions });
  const administrationDeps = createAdministration(config, parts, payments);
  return createApp({
    contract,
    operations: {
      ...userOperations(users),
      ...companyOperations(companies),
      ...companyConfigOperations(companyConfig),
      ...customerOperations(companies),
      ...planOperations(catalog),
      ...couponOperations(catalog),
      ...subscriptionOperations(subscriptions),
      ...userSubscriptions(subscriptions),
      ...paymentLinkOperations(checkout),
      ...checkoutOperations(checkout),
      ...subAccountOperations(companies),
      ...callbackOperations(createCallbacks(config, parts, logger)),
      ...paymentOperations(payments),
      ...paymentCommands(payments),
      ...userPaymentReads(createPaymentDetails(config, parts, payments)),
      ...userPayments(administrationDeps),
      ...gatewaysAndAudit(administrationDeps),
      ...webhookOperations(createWebhooks(config, parts, logger)),
      ...dashboardOperations({ dashboard: new DashboardReader(parts.db) }),
    },
    findLogo: (hash) => parts.companyConfigs.findLogo(hash),
    findCheckoutPage: checkout.findCheckoutPage,
    webFolder: webBuildPath,
    findQrCode: async (attemptId) => (await parts.attempts.find(attemptId))?.pix?.qrCode ?? null,
    authenticate: (clientId, apiKey) => companies.authenticator.authenticate(clientId, apiKey),
    authenticateUser: (token) => users.sessions.authenticate(token),
    authenticateCheckout: checkout.authenticateCheckout,
    sessionCookie: users.sessionCookie,
    ...(parts.readOutbox && { readOutbox: parts.readOutbox }),
    healthChecks: {
      postgres: async () => void (await parts.db.query('SELECT 1')),
      temporal: () => checkTemporal(parts.temporal, HEALTH_TIMEOUT_MS),
    },
    rateLimits: config.rateLimits,
    publicBaseUrl: config.publicBaseUrl,
    trustedProxies: config.trustedProxies,
    codec: createCodec(config, users),
    logger,
  });
}

/** In the sandbox, on this machine, whoever opens Temporal's UI may read it; elsewhere support staff who are signed in. */
function createCodec(config: Config, { sessions, sessionCookie }: UserOperationsDeps): Router {
  const { open, allowedOrigin } = config.codecEndpoint;
  const codec = new EncryptionCodec(config.secrets.codecKeys);
  if (open) return codecEndpoint(codec, allowedOrigin);
  const guard = supportOnly({
    authenticateUser: (token) => sessions.authenticate(token),
    sessionCookie,
    supportEmails: config.supportEmails,
  });
  return codecEndpoint(codec, allowedOrigin, guard);
}

function createCallbacks(config: Config, parts: AppContext, log: Pick<Logger, 'warn'>): ReceiveCallback {
  const workflows = new PaymentWorkflows(parts.temporal, config.temporal.taskQueue);
  return new ReceiveCallback({
    ...parts,
    wake: (payment) => workflows.wake(payment),
    reportError: (transactionId, error) => {
      log.warn(
        { transaction_id: transactionId, err: error },
        'a callback is stored and its payment still asleep',
      );
    },
  });
}
