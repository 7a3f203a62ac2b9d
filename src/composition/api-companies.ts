import { Client } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { deliveryWorkflowId } from '../../workflows/messages';
import { CompanyAuthenticator } from '../application/companies/authenticate-company';
import { CompanyConfigs } from '../application/companies/company-config';
import { CreateSubAccount } from '../application/companies/create-sub-account';
import { SubAccounts } from '../application/companies/sub-accounts';
import { CustomerCards } from '../application/customers/customer-cards';
import { Customers } from '../application/customers/customers';
import { PasswordReset } from '../application/users/password-reset';
import { Sessions } from '../application/users/sessions';
import { ListEvents } from '../application/webhooks/list-events';
import { WebhookDeliveries } from '../application/webhooks/webhook-deliveries';
import { WebhookEndpoints } from '../application/webhooks/webhook-endpoints';
import type { Config } from '../config';
import { SessionCookie } from '../http/auth/session-cookie';
import type { CompanyOperationsDeps } from '../http/routes/companies';
import type { CompanyConfigOperationsDeps } from '../http/routes/company-config';
import type { CustomerOperationsDeps } from '../http/routes/customers';
import type { SubAccountOperationsDeps } from '../http/routes/sub-accounts';
import type { UserOperationsDeps } from '../http/routes/users';
import type { WebhookOperationsDeps } from '../http/routes/webhooks';
import type { Logger } from '../log';
import { PasswordResetRepository } from '../persistence/companies/password-reset-repository';
import { UserRepository } from '../persistence/companies/user-repository';
import { UserSessionRepository } from '../persistence/companies/user-session-repository';
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

type CompaniesDeps = CompanyOperationsDeps & CustomerOperationsDeps & SubAccountOperationsDeps;

/** Companies with their key check, their gateways, sub-accounts and customers. */
export function createCompanies(
  config: Config,
  parts: AppContext,
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

/** `forget`: has this process ask for the company anew. */
export function createCompanyConfig(
  { production, publicBaseUrl, webhooks }: Config,
  parts: AppContext,
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

/** Users: how they register, sign in and out, and get a new password. */
export function createUsers(
  config: Config,
  parts: AppContext,
  log: Pick<Logger, 'error'>,
): UserOperationsDeps {
  const { db, companies, mailer, now } = parts;
  const users = new UserRepository(db);
  const userSessions = new UserSessionRepository(db);
  const tokens = new AccessTokens(config.secrets.jwtSecret, config.publicBaseUrl);
  const sessions = new Sessions({ sessions: userSessions, tokens, now });
  return {
    sessions,
    signUp: { db, companies, users, sessions, apiKeys: new ApiKeys(config.secrets.apiKeyPepper) },
    signIn: { users, sessions },
    passwordReset: new PasswordReset({
      db,
      users,
      userSessions,
      passwordResets: new PasswordResetRepository(db),
      mailer,
      now,
      reportError: (error) => log.error({ err: error }, 'a mail was not sent'),
    }),
    sessionCookie: new SessionCookie(config.publicBaseUrl),
  };
}

/** Webhook endpoints, what was sent to them, and what was published at all. */
export function createWebhooks(
  config: Config,
  parts: AppContext,
  log: Pick<Logger, 'warn'>,
): WebhookOperationsDeps {
  const { allowLoopback } = config.webhooks;
  const { uiUrl: url, namespace } = config.temporal;
  return {
    webhookEndpoints: new WebhookEndpoints({ ...parts, safeFetch: new SafeFetch({ allowLoopback }) }),
    webhookDeliveries: new WebhookDeliveries({
      ...parts,
      workflows: createDeliveryWorkflows(config, parts),
      reportError: (error) => log.warn({ err: error }, 'a delivery is due and its workflow still asleep'),
    }),
    listEvents: new ListEvents(parts.events),
    deliveryLink: (deliveryId) => workflowLink({ url, namespace }, deliveryWorkflowId(deliveryId)),
  };
}

/** With the connection of a worker that makes deliveries, their first tasks are that worker's. */
export function createDeliveryWorkflows(
  { temporal: { namespace, taskQueue } }: Config,
  { temporal, dataConverter }: AppContext,
  connection?: NativeConnection,
): DeliveryWorkflows {
  if (connection === undefined) return new DeliveryWorkflows(temporal, taskQueue);
  return new DeliveryWorkflows(new Client({ connection, namespace, dataConverter }), taskQueue, 'here');
}

export function createDeliveryDispatcher(
  workflows: DeliveryWorkflows,
  log: { warn(context: object, message: string): void },
): AfterCommitDispatcher<DeliveryRef> {
  return new AfterCommitDispatcher(
    (delivery) => workflows.ensureStarted(delivery),
    (error) => log.warn({ err: error }, 'a delivery is left to the sweeper'),
  );
}
