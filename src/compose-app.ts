import type { Router } from 'express';
import { ReceiveCallback } from './application/receive-callback';
import type { Parts } from './compose';
import { composeAdministration } from './compose-administration';
import { composeCatalog } from './compose-catalog';
import { composeCheckout } from './compose-checkout';
import { composeCompanies } from './compose-companies';
import { composeCompanyConfig } from './compose-company-config';
import { composePaymentDetails } from './compose-payment-details';
import { composePayments } from './compose-payments';
import { composeSubscriptions } from './compose-subscriptions';
import { composeUsers } from './compose-users';
import { composeWebhooks } from './compose-webhooks';
import type { Config } from './config';
import { createApp, type App, type AppDeps } from './http/app';
import { codecEndpoint } from './http/codec-endpoint';
import { loadContract } from './http/contract';
import { adminPayments } from './http/routes/admin-payments';
import { administration } from './http/routes/administration';
import { callbackOperations } from './http/routes/callbacks';
import { checkoutOperations } from './http/routes/checkout';
import { companyOperations } from './http/routes/companies';
import { companyConfigOperations } from './http/routes/company-config';
import { couponOperations } from './http/routes/coupons';
import { customerOperations } from './http/routes/customers';
import { dashboardOperations } from './http/routes/dashboard';
import { paymentCommands } from './http/routes/payment-commands';
import { paymentLinkOperations } from './http/routes/payment-links';
import { paymentOperations } from './http/routes/payments';
import { planOperations } from './http/routes/plans';
import { adminSubscriptions, subscriptionOperations } from './http/routes/subscriptions';
import { subAccountOperations } from './http/routes/sub-accounts';
import { adminPaymentReads } from './http/routes/admin-payments-read';
import { userOperations, type UserOperationsDeps } from './http/routes/users';
import { webhookOperations } from './http/routes/webhooks';
import { supportOnly } from './http/support-only';
import type { Logger } from './log';
import { openapiPath, webBuildPath } from './paths';
import { DashboardReader } from './persistence/read-models/dashboard';
import { checkTemporal } from './temporal/client';
import { EncryptionCodec } from './temporal/codec';
import { PaymentWorkflows } from './temporal/payments';

const HEALTH_TIMEOUT_MS = 1_500;

/** The HTTP side of the service with everything behind it. */
export function composeApp(
  config: Config,
  parts: Parts,
  {
    logger,
    contract = loadContract(openapiPath, { sandbox: !config.production }),
  }: { readonly logger: Logger } & Partial<Pick<AppDeps, 'contract'>>,
): App {
  const companies = composeCompanies(config, parts);
  const companyConfig = composeCompanyConfig(config, parts, (clientId) =>
    companies.authenticator.forget(clientId),
  );
  const users = composeUsers(config, parts, logger);
  const payments = composePayments(config, parts, (transactionId, error) => {
    logger.error({ transaction_id: transactionId, err: error }, 'no answer after the commit');
  });
  const catalog = composeCatalog(parts);
  const subscriptions = composeSubscriptions(config, parts, logger);
  const checkout = composeCheckout(config, parts, { ...payments, ...subscriptions });
  const administrationDeps = composeAdministration(config, parts, payments);
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
      ...adminSubscriptions(subscriptions),
      ...paymentLinkOperations(checkout),
      ...checkoutOperations(checkout),
      ...subAccountOperations(companies),
      ...callbackOperations(composeCallbacks(config, parts, logger)),
      ...paymentOperations(payments),
      ...paymentCommands(payments),
      ...adminPaymentReads(composePaymentDetails(config, parts, payments)),
      ...adminPayments(administrationDeps),
      ...administration(administrationDeps),
      ...webhookOperations(composeWebhooks(config, parts, logger)),
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
    codec: composeCodec(config, users),
    logger,
  });
}

/** In the sandbox, on this machine, whoever opens Temporal's UI may read it; elsewhere support staff who are signed in. */
function composeCodec(config: Config, { sessions, sessionCookie }: UserOperationsDeps): Router {
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

function composeCallbacks(config: Config, parts: Parts, log: Pick<Logger, 'warn'>): ReceiveCallback {
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
