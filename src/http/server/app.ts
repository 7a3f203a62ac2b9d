import express, { type Express, type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import type { Logger } from '../../log';
import type { Spans } from '../../tracing/spans';
import { createApiRouter } from './api-router';
import type { AuthenticateCheckout, AuthenticateCompany, UserAuthentication } from '../auth/authentication';
import { checkoutPageRouter, type LoadCheckoutPage } from '../pages/checkout-page';
import { docsRouter } from './docs';
import { answerUnknownRoute, errorHandler } from './error-handler';
import { healthRouter, type HealthChecks } from './health';
import type { RouteHandlers } from './route';
import { logosRouter, type FindLogo } from '../pages/logos';
import { pixPictureRouter, type FindQrCode } from '../pages/pix-picture';
import { fileRateLimit, type RateLimits } from './rate-limit';
import type { ExchangeDemand } from './shared-limit';
import { requestContext, type ObserveRequest } from './request-context';
import type { RequestValidation } from './request-validation';
import { sandboxOutboxRouter, type ReadOutbox } from '../pages/sandbox-outbox';
import type { DeviceCookie } from '../auth/device-cookie';
import type { SessionCookie } from '../auth/session-cookie';
import { assetsRouter, dashboardRouter } from '../pages/web-pages';

export interface AppDeps {
  /** What requests are checked by, and its contract. */
  readonly requestValidation: RequestValidation;
  readonly handlers: RouteHandlers;
  readonly authenticate: AuthenticateCompany;
  readonly users: UserAuthentication;
  readonly authenticateCheckout: AuthenticateCheckout;
  readonly sessionCookie: SessionCookie;
  readonly deviceCookie: DeviceCookie;
  /** The dependencies that `/health/ready` checks, by the name in its response. */
  readonly healthChecks: HealthChecks;
  readonly rateLimits: RateLimits;
  readonly exchangeDemand?: ExchangeDemand;
  readonly logger: Logger;
  readonly observeRequest?: ObserveRequest;
  readonly spans?: Spans;
  /** The service's address as browsers see it. */
  readonly publicBaseUrl: string;
  readonly findQrCode: FindQrCode;
  readonly findLogo: FindLogo;
  readonly findCheckoutPage: LoadCheckoutPage;
  /** Output folder of `npm run build` with the pages for browsers. */
  readonly webFolder: string;
  /** Number of trusted proxies in front of this process, for `X-Forwarded-For`; default 0. */
  readonly trustedProxies?: number;
  /** Whether the database is being restored; default never. */
  readonly isRestoring?: () => boolean;
  /** The mail that a sandbox without a mail server keeps, shown at `/_sandbox/outbox`. */
  readonly readOutbox?: ReadOutbox;
  /** The payload codec for Temporal's UI and CLI, mounted at `/_temporal/codec`. */
  readonly codec?: Router;
}

/** The Express application. */
export function createApp(deps: AppDeps): Express {
  const { contract } = deps.requestValidation;
  const limitFiles = (): RequestHandler => fileRateLimit(deps.rateLimits);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', deps.trustedProxies ?? 0);

  app.use(requestContext(deps.logger, deps.observeRequest, deps.spans));
  app.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: API_POLICY } }));
  app.use(contract.basePath, createApiRouter(deps));
  app.use('/health', healthRouter(deps.healthChecks));
  app.use('/docs', limitFiles(), docsRouter({ ...deps, contract }));
  app.use('/pix', limitFiles(), pixPictureRouter(deps.findQrCode));
  app.use('/logos', limitFiles(), logosRouter(deps.findLogo));
  app.use('/checkout', checkoutPageRouter(deps));
  app.use('/dashboard', dashboardRouter(deps.webFolder, deps.sessionCookie));
  app.use('/assets', assetsRouter(deps.webFolder));
  if (deps.readOutbox) app.use('/_sandbox/outbox', sandboxOutboxRouter(deps.readOutbox));
  if (deps.codec) app.use('/_temporal/codec', limitFiles(), deps.codec);
  app.use(answerUnknownRoute);
  app.use(errorHandler(deps.logger));
  return app;
}

/** JSON responses load no resources. */
const API_POLICY = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };
