import { createHash } from 'node:crypto';
import { Router, type RequestHandler } from 'express';
import helmet from 'helmet';
import { serveFiles, setup } from 'swagger-ui-express';
import type { Contract } from './contract';
import { refuseMethod } from './refuse-method';
import { setRoute } from './request-context';

/** A new version of the service may change any of these files. */
const CACHE_CONTROL = 'public, max-age=3600';

/** Swagger UI for the contract; loads everything from this host. */
export function docsRouter({ document }: Contract, publicBaseUrl: string): Router {
  const json = JSON.stringify(document);
  const etag = `"${createHash('sha256').update(json).digest('base64url')}"`;
  const options = {
    customSiteTitle: 'Payment orchestration API',
    customCss: '.swagger-ui .topbar { display: none }',
    swaggerUrl: './openapi.json',
    swaggerOptions: { validatorUrl: null, docExpansion: 'list', defaultModelsExpandDepth: 0 },
  };
  const router = Router();
  router.use(setRoute('/docs'));
  router.use(contentSecurityPolicy(publicBaseUrl), allowCaching);
  router.get('/openapi.json', (req, res) => {
    res.set('ETag', etag);
    if (req.fresh) res.status(304).end();
    else res.type('application/json').send(json);
  });
  router.use(serveFiles(undefined, options));
  router.get('/', setup(undefined, options));
  router.use(forbidCaching);
  router.all(['/', '/openapi.json'], refuseMethod(['GET']));
  return router;
}

const allowCaching: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', CACHE_CONTROL);
  next();
};

/** Behind everything that is served: what gets here is answered with an error. */
const forbidCaching: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};

/** Swagger UI uses inline styles and data: images; its scripts are files. */
function contentSecurityPolicy(publicBaseUrl: string): ReturnType<typeof helmet.contentSecurityPolicy> {
  return helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'", new URL(publicBaseUrl).origin],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  });
}
