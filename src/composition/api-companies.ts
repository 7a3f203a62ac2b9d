import { deliveryWorkflowId } from '../../workflows/messages';
import { CompanyAuthenticator } from '../application/companies/authenticate-company';
import { CompanyApiKeys } from '../application/companies/company-api-keys';
import { CompanyModes } from '../application/companies/company-modes';
import { CompanyConfigs } from '../application/companies/company-config';
import { CreateSubAccount } from '../application/companies/create-sub-account';
import { ReceiveConsent } from '../application/companies/receive-consent';
import { SubAccounts } from '../application/companies/sub-accounts';
import { CustomerCards, type CustomerCardsDeps } from '../application/customers/customer-cards';
import { verifyCard } from '../application/customers/verify-card';
import { Customers } from '../application/customers/customers';
import { CreateOnce } from '../application/shared/create-once';
import { EmailVerification } from '../application/users/email-verification';
import { PasswordReset } from '../application/users/password-reset';
import { Profile } from '../application/users/profile';
import { SecondFactor } from '../application/users/second-factor';
import { Sessions } from '../application/users/sessions';
import { ListEvents } from '../application/webhooks/list-events';
import { WebhookDeliveries } from '../application/webhooks/webhook-deliveries';
import type { Config } from '../config';
import { DeviceCookie } from '../http/auth/device-cookie';
import { SessionCookie } from '../http/auth/session-cookie';
import { CardVerifier } from '../gateways/card-verifier';
import { CredentialProbe } from '../gateways/credential-probe';
import { GatewayHttp } from '../gateways/http';
import type { ApiKeyRouteDeps } from '../http/routes/api-keys';
import type { CompanyRouteDeps } from '../http/routes/companies';
import type { CompanyConfigRouteDeps } from '../http/routes/company-config';
import type { CustomerRouteDeps } from '../http/routes/customers';
import type { SubAccountRouteDeps } from '../http/routes/sub-accounts';
import type { UserRouteDeps } from '../http/routes/users';
import type { WebhookReceiverRouteDeps } from '../http/routes/onboarding/webhook-receiver-routes';
import type { WebhookRouteDeps } from '../http/routes/webhooks';
import type { Logger } from '../log';
import { CardVerificationRepository } from '../persistence/customers/card-verification-repository';
import { CustomerErasureRepository } from '../persistence/customers/customer-erasure-repository';
import { EmailVerificationRepository } from '../persistence/companies/email-verification-repository';
import { PasswordResetRepository } from '../persistence/companies/password-reset-repository';
import { TwoFactorRepository } from '../persistence/companies/two-factor-repository';
import { UserRepository } from '../persistence/companies/user-repository';
import { UserSessionRepository } from '../persistence/companies/user-session-repository';
import { DeliveryList } from '../persistence/read-models/delivery-list';
import type { DeliveryToStart } from '../persistence/webhooks/webhook-delivery-repository';
import { presentCompanyConfig } from '../presenters/company-config';
import { presentSubAccount } from '../presenters/sub-account';
import { AccessTokens } from '../security/access-tokens';
import { ApiKeys } from '../security/api-keys';
import { SafeFetch } from '../security/safe-fetch';
import { AfterCommitDispatcher } from '../temporal/after-commit-dispatcher';
import { RecipientWorkflows } from '../temporal/recipients';
import { type DeliveryRef, DeliveryWorkflows } from '../temporal/webhook-deliveries';
import { workflowLink } from '../temporal/workflow-link';
import type { AppContext } from './app-context';
import { createWebhookParts } from './webhook-receivers';

type CompaniesDeps = CompanyRouteDeps & CustomerRouteDeps & SubAccountRouteDeps;

/** Verifies the key pairs of companies. One per process: it has a cache. */
export function createAuthenticator(
  config: Config,
  { companies, companyApiKeys }: AppContext,
  log: Pick<Logger, 'warn'>,
): CompanyAuthenticator {
  return new CompanyAuthenticator({
    companies,
    storedKeys: companyApiKeys,
    apiKeys: new ApiKeys(config.secrets.apiKeyPeppers),
    reportError: (error) => log.warn({ err: error }, 'time of use of an API key not recorded'),
  });
}

/** Companies: registration, gateways, sub-accounts and customers. */
export function createCompanies(config: Config, context: AppContext): CompaniesDeps {
  const { companies } = context;
  const apiKeys = new ApiKeys(config.secrets.apiKeyPeppers);
  const customers = new Customers(context.db, context.customers);
  const recipients = {
    ...context,
    recipients: new RecipientWorkflows(context.temporal, config.temporal.taskQueue),
    fingerprintKeys: config.secrets.fingerprintKeys,
    syncTimeoutMs: config.payments.syncTimeoutMs,
  };
  return {
    registration: { companies, apiKeys, mode: config.mode },
    gateways: { ...recipients, probe: createCredentialProbe(config, context) },
    subAccounts: new SubAccounts(context.subAccounts),
    receiveConsent: new ReceiveConsent(recipients),
    createSubAccount: new CreateSubAccount({
      ...recipients,
      requestHashKeys: config.secrets.requestHashKeys,
      present: (subAccount) => ({ data: presentSubAccount(subAccount) }),
    }),
    customers,
    erasure: { ...context, customerErasure: new CustomerErasureRepository(context.db) },
    createOnce: createCreateOnce(config, context),
    customerCards: new CustomerCards({
      db: context.db,
      customers,
      cards: context.customerCards,
      vault: context.vault,
      verifyCard: createCardVerification(config, context),
    }),
  };
}

/** API keys for the company's users. */
export function createApiKeys(
  config: Config,
  context: AppContext,
  authenticator: CompanyAuthenticator,
): ApiKeyRouteDeps {
  const { db, companyApiKeys, audit } = context;
  const companyModes = createCompanyModes(config, context);
  const apiKeys = new ApiKeys(config.secrets.apiKeyPeppers);
  return {
    companyApiKeys: new CompanyApiKeys({ db, companyApiKeys, audit, apiKeys, authenticator, companyModes }),
    createOnce: createCreateOnce(config, context),
  };
}

function createCompanyModes({ modes }: Config, { companies }: AppContext): CompanyModes {
  return new CompanyModes(companies, modes);
}

/** What creates a resource once per idempotency key. */
export function createCreateOnce({ secrets, retention }: Config, context: AppContext): CreateOnce {
  const { requestHashKeys } = secrets;
  return new CreateOnce({ ...context, requestHashKeys, keyLifetimeMs: retention.idempotencyKeysMs });
}

/** A gateway that does not answer must not keep the request until its deadline: the credentials are saved unverified. */
const MAX_PROBE_MS = 5_000;

/** Verifies cards that are saved and cards with which trials begin. */
export function createCardVerification(config: Config, context: AppContext): CustomerCardsDeps['verifyCard'] {
  const timeoutMs = Math.min(config.payments.gatewayTimeoutMs, MAX_PROBE_MS);
  const { registries, unrecognizedAnswers } = context;
  const verifier = new CardVerifier(registries, new GatewayHttp(), unrecognizedAnswers, timeoutMs);
  const deps = { ...context, verifier, cardVerifications: new CardVerificationRepository(context.db) };
  return (card) => verifyCard(deps, card);
}

function createCredentialProbe(
  { payments }: Config,
  { registries, unrecognizedAnswers }: AppContext,
): CredentialProbe {
  const timeoutMs = Math.min(payments.gatewayTimeoutMs, MAX_PROBE_MS);
  return new CredentialProbe(registries, new GatewayHttp(), unrecognizedAnswers, timeoutMs);
}

/** `invalidateCache` makes this process read the company again at its next request. */
export function createCompanyConfig(
  { production, publicBaseUrl, webhooks }: Config,
  context: AppContext,
  invalidateCache: (clientId: string) => void,
): CompanyConfigRouteDeps {
  const companyConfigs = new CompanyConfigs({
    ...context,
    safeFetch: new SafeFetch({ allowLoopback: webhooks.allowLoopback }),
    present: (config) => ({ ...presentCompanyConfig(config, publicBaseUrl) }),
    invalidateCache,
    publicBaseUrl,
    sandbox: !production,
  });
  return { companyConfigs, publicBaseUrl };
}

/** The check of codes from authenticator apps. */
export function createSecondFactor(context: AppContext): SecondFactor {
  return new SecondFactor({ ...context, twoFactors: new TwoFactorRepository(context.db) });
}

/** Users: registration, sessions and password reset. */
export function createUsers(
  config: Config,
  context: AppContext,
  authenticator: CompanyAuthenticator,
  log: Pick<Logger, 'error'>,
): UserRouteDeps {
  const { db, companies, companyApiKeys, now } = context;
  const users = new UserRepository(db);
  const userSessions = new UserSessionRepository(db);
  const emailVerifications = new EmailVerificationRepository(db);
  const tokens = new AccessTokens(config.secrets.jwtSecrets, config.publicBaseUrl);
  const sessions = new Sessions({
    db,
    sessions: userSessions,
    companyModes: createCompanyModes(config, context),
    tokens,
    now,
    reportError: (error) => log.error({ err: error }, 'the use of a session was not recorded'),
  });
  return {
    sessions,
    signUp: {
      db,
      companies,
      mode: config.mode,
      companyApiKeys,
      authenticator,
      users,
      sessions,
      apiKeys: new ApiKeys(config.secrets.apiKeyPeppers),
    },
    signIn: { users, sessions, secondFactor: createSecondFactor(context) },
    passwordReset: new PasswordReset({
      ...context,
      users,
      userSessions,
      passwordResets: new PasswordResetRepository(db),
      emailVerifications,
      authenticator,
      reportError: (error) => log.error({ err: error }, 'password reset mail failed'),
    }),
    profile: new Profile({ ...context, users }),
    emailVerification: new EmailVerification({
      ...context,
      users,
      emailVerifications,
      reportError: (error) => log.error({ err: error }, 'verification mail failed'),
    }),
    modes: config.modes,
    operatorEmails: config.supportEmails,
    sessionCookie: new SessionCookie(config.publicBaseUrl),
    deviceCookie: new DeviceCookie(config.publicBaseUrl, config.secrets.jwtSecrets),
  };
}

/** Webhook endpoints, their deliveries, and the list of published events. */
export function createWebhooks(
  config: Config,
  context: AppContext,
  log: Pick<Logger, 'warn'>,
): WebhookRouteDeps & WebhookReceiverRouteDeps {
  const { uiUrl: url, namespace } = config.temporal;
  const workflows = createDeliveryWorkflows(config, context);
  const reportError = (error: unknown): void =>
    log.warn({ err: error }, 'delivery workflow start failed; sweeper will retry');
  const starts = new AfterCommitDispatcher<DeliveryToStart>((due) => workflows.resend(due), reportError);
  return {
    ...createWebhookParts(config, context),
    webhookDeliveries: new WebhookDeliveries({
      ...context,
      deliveryList: new DeliveryList(context.db, context.deliveries),
      workflows,
      startDeliveries: (deliveries) => starts.dispatch(deliveries),
      reportError,
    }),
    listEvents: new ListEvents(context.events),
    createOnce: createCreateOnce(config, context),
    deliveryLink: (deliveryId) => workflowLink({ url, namespace }, deliveryWorkflowId(deliveryId)),
  };
}

export function createDeliveryWorkflows(
  { temporal: { taskQueue } }: Config,
  { temporal }: Pick<AppContext, 'temporal'>,
): DeliveryWorkflows {
  return new DeliveryWorkflows(temporal, taskQueue);
}

export function createDeliveryDispatcher(
  workflows: Pick<DeliveryWorkflows, 'ensureStarted'>,
  log: { warn(fields: object, message: string): void },
): AfterCommitDispatcher<DeliveryRef> {
  return new AfterCommitDispatcher(
    (delivery) => workflows.ensureStarted(delivery),
    (error) => log.warn({ err: error }, 'delivery workflow start failed; sweeper will retry'),
  );
}
