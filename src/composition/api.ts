import type { Express, Router } from 'express';
import type { CreatePaymentDeps } from '../application/payments/create-payment';
import { ReceiveCallback } from '../application/payments/receive-callback';
import type { Config } from '../config';
import { CallbackKeys } from '../gateways/callbacks/published-keys';
import { GatewayHttp } from '../gateways/http';
import type { GatewayRegistry } from '../gateways/registry';
import { answerShape } from '../gateways/unrecognized/answer-shape';
import { supportOnly } from '../http/auth/support-only';
import { codecEndpoint } from '../http/pages/codec-endpoint';
import { apiKeyRoutes } from '../http/routes/api-keys';
import { callbackRoutes } from '../http/routes/callbacks';
import { checkoutRoutes } from '../http/routes/checkout';
import { companyRoutes } from '../http/routes/companies';
import { companyConfigRoutes } from '../http/routes/company-config';
import { couponRoutes } from '../http/routes/coupons';
import { customerRoutes } from '../http/routes/customers';
import { dashboardRoutes } from '../http/routes/dashboard';
import { exportRoutes } from '../http/routes/exports/export-routes';
import { routingRoutes } from '../http/routes/routing/routing-routes';
import { gatewayAndAuditRoutes } from '../http/routes/gateways-and-audit';
import { disputeRoutes } from '../http/routes/disputes/dispute-routes';
import { settlementRoutes } from '../http/routes/settlement/settlement-routes';
import { ledgerRoutes } from '../http/routes/ledger/ledger-routes';
import { paymentCommandRoutes } from '../http/routes/payment-commands';
import { paymentLinkRoutes } from '../http/routes/payment-links';
import { Notes } from '../application/notes/notes';
import { Onboardings } from '../application/onboarding/onboardings';
import { noteRoutes } from '../http/routes/notes/note-routes';
import { onboardingRoutes } from '../http/routes/onboarding/onboarding-routes';
import { webhookReceiverRoutes } from '../http/routes/onboarding/webhook-receiver-routes';
import { userCustomerRoutes } from '../http/routes/user-customers/user-customer-routes';
import { listCheckoutPurchases } from '../persistence/read-models/customer-purchases';
import { searchRoutes } from '../http/routes/search/search-routes';
import { paymentRoutes } from '../http/routes/payments';
import { planRoutes } from '../http/routes/plans';
import { subAccountRoutes } from '../http/routes/sub-accounts';
import { systemRoutes } from '../http/routes/system/system-status';
import { userSubscriptionRoutes, subscriptionRoutes } from '../http/routes/subscriptions';
import { userPaymentRoutes } from '../http/routes/user-payments';
import { userPaymentReadRoutes } from '../http/routes/user-payments-read';
import { twoFactorRoutes } from '../http/routes/users/two-factor';
import { teamRoutes } from '../http/routes/users/team';
import { type UserRouteDeps, userRoutes } from '../http/routes/users';
import { webhookRoutes } from '../http/routes/webhooks';
import { type AppDeps, createApp } from '../http/server/app';
import { loadContract } from '../http/server/contract';
import { createRequestValidation, type RequestValidation } from '../http/server/request-validation';
import type { RouteHandlers } from '../http/server/route';
import type { Logger } from '../log';
import { openapiPath, webBuildPath } from '../paths';
import { PaymentSearch } from '../persistence/search/payment-search';
import { DashboardReader } from '../persistence/read-models/dashboard';
import { loadRevenueHistory } from '../persistence/read-models/recurring-revenue';
import { OnboardingRepository } from '../persistence/companies/onboarding-repository';
import { RequestDemandRepository } from '../persistence/companies/request-demand-repository';
import { checkTemporal } from '../temporal/client';
import { EncryptionCodec } from '../temporal/codec';
import { DisputeWorkflows } from '../temporal/disputes';
import { PaymentWorkflows } from '../temporal/payments';
import {
  createApiKeys,
  createAuthenticator,
  createCompanies,
  createCompanyConfig,
  createUsers,
  createWebhooks,
} from './api-companies';
import { createDisputes } from './api-disputes';
import { createSettlements } from './api-settlements';
import {
  createAdministration,
  createRouting,
  createExports,
  createLedger,
  createPaymentDetails,
  createPayments,
  type PaymentParts,
} from './api-payments';
import { createCatalog, createCheckout, createSubscriptions } from './api-subscriptions';
import { createTeam, createTwoFactor } from './api-team';
import { createSystem } from './system/api-system';
import type { AppContext } from './app-context';

const HEALTH_TIMEOUT_MS = 1_500;

/** The checks of requests by the contract of this environment. */
export function loadRequestValidation({ modes }: Config): RequestValidation {
  return createRequestValidation(loadContract(openapiPath, { takesTestData: modes.includes('test') }));
}

type ApiParts = Pick<AppDeps, 'logger' | 'requestValidation'> & Pick<PaymentParts, 'firstAttempts'>;

/** The HTTP application with all its dependencies. */
export function createApiApp(
  config: Config,
  context: AppContext,
  { logger, requestValidation, firstAttempts }: ApiParts,
): Express {
  const services = createServices(config, context, logger, firstAttempts);
  const { authenticator, users, checkout } = services;
  const demand = new RequestDemandRepository(context.db);
  return createApp({
    requestValidation,
    handlers: createHandlers(config, context, services, logger),
    findLogo: (hash) => context.companyConfigs.findLogo(hash),
    findCheckoutPage: checkout.findCheckoutPage,
    webFolder: webBuildPath,
    findQrCode: async (attemptId) => (await context.attempts.find(attemptId))?.pix?.qrCode ?? null,
    authenticate: (clientId, apiKey) => authenticator.authenticate(clientId, apiKey),
    users: users.sessions,
    authenticateCheckout: checkout.authenticateCheckout,
    sessionCookie: users.sessionCookie,
    deviceCookie: users.deviceCookie,
    ...(context.readOutbox && { readOutbox: context.readOutbox }),
    healthChecks: {
      postgres: async () => void (await context.db.query('SELECT 1')),
      temporal: () => checkTemporal(context.temporal, HEALTH_TIMEOUT_MS),
    },
    rateLimits: config.rateLimits,
    exchangeDemand: (own) => demand.exchange(own),
    isRestoring: () => context.restoreState.isInProgress,
    publicBaseUrl: config.publicBaseUrl,
    trustedProxies: config.trustedProxies,
    codec: createCodec(config, users),
    observeRequest: (request) => context.metrics.requestEnded(request),
    spans: context.spans,
    logger,
  });
}

/** Services that several groups of routes share. */
function createServices(
  config: Config,
  context: AppContext,
  logger: Logger,
  firstAttempts: ApiParts['firstAttempts'],
) {
  const payments = createPayments(config, context, reportUnknownResult(logger), { firstAttempts });
  const subscriptions = createSubscriptions(config, context, logger);
  const authenticator = createAuthenticator(config, context, logger);
  return {
    authenticator,
    companies: createCompanies(config, context),
    users: createUsers(config, context, authenticator, logger),
    payments,
    subscriptions,
    checkout: createCheckout(config, context, { ...payments, ...subscriptions }),
  };
}

function createHandlers(
  config: Config,
  context: AppContext,
  { authenticator, companies, users, payments, subscriptions, checkout }: ReturnType<typeof createServices>,
  logger: Logger,
): RouteHandlers {
  const companyConfig = createCompanyConfig(config, context, (clientId) =>
    authenticator.invalidate(clientId),
  );
  const catalog = createCatalog(config, context);
  const webhooks = createWebhooks(config, context, logger);
  const administration = createAdministration(config, context, payments, reportUnknownResult(logger));
  return {
    ...userRoutes(users),
    ...twoFactorRoutes(createTwoFactor(config, context, logger)),
    ...teamRoutes(createTeam(config, context, users, logger)),
    ...companyRoutes(companies),
    ...apiKeyRoutes(createApiKeys(config, context, authenticator)),
    ...companyConfigRoutes(companyConfig),
    ...customerRoutes(companies),
    ...planRoutes(catalog),
    ...couponRoutes(catalog),
    ...subscriptionRoutes(subscriptions),
    ...userSubscriptionRoutes(subscriptions),
    ...paymentLinkRoutes(checkout),
    ...checkoutRoutes(checkout),
    ...subAccountRoutes(companies),
    ...callbackRoutes(createCallbacks(config, context, logger)),
    ...paymentRoutes(payments),
    ...paymentCommandRoutes(payments),
    ...userPaymentReadRoutes(createPaymentDetails(config, context, payments)),
    ...userPaymentRoutes(administration),
    ...routingRoutes(createRouting(context)),
    ...gatewayAndAuditRoutes({ ...administration, gateways: companies.gateways }),
    ...ledgerRoutes(createLedger(context)),
    ...disputeRoutes(createDisputes(config, context, logger, catalog.createOnce)),
    ...settlementRoutes(createSettlements(config, context, logger)),
    ...webhookRoutes(webhooks),
    ...webhookReceiverRoutes(webhooks),
    ...onboardingRoutes({
      ...context,
      ...payments,
      onboardings: new Onboardings({ ...context, onboardings: new OnboardingRepository(context.db) }),
    }),
    ...searchRoutes({ ...context, paymentSearch: new PaymentSearch(context.db, context.payments) }),
    ...userCustomerRoutes({
      ...companies,
      listPurchases: (customerId, limit) => listCheckoutPurchases(context.db, customerId, limit),
    }),
    ...noteRoutes(new Notes(context), catalog.createOnce),
    ...exportRoutes({ exports: createExports(context) }),
    ...systemRoutes(createSystem(config, context)),
    ...dashboardRoutes({
      dashboard: new DashboardReader(context.db),
      loadRevenueHistory: (companyId, months) => loadRevenueHistory(context.db, companyId, months),
    }),
  };
}

function reportUnknownResult(logger: Logger): CreatePaymentDeps['reportError'] {
  return (transactionId, error) => {
    logger.error({ transaction_id: transactionId, err: error }, 'payment result unknown after commit');
  };
}

/** Open in a sandbox that listens on loopback; otherwise restricted to signed-in support staff. */
function createCodec(config: Config, { sessions, sessionCookie }: UserRouteDeps): Router {
  const { open, allowedOrigin } = config.codecEndpoint;
  const codec = new EncryptionCodec(config.secrets.codecKeys);
  if (open) return codecEndpoint(codec, allowedOrigin);
  const guard = supportOnly({
    users: sessions,
    sessionCookie,
    supportEmails: config.supportEmails,
  });
  return codecEndpoint(codec, allowedOrigin, guard);
}

function createCallbacks(config: Config, context: AppContext, log: Pick<Logger, 'warn'>): ReceiveCallback {
  const workflows = new PaymentWorkflows(context.temporal, config.temporal.taskQueue);
  const disputes = new DisputeWorkflows(context.temporal, config.temporal.taskQueue);
  const keysOf = publishedKeys();
  return new ReceiveCallback({
    ...context,
    publishedKeys: ({ slug, registry }, raw) => keysOf(registry).secretsFor(slug, raw),
    knownKeys: ({ slug, registry }) => keysOf(registry).knownKeys(slug),
    keepShape: (companyId, { slug: gateway, registry }, { body, headers }) => {
      const shape = answerShape(null, headers['content-type'], body.toString('utf8'));
      const asked = { companyId, gateway, operation: 'callback', attemptId: null, status: null } as const;
      const vendor = registry.driver(gateway).name;
      context.unrecognizedAnswers.report({ ...asked, ...shape, vendor, at: context.now() });
    },
    wake: (payment) => workflows.wake(payment),
    wakeDispute: (dispute) => disputes.wake(dispute),
    reportError: (transactionId, error) => {
      log.warn(
        { transaction_id: transactionId, err: error },
        'payment workflow signal failed; sweeper will retry',
      );
    },
  });
}

/** The published keys of each mode's gateways. */
function publishedKeys(): (registry: GatewayRegistry) => CallbackKeys {
  const http = new GatewayHttp();
  const known = new Map<GatewayRegistry, CallbackKeys>();
  return (registry) => {
    const keys = known.get(registry) ?? new CallbackKeys(registry, http);
    known.set(registry, keys);
    return keys;
  };
}
