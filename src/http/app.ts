import express, { type Express, type Router } from 'express';
import helmet from 'helmet';
import type { Logger } from '../log';
import { createApiRouter } from './api-router';
import type { AuthenticateCompany, AuthenticateUser } from './authentication';
import { loadContract } from './contract';
import { docsRouter } from './docs';
import { answerUnknownRoute, errorHandler } from './error-handler';
import { healthRouter, type HealthChecks } from './health';
import type { OperationHandlers } from './operation';
import { pixPictureRouter, type FindQrCode } from './pix-picture';
import type { RateLimits } from './rate-limit';
import { requestContext } from './request-context';
import { sandboxOutboxRouter, type ReadOutbox } from './sandbox-outbox';
import type { SessionCookie } from './session-cookie';

export interface AppDeps {
  /** Where openapi.yaml is. */
  readonly contractPath: string;
  readonly operations: OperationHandlers;
  /** Whether this is the sandbox, which has routes that production has not. */
  readonly sandbox: boolean;
  readonly authenticate: AuthenticateCompany;
  readonly authenticateUser: AuthenticateUser;
  readonly sessionCookie: SessionCookie;
  /** What `/health/ready` asks, by the name it shows. */
  readonly healthChecks: HealthChecks;
  readonly rateLimits: RateLimits;
  readonly logger: Logger;
  /** The service's address as browsers see it. */
  readonly publicBaseUrl: string;
  readonly findQrCode: FindQrCode;
  /** Proxies in front of this process: how many entries of `X-Forwarded-For` to believe. None unless given. */
  readonly trustedProxies?: number;
  /** The mail of a sandbox that sends none, shown at `/_sandbox/outbox`. */
  readonly readOutbox?: ReadOutbox;
  /** The payload codec for Temporal's UI and CLI, mounted at `/_temporal/codec`. */
  readonly codec?: Router;
  /** Checks every response against the contract, and turns one that breaks it into 500: for tests. */
  readonly validateResponses?: boolean;
}

/** The HTTP side of the service, ready to listen. Everything that can be compiled is compiled here, once. */
export async function createApp(deps: AppDeps): Promise<Express> {
  const contract = loadContract(deps.contractPath, deps);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', deps.trustedProxies ?? 0);

  app.use(requestContext(deps.logger));
  app.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: API_POLICY } }));
  const api = await createApiRouter({
    ...deps,
    contract,
    validateResponses: deps.validateResponses ?? false,
  });
  app.use(contract.basePath, api);
  app.use('/health', healthRouter(deps.healthChecks));
  app.use('/docs', docsRouter(contract, deps.publicBaseUrl));
  app.use('/pix', pixPictureRouter(deps.findQrCode));
  if (deps.readOutbox) app.use('/_sandbox/outbox', sandboxOutboxRouter(deps.readOutbox));
  if (deps.codec) app.use('/_temporal/codec', deps.codec);
  app.use(answerUnknownRoute);
  app.use(errorHandler(deps.logger));
  return app;
}

/** JSON needs nothing from anywhere. */
const API_POLICY = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };
