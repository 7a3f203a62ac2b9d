import type { Express, Router } from 'express';
import { CreatePayment, type CreatePaymentDeps } from './application/create-payment';
import { FindPayment } from './application/find-payment';
import { MovePaymentClock } from './application/move-clock';
import { OperatePayment } from './application/operate-payment';
import { ReceiveCallback } from './application/receive-callback';
import type { Parts } from './compose';
import { composeCompanies } from './compose-companies';
import { composeUsers } from './compose-users';
import { composeWebhooks } from './compose-webhooks';
import type { Config } from './config';
import { createApp } from './http/app';
import { codecEndpoint } from './http/codec-endpoint';
import { callbackOperations } from './http/routes/callbacks';
import { companyOperations } from './http/routes/companies';
import { customerOperations } from './http/routes/customers';
import { paymentCommands, type PaymentCommandDeps } from './http/routes/payment-commands';
import { paymentOperations, type PaymentRouteDeps } from './http/routes/payments';
import { subAccountOperations } from './http/routes/sub-accounts';
import { userOperations, type UserOperationsDeps } from './http/routes/users';
import { webhookOperations } from './http/routes/webhooks';
import { supportOnly } from './http/support-only';
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
  const companies = composeCompanies(config, parts);
  const users = composeUsers(config, parts, options.logger);
  const payments = composePayments(config, parts, (transactionId, error) => {
    options.logger.error({ transaction_id: transactionId, err: error }, 'no answer after the commit');
  });
  return createApp({
    contractPath: openapiPath,
    operations: {
      ...userOperations(users),
      ...companyOperations(companies),
      ...customerOperations(companies),
      ...subAccountOperations(companies),
      ...callbackOperations(composeCallbacks(config, parts, options.logger)),
      ...paymentOperations(payments),
      ...paymentCommands(payments),
      ...webhookOperations(composeWebhooks(config, parts, options.logger)),
    },
    sandbox: !config.production,
    findQrCode: async (attemptId) => (await parts.attempts.find(attemptId))?.pix?.qrCode ?? null,
    authenticate: (clientId, apiKey) => companies.authenticator.authenticate(clientId, apiKey),
    authenticateUser: (token) => users.sessions.authenticate(token),
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
    ...options,
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

export function composePayments(
  config: Config,
  parts: Parts,
  reportError: CreatePaymentDeps['reportError'],
  workflows: Pick<PaymentWorkflows, 'awaitResult' | 'awaitOperation' | 'wake'> = new PaymentWorkflows(
    parts.temporal,
    config.temporal.taskQueue,
  ),
): PaymentRouteDeps & PaymentCommandDeps {
  const findPayment = new FindPayment(parts.payments, parts.attempts, parts.deliveries);
  const { requestHashKey } = config.secrets;
  const { syncTimeoutMs } = config.payments;
  const deps = { ...parts, findPayment, workflows, reportError, requestHashKey, syncTimeoutMs };
  return {
    findPayment,
    paymentList: new PaymentList(parts.db, parts.attempts, parts.deliveries),
    createPayment: new CreatePayment(deps),
    operatePayment: new OperatePayment(deps),
    moveClock: new MovePaymentClock(deps),
  };
}
