import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import sirv from 'sirv';
import { notFound, unavailable } from '../../domain/shared/errors';
import { refuseMethod } from '../server/refuse-method';

/** Stands in a page for its nonce (`src/web/vite.config.ts`). */
const NONCE_PLACEHOLDER = '{{csp-nonce}}';
const YEAR_SECONDS = 31_536_000;

/**
 * `/dashboard` and every address below it: one page, which shows by its address what is asked for. Read at start from
 * what `npm run build` made; where that was not run, it is 503 and says so.
 */
export function dashboardRouter(folder: string): Router {
  const page = readPage(join(folder, 'dashboard', 'index.html'));
  const router = Router();
  router.use(named('/dashboard'));
  router.use(withNonce, CONTENT_SECURITY_POLICY);
  router.get('/{*path}', (_req, res) => {
    if (page === null) throw unavailable('The dashboard is not built: npm run build makes it.');
    res.setHeader('Cache-Control', 'no-cache');
    res.type('html').send(page.replaceAll(NONCE_PLACEHOLDER, nonceOf(res)));
  });
  router.all('/{*path}', refuseMethod(['GET']));
  return router;
}

/** `/assets/<name>-<hash>`: what pages load. Another content has another name, so browsers keep it for ever. */
export function assetsRouter(folder: string): Router {
  const files = join(folder, 'assets');
  const router = Router();
  router.use(named('/assets'));
  if (existsSync(files)) {
    router.get('/{*path}', sirv(files, { gzip: true, brotli: true, immutable: true, maxAge: YEAR_SECONDS }));
  }
  router.get('/{*path}', () => {
    throw notFound();
  });
  router.all('/{*path}', refuseMethod(['GET']));
  return router;
}

/** What the build made of a page; null where there was none. */
export function readPage(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function named(route: string): RequestHandler {
  return (req, _res, next) => {
    req.context.route = route;
    next();
  };
}

/** 128 bits, as Content Security Policy Level 3 asks for (section 2.3.1). */
const withNonce: RequestHandler = (_req, res, next) => {
  res.locals['nonce'] = randomBytes(16).toString('base64');
  next();
};

function nonceOf({ locals }: Pick<Response, 'locals'>): string {
  return String(locals['nonce']);
}

/** Scripts are files of ours. The component library makes styles in the browser, under the nonce of the page. */
const CONTENT_SECURITY_POLICY = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", (_req, res) => `'nonce-${nonceOf(res as Response)}'`],
    fontSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
});
