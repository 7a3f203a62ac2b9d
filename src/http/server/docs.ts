import { Router } from 'express';
import helmet from 'helmet';
import { serveFiles, setup } from 'swagger-ui-express';
import type { Contract } from './contract';
import { refuseMethod } from './refuse-method';
import { setRoute } from './request-context';

/** Swagger UI for the contract; loads everything from this host. */
export function docsRouter({ document }: Contract, publicBaseUrl: string): Router {
  const json = JSON.stringify(document);
  const options = {
    customSiteTitle: 'Payment orchestration API',
    customCss: '.swagger-ui .topbar { display: none }',
    swaggerUrl: './openapi.json',
    swaggerOptions: { validatorUrl: null, docExpansion: 'list', defaultModelsExpandDepth: 0 },
  };
  const router = Router();
  router.use(setRoute('/docs'));
  router.use(contentSecurityPolicy(publicBaseUrl));
  router.get('/openapi.json', (_req, res) => {
    res.type('application/json').send(json);
  });
  router.use(serveFiles(undefined, options));
  router.get('/', setup(undefined, options));
  router.all(['/', '/openapi.json'], refuseMethod(['GET']));
  return router;
}

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
