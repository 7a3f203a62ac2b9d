import express, { type Express, type Router } from 'express';
import helmet from 'helmet';
import type { Logger } from '../log';
import { createApiRouter } from './api-router';
import type { AuthenticateCompany } from './authentication';
import { loadContract } from './contract';
import { docsRouter } from './docs';
import { answerUnknownRoute, errorHandler } from './error-handler';
import { healthRouter, type HealthChecks } from './health';
import type { OperationHandlers } from './operation';
import type { RateLimits } from './rate-limit';
import { requestContext } from './request-context';

export interface AppDeps {
  /** Where openapi.yaml is. */
  readonly contractPath: string;
  readonly operations: OperationHandlers;
  readonly authenticate: AuthenticateCompany;
  /** What `/health/ready` asks, by the name it shows. */
  readonly healthChecks: HealthChecks;
  readonly rateLimits: RateLimits;
  readonly logger: Logger;
  /** The service's address as browsers see it. */
  readonly publicBaseUrl: string;
  /** Proxies in front of this process: how many entries of `X-Forwarded-For` to believe. None unless given. */
  readonly trustedProxies?: number;
  /** The payload codec for Temporal's UI and CLI, mounted at `/_temporal/codec`. */
  readonly codec?: Router;
  /** Checks every response against the contract, and turns one that breaks it into 500: for tests. */
  readonly validateResponses?: boolean;
}

/** The HTTP side of the service, ready to listen. Everything that can be compiled is compiled here, once. */
export async function createApp(deps: AppDeps): Promise<Express> {
  const contract = loadContract(deps.contractPath);
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
  if (deps.codec) app.use('/_temporal/codec', deps.codec);
  app.use(answerUnknownRoute);
  app.use(errorHandler(deps.logger));
  return app;
}

/** JSON needs nothing from anywhere. */
const API_POLICY = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };
